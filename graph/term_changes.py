"""Terms that the rules renamed or gave up: a small table for years before the loaded editions, as data."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class TermChange:
    """An older way to say something.

    ``old`` is a pattern over folded lower-case text, ``new`` its replacement in today's words (\\1 as in `re.sub`). ``outdated`` says
    whether a text that uses the old way is outdated by it; many changes are only of style. ``since`` is the year of the change.
    """

    old: str
    new: str
    since: int
    outdated: bool
    name: str = ""
    hint: str = ""
    """A piece of text without which ``old`` can't match."""
    pattern: re.Pattern[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(rf"\b{self.old}\b"))


TERM_CHANGES = (
    TermChange(r"converted mana cost(s?)", r"mana value\1", 2021, True, "converted mana cost", hint="converted"),
    TermChange(r"converted cost(s?)", r"mana value\1", 2021, True, "converted cost", hint="converted"),
    TermChange(r"total casting cost(s?)", r"mana value\1", 2000, True, "total casting cost", hint="casting cost"),
    TermChange(r"casting cost(s?)", r"mana cost\1", 2000, True, "casting cost", hint="casting cost"),
    TermChange(r"tribal (?!flames|unity|golem|forcemage)", "kindred ", 2024, True, "tribal", hint="tribal"),
    TermChange(r"totem armor", "umbra armor", 2024, True, "totem armor", hint="totem"),
    TermChange(
        r"(non)?transforming double-faced",
        "nonmodal double-faced",
        2025,
        True,
        "transforming double-faced",
        hint="transforming double",
    ),
    TermChange(
        r"damage assignment order", "order of damage", 2025, True, "damage assignment order", hint="assignment order"
    ),
    TermChange(
        r"planeswalker uniqueness rule", "legend rule", 2017, True, "planeswalker uniqueness rule", hint="uniqueness"
    ),
    TermChange(
        r"(?:remov(?:ed|e|es|ing)) (?:it |them |that card |this card )?from the game",
        "exiled",
        2009,
        True,
        "removed from the game",
        hint="from the game",
    ),
    TermChange(r"removed-from-the-game zone", "exile", 2009, True, "removed-from-the-game zone", hint="removed-from"),
    TermChange(r"mana burn", "mana burn", 2009, True, "mana burn", hint="mana burn"),
    TermChange(r"(?:comes?|coming|came) into play", "enters", 2009, True, "comes into play", hint="into play"),
    TermChange(r"comes-into-play", "enters-the-battlefield", 2009, True, "comes-into-play", hint="into-play"),
    TermChange(r"leaves?-play", "leaves-the-battlefield", 2009, True, "leaves-play", hint="-play"),
    TermChange(r"(?:leaves?|left|leaving) play", "leaves the battlefield", 2009, True, "leaves play", hint=" play"),
    TermChange(
        r"(put|return|returned|returns|puts|putting) (it|them|that card|this card|onto|back)? ?into play",
        r"\1 \2 onto the battlefield",
        2009,
        True,
        "into play",
        hint="into play",
    ),
    TermChange(
        r"(?:while|still|already|is|are|were|was) in play", "on the battlefield", 2009, True, "in play", hint="in play"
    ),
    TermChange(r"from play", "from the battlefield", 2009, True, "from play", hint="from play"),
    TermChange(r"partner with", "partner with", 2021, False, hint="partner"),
    TermChange(
        r"(?:enters?|entering|entered)(?: onto)? the battlefield", "enters", 2024, False, hint=" the battlefield"
    ),
    TermChange(
        r"(?:is|are|be|being|was|were) put into (?:a|the|its owner 's|your|their owners '|their owner 's) graveyards? from the battlefield",
        "dies",
        2011,
        False,
        hint="from the battlefield",
    ),
    TermChange(r"goes to the graveyard from the battlefield", "dies", 2011, False, hint="goes to the"),
    TermChange(r"checked", "performed", 2017, False, hint="checked"),
    TermChange(
        r"(?:be|is|are) countered (?:when|as) it tries to resolve", "not resolve", 2018, False, hint="countered"
    ),
    TermChange(
        r"(?:be|is|are) countered (?:for|because|due)(?= .* illegal)", "not resolve", 2018, False, hint="countered"
    ),
)


def today(text: str) -> str:
    """Give folded lower-case text in today's terms."""
    for change in TERM_CHANGES:
        if change.hint in text:
            text = change.pattern.sub(change.new, text)
    return text


def outdated_terms(text: str) -> tuple[str, ...]:
    """Give the names of the outdated terms of the table that a text uses."""
    lowered = text.lower()
    return tuple(c.name for c in TERM_CHANGES if c.outdated and c.hint in lowered and c.pattern.search(lowered))
