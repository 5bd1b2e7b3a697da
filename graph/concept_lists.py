"""Concepts that the rules name in lists: ability words, tokens, counters, layers, state-based and special actions."""

import re
from collections.abc import Iterator

from rulings.graph.concept_terms import Found, folded
from rulings.ingest import Edition

_COUNTER = re.compile(r"((?:\+|[-−])\d/(?:\+|[-−])\d|\b[a-z]{3,}) counters?\b")
_NO_COUNTER = re.compile(
    r"additional|all|all-|another|any|both|chosen|counters|each|fewer|following|given|have|his"
    r"|keyword|kind|least|many|mine|more|most|much|new|next|number|one|other|same"
    r"|single|some|such|that|the|their|them|these|those|three|two|type|what|where"
    r"|which|with|would"
)
"""Words before "counter" that name no kind of counter."""


def listed(edition: Edition) -> Iterator[Found]:
    """Yield the named parts of the rules' lists, in book order within each list."""
    yield from _tokens(edition)
    yield from _counters(edition)
    yield from _layers(edition)
    yield from _state_based(edition)
    yield from _special(edition)


def ability_words(edition: Edition) -> list[str]:
    """Return the ability words in the order of the rule that lists them."""
    rule = next(
        (r for r in edition.rules.values() if r.parent == "207.2" and "ability words are" in r.text.lower()), None
    )
    match = re.search(r"ability words are (.+?)\.(?:\s|$)", rule.text) if rule else None
    return [re.sub(r"^and ", "", word).strip() for word in match[1].split(", ")] if match else []


def _tokens(edition: Edition) -> Iterator[Found]:
    for rule in edition.rules.values():
        match = re.match(r"An? ([A-Z][\w' ]+? token) is an? ", rule.text)
        if match and rule.parent and rule.parent.startswith("111."):
            name = match[1].removesuffix(" token")
            label = name if name.endswith(" Role") else f"{name} Token"
            if folded(name) not in {folded(term) for term in edition.glossary}:
                yield Found(
                    label,
                    "token",
                    rule.text,
                    [f"{name} token"],
                    [rule.number],
                    genus=["Role" if " Role" in name else "Token"],
                )


def _counters(edition: Edition) -> Iterator[Found]:
    """Kinds of counters that the rules name in the chapter on counters or among the state-based actions."""
    seen: dict[str, list[str]] = {}
    for rule in edition.rules.values():
        if rule.number.startswith(("122.1", "122.3", "704.5", "714.", "711.")):
            for name in _COUNTER.findall(rule.text):
                if not _NO_COUNTER.fullmatch(name):
                    seen.setdefault(name, []).append(rule.number)
    for name, numbers in seen.items():
        own = [n for n in numbers if n.startswith("122.")]
        yield Found(
            f"{name.title()} Counter", "counter", "", rules=list(dict.fromkeys(own or numbers))[:3], genus=["Counter"]
        )


def _layers(edition: Edition) -> Iterator[Found]:
    for rule in edition.rules.values():
        match = re.match(r"Layer (\d[a-z]?): ", rule.text)
        if match and rule.number.startswith("613."):
            genus = f"Layer {match[1][0]}" if len(match[1]) > 1 else "Layer"
            yield Found(f"Layer {match[1]}", "layer", rule.text, rules=[rule.number], genus=[genus])


def _state_based(edition: Edition) -> Iterator[Found]:
    chapter = _chapter(edition, "State-Based Actions")
    for rule in edition.rules.values():
        if rule.parent and chapter and rule.parent.startswith(chapter + ".") and rule.text.startswith(("If ", "In a")):
            clauses = re.split(r",\s|\.", rule.text.removeprefix("If "))
            condition = clauses[0] if rule.text.startswith("If ") else ", ".join(clauses[:2])
            label = "State-Based Action: " + (condition if len(condition) <= 80 else condition[:80].rpartition(" ")[0])
            if not re.search(r"called the “", rule.text):
                yield Found(
                    label,
                    "state-based action",
                    rule.text,
                    rules=[rule.number],
                    genus=["State-Based Actions"],
                    named=False,
                )


def _special(edition: Edition) -> Iterator[Found]:
    for rule in edition.rules.values():
        match = re.match(r"(?:In an? [\w ]+, )?([\w' -]{4,60}?) is a special action", rule.text)
        if match and rule.parent and rule.number.startswith("116."):
            label = "Special Action: " + match[1].strip()
            yield Found(label, "special action", rule.text, rules=[rule.number], genus=["Special Action"], named=False)


def _chapter(edition: Edition, title: str) -> str | None:
    return next((r.number for r in edition.rules.values() if r.is_heading and folded(r.text) == folded(title)), None)
