"""English inflections of rules terms: plurals and verb forms of a phrase's head word."""

import re
from collections.abc import Iterator

_IRREGULAR_VERBS: dict[str, tuple[str, ...]] = {
    "behold": ("beholds", "beheld", "beholding"),
    "become": ("becomes", "became", "becoming"),
    "begin": ("begins", "began", "begun", "beginning"),
    "cast": ("casts", "casting"),
    "choose": ("chooses", "chose", "chosen", "choosing"),
    "deal": ("deals", "dealt", "dealing"),
    "die": ("dies", "died", "dying"),
    "draw": ("draws", "drew", "drawn", "drawing"),
    "fight": ("fights", "fought", "fighting"),
    "find": ("finds", "found", "finding"),
    "foretell": ("foretells", "foretold", "foretelling"),
    "gain": ("gains", "gained", "gaining"),
    "get": ("gets", "got", "getting"),
    "give": ("gives", "gave", "given", "giving"),
    "leave": ("leaves", "left", "leaving"),
    "lose": ("loses", "lost", "losing"),
    "move": ("moves", "moved", "moving"),
    "pay": ("pays", "paid", "paying"),
    "put": ("puts", "putting"),
    "remove": ("removes", "removed", "removing"),
    "set": ("sets", "setting"),
    "sneak": ("sneaks", "sneaked", "snuck", "sneaking"),
    "split": ("splits", "splitting"),
    "take": ("takes", "took", "taken", "taking"),
    "tell": ("tells", "told", "telling"),
    "unattach": ("unattaches", "unattached", "unattaching"),
    "win": ("wins", "won", "winning"),
}
_DOUBLED = frozenset({"control", "equip", "surveil", "untap"})
"""Verbs of more than one syllable whose last consonant is doubled ("equipped")."""

_IRREGULAR_PLURALS = {
    "die": "dice",
    "sorcery": "sorceries",
    "phenomenon": "phenomena",
    "hero": "heroes",
    "echo": "echoes",
}
_SAME_PLURAL = frozenset({"plains", "kindred", "mana", "life", "damage", "text", "equipment", "magic"})
_VOWELS = "aeiou"


def plural(word: str) -> str:
    """Return the plural of a noun in lower case; a word that has none comes back as it is."""
    if word in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[word]
    if word in _SAME_PLURAL or (word.endswith("s") and not word.endswith(("ss", "us"))):
        return word
    return _with_s(word)


def singular(word: str) -> str:
    """Return the singular of a plural noun in lower case; a word that is no plural comes back as it is."""
    for one, many in _IRREGULAR_PLURALS.items():
        if word == many:
            return one
    if word in _SAME_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


def verb_forms(verb: str) -> tuple[str, ...]:
    """Return third person, past, participle and -ing form of a verb in lower case, without the verb itself."""
    if verb in _IRREGULAR_VERBS:
        return _IRREGULAR_VERBS[verb]
    third = _with_s(verb)
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        return third, verb + "d", verb[:-1] + "ing"
    if verb.endswith("ee"):
        return third, verb + "d", verb + "ing"
    if re.search(rf"[^{_VOWELS}]y$", verb):
        return third, verb[:-1] + "ied", verb + "ing"
    if _doubles(verb):
        return third, verb + verb[-1] + "ed", verb + verb[-1] + "ing"
    return third, verb + "ed", verb + "ing"


def base_verb(form: str) -> str | None:
    """Return the irregular verb that a third-person form belongs to, None where it is none of those known."""
    return next((verb for verb, forms in _IRREGULAR_VERBS.items() if forms[0] == form), None)


def base_of_ing(form: str) -> tuple[str, ...]:
    """Return the verbs that an -ing form can belong to, likeliest first ("flipping": flip; "cycling": cycl, cycle)."""
    if not form.endswith("ing") or len(form) < 6:
        return ()
    stem = form[:-3]
    irregular = next((verb for verb, forms in _IRREGULAR_VERBS.items() if form in forms), None)
    if irregular:
        return (irregular,)
    return (stem[:-1],) if stem[-1] == stem[-2] and stem[-1] not in "ls" else (stem, stem + "e")


def plurals(phrase: str) -> Iterator[str]:
    """Yield the other number of a noun phrase: of its last word, or of its head before " of " ("sources of damage")."""
    head, of, rest = (phrase, "", "") if phrase.endswith((" step", " phase")) else phrase.partition(" of ")
    before, space, word = head.rpartition(" ")
    for other in (plural(word), singular(word)):
        if other != word:
            yield before + space + other + of + rest


def verb_phrases(phrase: str) -> Iterator[str]:
    """Yield a phrase with its first word in each verb form, and with "the" for "a" ("changes the target")."""
    verb, space, rest = phrase.partition(" ")
    for form in verb_forms(verb):
        yield form + space + rest
    if " a " in phrase:
        for form in (verb, *verb_forms(verb)):
            yield (form + space + rest).replace(" a ", " the ")


def hyphen_variants(phrase: str) -> Iterator[str]:
    """Yield a phrase with the hyphens between words as spaces ("web slinging"); nothing where there are none."""
    if re.search(r"[^\W\d]-[^\W\d]", phrase):
        yield re.sub(r"(?<=[^\W\d])-(?=[^\W\d])", " ", phrase)


def _with_s(word: str) -> str:
    if re.search(rf"[^{_VOWELS}]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "sh", "ch", "x", "z")) else "s")


def _doubles(verb: str) -> bool:
    if verb in _DOUBLED:
        return True
    one_syllable = len(re.findall(rf"[{_VOWELS}]+", verb)) == 1
    return one_syllable and bool(
        re.search(rf"[^{_VOWELS}][{_VOWELS}][^{_VOWELS}wxy]$|^[{_VOWELS}][^{_VOWELS}wxy]$", verb)
    )
