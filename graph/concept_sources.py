"""What an edition of the rules says its concepts are, first of all in its glossary and its keyword headings."""

import re
from collections.abc import Iterable, Iterator

from rulings.graph.concept_lists import ability_words, listed
from rulings.graph.concept_terms import OBSOLETE, Found, folded, parts
from rulings.ingest import Edition, GlossaryEntry

_SEE_ONLY = re.compile(r"^See (?:also )?[“\"]?([^.”\"]+)[.”\"]*$")
_SEE_LAST = re.compile(r"See (?:also )?[“\"]([^.”\"]+)[.”\"]*\s*$")
_SEE_ALSO = re.compile(r"See also ([^.]+)\.")
_NUMBER = re.compile(r"\b\d{3}(?:\.\d+[a-z]?)?\b")
_ACTION = re.compile(r"(?:^|\n)(?:\d+\. )?To (?:be )?[a-z]")
_KIND_FIRST: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("keyword ability", re.compile(r"^(?:.{0,40}\bis )?(?:An?|a) (?:special )?keyword ability")),
    ("keyword ability", re.compile(r"^A partner ability|^A generic term for a group of keyword abilities")),
    ("zone", re.compile(r"^(?:1\. )?A zone\b")),
    ("characteristic", re.compile(r"^(?:1\. )?A characteristic\b|^Information that defines|\n2\. A characteristic\b")),
    ("card type", re.compile(r"^A card type\b|^A combination of ")),
    ("supertype", re.compile(r"^A supertype\b")),
    ("subtype", re.compile(r"^(?:1\. )?An? (?:\w+ )?(?:sub)?type (?:with|seen|that|in)\b|^One of the five basic")),
    ("subtype", re.compile(r"^(?:1\. )?An? \w+ (?:sub)?type(?:[.,]|$)")),
    ("subtype", re.compile(r"^A subtype|^There are five")),
)
_KIND_BY_HEAD: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("step", re.compile(r" step$")),
    ("phase", re.compile(r"^phase$| phase$")),
    ("token", re.compile(r"\btoken$")),
    ("counter", re.compile(r".\bcounter$")),
    ("effect", re.compile(r"\beffects?$")),
    ("cost", re.compile(r"\bcost$")),
    ("symbol", re.compile(r"\bsymbols?$")),
    ("ability", re.compile(r"\babilit(?:y|ies)$|.\btriggers?$")),
    ("variant", re.compile(r"\b(?:variant|option|draft)$")),
    ("object kind", re.compile(r"\b(?:card|cards|spell|permanent|creature|land)$")),
    ("player", re.compile(r"\b(?:player|team|opponent|owner|controller|teammate)$")),
    ("game action", re.compile(r"\b(?:special|state-based|turn-based|illegal) actions?$")),
)
_KIND_BY_TEXT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("state-based action", re.compile(r"^A state-based action\b")),
    (
        "designation",
        re.compile(r"\bdesignation (?:a|that|given|permanents|the)\b|^A (?:default )?status a|^A term that describes"),
    ),
    ("variant", re.compile(r"^(?:1\. )?An? (?:[\w-]+ ){0,3}(?:variant|option|format)\b|^A way of playing")),
    ("variant", re.compile(r"^An (?:optional|additional) (?:set|rule)")),
    ("layer", re.compile(r"used to determine in which order continuous effects")),
    (
        "player",
        re.compile(r"^(?:1\. )?(?:The player|The team|Someone a player|One of the people|An?y? player (?:in|who))\b"),
    ),
    (
        "object kind",
        re.compile(
            r"^(?:1\. )?(?:Cards?|An? (?:card|object|marker|emblem|spell)) (?:that|which|with|on|used|not|or|of)\b"
        ),
    ),
)
_VARIANT_OF = re.compile(r"(?:\w+ is )?[Aa] variant of (?:the )?([\w ]+?)(?: keyword)?(?: ability)?(?=[.,]| that\b)")
_GENUS = re.compile(
    r"(?:\d\. )?(?:One kind of|A kind of|A type of|A special kind of|One of the five|An?|Any|The) "
    r"((?:[\w'’-]+ ){0,3}?[\w'’-]+)"
    r"(?=[.,;]| (?:that|which|who|whose|with|without|of|in|on|found|seen|used|created|once|from|only|also|given|player"
    r"|a|for|players|cast|after|before|when|whenever|to)\b)"
)
_OBJECTS = frozenset(("card", "token", "spell", "permanent", "emblem", "object"))
_VERB_PHRASE = re.compile(r"(?!(?:the|in|on|at|from|outside) )\w+ (?:the|a|an|another) ")
_EVENT = re.compile(r"(?:dies|enters?|leaves?|becomes?|attacks?|blocks?|event|crime)\b")


def read_edition(edition: Edition) -> list[Found]:
    """Return the concepts of an edition in a fixed order: glossary, other keywords, ability words, lists."""
    found: dict[str, Found] = {}
    aliases: list[tuple[str, str]] = []
    context = _Context(edition)
    for entry in edition.glossary.values():
        target = _only_sees(entry)
        if target is None:
            found[folded(entry.term)] = _from_glossary(entry, context)
        else:
            aliases.append((entry.term, target))
    by_part = {folded(part): one for one in found.values() for part in parts(one.label)}
    by_part.update({folded(OBSOLETE.sub("", one.label)): one for one in found.values()})
    for one in found.values():
        variants = [genus.removeprefix("variant of ") for genus in one.genus if genus.startswith("variant of ")]
        if variants and not one.obsolete and folded(variants[0]) in by_part:
            one.kind = by_part[folded(variants[0])].kind
    for term, target in aliases:
        known = by_part.get(folded(target)) or by_part.get(folded(target.removesuffix("s")))
        if known is None:
            found[folded(term)] = Found(term, "other", edition.glossary[term].text)
        else:
            known.aliases += parts(term)
    for one in (*_keywords(context, by_part), *_words(context, by_part), *listed(edition)):
        if folded(one.label) not in by_part:
            found.setdefault(folded(one.label), one)
    return list(found.values())


