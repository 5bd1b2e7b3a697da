"""What goes along with a copy and what is left out, read from a ruling about copying."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rulings.graph.records import Carried


class _Feature(NamedTuple):
    what: str
    label: str | None
    pattern: re.Pattern[str]


def _feature(what: str, label: str | None, pattern: str) -> _Feature:
    return _Feature(what, label, re.compile(pattern, re.IGNORECASE))


FEATURES = (
    _feature("modes", "Modal, Mode", r"\bmodes?(?:\(s\))?\b|\bmodal\b"),
    _feature(
        "targets",
        "Target",
        r"\btargets?\b(?! of| creature| opponent| player| spell| permanent)",
    ),
    _feature("value of X", "X", r"\bvalues? of X\b|\bX\b(?= (?:is|was|will|has|whose))|\bsame X\b"),
    _feature("kicked", "Kicker", r"\bkicked\b|\bkicker\b"),
    _feature("additional costs", "Additional Cost", r"\badditional costs?\b"),
    _feature("alternative costs", "Alternative Cost", r"\balternative costs?\b"),
    _feature("division", None, r"\bdivi(?:ded?|sion|des)\b|\bdistribut\w+"),
    _feature("counters", "Counter", r"\b(?:(?:[+-]\d/[+-]\d|loyalty|\w+) )?counters?\b(?! spell| target)"),
    _feature("tapped or untapped", "Tapped/Untapped", r"\btapped\b(?: or untapped)?|\buntapped\b"),
    _feature(
        "attached Auras and Equipment",
        "Attach",
        r"\b(?:Auras?|Equipment)\b[^.;,]{0,40}?\battached\b|\battached\b[^.;,]{0,20}\b(?:Auras?|Equipment)\b",
    ),
    _feature(
        "non-copy effects",
        "Continuous Effect",
        r"\bnon-?copy effects?\b|\beffects that (?:have )?changed?\b|\bmodifying effects\b",
    ),
    _feature("text-changing effects", "Text-Changing Effect", r"\btext-changing effects?\b"),
    _feature("type-changing effects", "Type-Changing Effect", r"\btype-changing effects?\b"),
    _feature(
        "chosen values",
        "Linked Abilities",
        r"\b(?:chosen|named|noted) (?:color|number|card|name|creature type"
        r"|player|type|word|opponent)s?\b|\bchoices? (?:made|for)\b",
    ),
    _feature("linked abilities", "Linked Abilities", r"\blinked\b"),
    _feature(
        "copiable values",
        "Copiable Values",
        r"\bcopiable values?\b|\boriginal characteristics\b"
        r"|\bexactly what was printed\b|\bprinted (?:values|characteristics)\b",
    ),
    _feature(
        "abilities",
        "Ability",
        r"\bcop(?:y|ies) (?:the|its|those|all)[^.]{0,20}abilities\b|\b(?:gains?|has"
        r"|have|lose|loses|retains?) (?:that|the|this|those|these|its) abilit(?:y|ies)\b",
    ),
    _feature("mana cost", "Mana Cost", r"(?<!in its )\bmana costs?\b"),
    _feature("mana value", "Mana Value", r"\bmana values?\b|\bconverted mana costs?\b"),
    _feature("name", "Name", r"\b(?:its|the same|that|whose) names?\b"),
    _feature("color", "Color", r"\bcolors?\b"),
    _feature("types", "Type", r"\b(?:card |creature |permanent )?types?\b"),
    _feature("power and toughness", "Power", r"\b(?-i:power)(?: and toughness)?\b"),
    _feature("legendary", "Legendary", r"\blegendary\b"),
    _feature("loyalty", "Loyalty", r"\bloyalty\b(?! counter| abilit)"),
    _feature("spliced text", "Splice", r"\bspliced?\b"),
    _feature("mana spent", "Mana", r"\bmana (?:was )?spent\b|\bspent to cast\b"),
    _feature("face-down status", "Face Down", r"\bface[- ]down\b"),
    _feature("being cast", "Cast", r"\b(?:isn[’']t|aren[’']t|not|wasn[’']t|weren[’']t) [“\"]?cast\b"),
    _feature("choices on resolution", "Resolve", r"\bchoices? made (?:when|as|on|while)[^.]{0,30}resol\w+"),
)
"""What a copy may take along: a short term, the label of its concept, and the words that name it."""

_COPY = re.compile(r"\bcop(?:y|ies|ied|ying|iable)\b", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\b(?:do|does|will|would|is|are|was|were)(?:n[’']t| not) (?:be "
    r"|also |get )?(?:cop(?:y|ied)|carry|carried|have|gain|keep|get)\b"
    r"|\bwon[’']t (?:be |also )?(?:cop(?:y|ied)|have|gain|keep|get|enter with)\b"
    r"|\bnone of\b|\bnothing else\b|\bis(?: considered to be)? (?:0|zero)\b|\bno (?:\w+ )?mana was spent\b"
    r"|\b(?:isn[’']t|aren[’']t|wasn[’']t|won[’']t be|not) (?:[“\"]?cast|kicked|legendary|copied|tapped|linked)\b"
    r"|\bwithout\b",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    r"(?<!n[’']t )(?<!not )\bcop(?:y|ies)\b (?:exactly|only|the|its|that"
    r"|all|whatever|both|any)|\b(?:is|are|was|were|be) (?:also )?copied\b"
    r"|\b(?:have|has|keeps?|uses?|will be|is|are) (?:the|that) same\b"
    r"|\bthe same\b|\bis also\b|\bare also\b|\bwill also\b|\balso ha(?:s|ve)\b"
    r"|\bcan[’']t (?:be changed|change|choose (?:a )?different)\b|\bcopiable\b|\bas well\b|\bwill (?:also )?have\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?]+(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?")


def carried(text: str, slug_of: Callable[[str], str | None]) -> tuple[Carried, ...]:
    """Read what a copy takes along and leaves out; ``slug_of`` gives the concept of a label, else None."""
    if not _COPY.search(text):
        return ()
    found: dict[str, Carried] = {}
    for start, end in _sentences_on_copying(text):
        sentence = text[start:end]
        for what, label, here, there, taken in _read(sentence):
            entry = Carried(what, taken, start + here, start + there, 0.8, slug_of(label) if label else None)
            found.setdefault(what, entry)
    return tuple(found.values())


def _sentences_on_copying(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences that speak of copying, or follow one that does and go on about it."""
    before = False
    for sentence in _SENTENCE.finditer(text):
        speaks = bool(_COPY.search(sentence[0]))
        if speaks or (
            before and re.match(r"\s*(?:It|They|You can[’']t|That|The (?:token|copy|copies))\b", sentence[0])
        ):
            yield sentence.start(), sentence.end()
        before = speaks


def _read(sentence: str) -> Iterator[tuple[str, str | None, int, int, bool]]:
    """The features of one sentence with their spans, and whether each is taken along."""
    out, into = _LEFT_OUT.search(sentence), _TAKEN.search(sentence)
    if not out and not into:
        return
    for feature in FEATURES:
        named = feature.pattern.search(sentence)
        if not named:
            continue
        if feature.what == "being cast":
            yield feature.what, feature.label, named.start(), named.end(), False
            continue
        if out and into:
            # Both are said: what stands behind the denial is left out, what stands before it goes along.
            taken = named.start() < out.start() if into.start() < out.start() else named.start() >= into.start()
        else:
            taken = into is not None
        yield feature.what, feature.label, named.start(), named.end(), taken
