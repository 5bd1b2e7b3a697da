"""The surface forms of a concept: its terms, their inflections as far as the rules use them, and hyphen variants."""

import re
from collections.abc import Container, Iterator

from rulings.graph.concept_terms import Found, folded, parts
from rulings.graph.inflect import base_of_ing, base_verb, hyphen_variants, plurals, verb_forms, verb_phrases
from rulings.ingest import fold

_ACTIONS = frozenset(("keyword action", "action"))
_VERBS = frozenset((*_ACTIONS, "keyword ability", "event", "other", "player", "obsolete term"))
_NO_PLURAL = frozenset(("keyword ability", "keyword action", "ability word", "action", "event", "layer"))
_NO_NOUN = frozenset(
    [
        "a",
        "after",
        "alone",
        "as",
        "aside",
        "at",
        "before",
        "by",
        "down",
        "from",
        "in",
        "into",
        "is",
        "out",
        "outside",
        "response",
        "though",
        "to",
        "up",
    ]
)
"""Words that show a phrase to be no plain noun phrase, which has no plural."""
_TAIL = re.compile(r"(?<=\w) (?:variant|option)$|(?<=sickness) rule$")
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def forms(
    found: Found, used: Container[str], used_by_own_rules: Container[str], heads: Container[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield (surface, method) of a concept, its own term first.

    ``used`` are the words of the whole rules, ``used_by_own_rules`` those of the rules that define the concept: an
    inflection of a single word counts only where the rules themselves use it ("kicked", but not "hasted"). Parts of a
    head that are a head of their own (``heads``, folded) are left out. A form can come twice.
    """
    if not found.named:
        return
    own = parts(found.label)
    for method, terms in (("label", own), ("alias", found.aliases)):
        for term in terms:
            if len(own) > 1 and method == "label" and folded(term) in heads:
                continue
            for surface, how in _term_forms(fold(term).lower(), found, used, used_by_own_rules):
                real = method if how == "label" else how
                yield surface, real
                for variant in hyphen_variants(surface):
                    yield variant, real
    if len(own) > 1 and not found.obsolete:
        yield folded(found.label), "label"


def _term_forms(
    term: str, found: Found, used: Container[str], used_by_own_rules: Container[str]
) -> Iterator[tuple[str, str]]:
    yield term, "label"
    if '"' in term:
        yield term.replace('"', ""), "label"
        return
    short = _TAIL.sub("", term)
    if short != term:
        yield short, "alias"
    elif " " in term:
        yield from _phrase_forms(term, found)
    else:
        yield from _word_forms(term, found, used, used_by_own_rules)


def _word_forms(
    term: str, found: Found, used: Container[str], used_by_own_rules: Container[str]
) -> Iterator[tuple[str, str]]:
    keyword = found.kind in ("keyword ability", "ability word")
    evidence = used_by_own_rules if keyword else used
    many = set(plurals(term))
    base = base_verb(term) or (term.removesuffix("s") if found.kind == "event" else term)
    verbs = {base, *verb_forms(base)} if found.kind in _VERBS else set()
    if keyword:
        verbs |= {form for root in base_of_ing(term) for form in (root, *verb_forms(root))}
    certain = base != term or (found.kind in _ACTIONS and not term.endswith(("ity", "tion")))
    for form in sorted(verbs | many):
        if form != term and (form in evidence or (certain and form in verbs)):
            yield form, "inflection"


def _phrase_forms(term: str, found: Found) -> Iterator[tuple[str, str]]:
    first, _, rest = term.partition(" ")
    keyword = found.kind in ("keyword ability", "ability word")
    article = rest.startswith(("a ", "the ", "an "))
    base = base_verb(first) or (first.removesuffix("s") if found.kind == "event" else None)
    if base and not keyword:
        for form in (base, *verb_forms(base)):
            yield f"{form} {rest}", "inflection"
    elif article and first.endswith("ing"):
        for root in base_of_ing(first)[:1]:
            yield f"{root} {rest}", "inflection"
            for form in verb_phrases(f"{root} {rest}"):
                yield form, "inflection"
    elif found.kind in _ACTIONS and first != "the":
        for form in verb_phrases(term):
            yield form, "inflection"
    if found.kind not in _NO_PLURAL and not article and not _NO_NOUN & set(term.split(" ")):
        for other in plurals(term):
            yield other, "inflection"


def find_key(surface: str) -> str:
    """Fold a surface for look-up: lower case, straight apostrophes, no quotes, hyphens as spaces."""
    return " ".join(re.sub(r"(?<=\w)[-–—](?=\w)", " ", folded(surface)).split())