class _Context:
    """What is looked up again and again while the glossary is read."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.words = ability_words(edition)
        self.keywords = _keyword_headings(edition)
        self.keyword_names = {n: {folded(name) for name in _names(title)} for n, title in self.keywords.items()}
        self.titles = [(rule.number, rule.text) for rule in edition.rules.values() if rule.is_heading]


def _names(title: str) -> list[str]:
    """The names in a keyword's heading: itself, and what stands in brackets ("∞ (Infinity)")."""
    return [title, *re.findall(r"\(([^)]+)\)", title)]


def _keywords(context: _Context, by_part: dict[str, Found]) -> Iterator[Found]:
    """Keyword headings that no glossary entry is about; a heading of two ("Tap and Untap") lends its number to both."""
    for number, title in context.keywords.items():
        kind = "keyword ability" if number.startswith("702") else "keyword action"
        both = [by_part.get(folded(one)) for one in title.split(" and ")]
        for one in both:
            if len(both) > 1 and one is not None and None not in both:
                one.kind, one.rules = kind, [number, *(n for n in one.rules if n != number)]
        if None in both and not any(folded(name) in by_part for name in _names(title)):
            yield Found(title, kind, rules=[number])


def _words(context: _Context, by_part: dict[str, Found]) -> Iterator[Found]:
    """Ability words; one that has a glossary entry gets the number of the rule that lists it."""
    for word in context.words:
        known = by_part.get(folded(word))
        if known is None:
            yield Found(word, "ability word", rules=["207.2c"], genus=["Ability Word"])
        elif "207.2c" not in known.rules:
            known.rules.append("207.2c")


def _from_glossary(entry: GlossaryEntry, context: _Context) -> Found:
    names = {folded(part) for part in parts(entry.term)}
    own = [n for n, titles in context.keyword_names.items() if names & titles]
    titled = [number for number, title in context.titles if _same_noun(title, names)]
    cited = dict.fromkeys((*entry.rules, *_NUMBER.findall(entry.text)))
    rules = list(dict.fromkeys(n for n in (*own, *cited, *titled) if n in context.edition.rules))
    see = [also.strip(' “”"') for match in _SEE_ALSO.findall(entry.text) for also in re.split(r",| and ", match)]
    see += [match.strip() for match in re.findall(r"See ([A-Z“][^.,\d]+?)\.", entry.text)]
    obsolete = bool(OBSOLETE.search(entry.term)) or entry.text.startswith("(Obsolete)")
    is_word = any(folded(word) in names for word in context.words)
    kind = "obsolete term" if obsolete else _kind(entry, own, is_word=is_word)
    return Found(entry.term, kind, entry.text, rules=rules, see=see, genus=_genus(entry), obsolete=obsolete)


def _kind(entry: GlossaryEntry, own: list[str], *, is_word: bool) -> str:
    if own:
        return "keyword ability" if own[0].startswith("702") else "keyword action"
    if is_word:
        return "ability word"
    head = folded(entry.term)
    first = entry.text if entry.text.startswith("1. ") else entry.text.split(". ")[0]
    if head in _OBJECTS:
        return "object kind"
    if entry.text.startswith("To "):
        return "action"
    tables = ((_KIND_FIRST, first), (_KIND_BY_HEAD, head), (_KIND_BY_TEXT, first))
    told = [next((kind for kind, pattern in table if pattern.search(text)), "") for table, text in tables]
    if not any(told[:2]) and _EVENT.match(head):
        return "event"
    is_action = _VERB_PHRASE.match(head) or (not any(told) and _ACTION.search(entry.text))
    return told[0] or ("action" if is_action else "") or told[1] or told[2] or "other"


def _genus(entry: GlossaryEntry) -> list[str]:
    """The phrases that a definition begins with ("a kind of static ability that ..."), longest first."""
    if folded(entry.term) in _OBJECTS or _EVENT.match(folded(entry.term)):
        return []
    for sense in re.split(r"\n(?=\d\. )", entry.text)[:2]:
        variant = _VARIANT_OF.match(sense)
        if variant:
            return ["variant of " + variant[1]]
        match = _GENUS.match(sense)
        if match and not re.search(r"\b(?:or|and)\b", match[1]):
            words = match[1].split(" ")
            return [" ".join(words[n:]) for n in range(len(words))]
    return []


def _only_sees(entry: GlossaryEntry) -> str | None:
    """The head that an entry only points to, None where it says something of its own."""
    text = entry.text.strip()
    match = _SEE_ONLY.match(text)
    if match and not match[1].startswith(("rule", "section")):
        return match[1].strip()
    last = _SEE_LAST.search(text)
    if last and not entry.rules and text.count(". ") == 1 and folded(last[1]).startswith(folded(entry.term)):
        return last[1].strip()
    return None


def _same_noun(title: str, names: Iterable[str]) -> bool:
    title = folded(title).removeprefix("the ")
    return any(
        title in (name, name + "s", name + "es", name[:-1] + "ies" if name.endswith("y") else name) for name in names
    )


def _keyword_headings(edition: Edition) -> dict[str, str]:
    """The headings of keyword actions (701) and keyword abilities (702), by number."""
    found = {}
    for rule in edition.rules.values():
        if rule.parent in ("701", "702") and len(rule.text) <= 60 and not rule.text.rstrip().endswith((".", "”")):
            found[rule.number] = rule.text.strip()
    return found
