"""Tests of the scheme of concepts on a small made-up rules book."""

from datetime import date

import pytest

from rulings.graph.concepts import ConceptScheme, Surface
from rulings.ingest import Card, Corpus, CorpusBuilder, GlossaryEntry, Place, Rule

DAY = date(2031, 1, 1)

RULES = {
    "1": "Game Concepts", "101": "The Rules", "101.4": "Players choose in turn order.",
    "102": "Players", "102.1": "A person who plays. Each of them takes turns.",
    "116": "Special Actions", "116.2a": "Waving a flag is a special action.",
    "122": "Counters", "122.1a": "A glimmer counter on a permanent makes it glow.",
    "2": "Parts", "207": "Text Box", "207.2": "The text.",
    "207.2c": "The ability words are dawnlight, and river’s song.",
    "4": "Zones", "400": "General", "404": "Graveyard",
    "6": "Spells", "613": "Layers", "613.1": "In order.", "613.1a": "Layer 1: Copies first.",
    "613.4b": "Layer 7b: Numbers.",
    "7": "More", "701": "Keyword Actions", "701.1": "Some words are verbs with a meaning of their own here.",
    "701.2": "Sacrifice", "701.2a": "A permanent is sacrificed by who controls it.",
    "701.3": "Wiggle and Unwiggle", "701.3a": "A wiggled creature can be unwiggled.",
    "702": "Keyword Abilities", "702.2": "Zorping",
    "702.2a": "A creature is zorped if it zorps a creature. See rule 704.",
    "702.3": "Flash", "702.3a": "At any time.", "702.4": "∞ (Endless)",
    "704": "State-Based Actions", "704.5": "They are:", "704.5a": "If a player has no flag, that player waves.",
    "704.5j": "If two are alike, one goes. This is called the “twin rule.”",
}  # fmt: skip
GLOSSARY = {
    "Ability": "Text that does something. See rule 101.",
    "Triggered Ability": "A kind of ability. See rule 101.",
    "Delayed Triggered Ability": "An ability made by an effect. See rule 101.",
    "Keyword Ability": "A word for a longer ability. See rule 702, “Keyword Abilities.”",
    "Keyword Action": "A verb with a meaning of its own. See rule 701.",
    "Active Player": "The player whose turn it is. See rule 102.1.",
    "Active Player, Nonactive Player Order": "A system of choosing. See rule 101.4.",
    "APNAP Order": "See Active Player, Nonactive Player Order.",
    "Player": "One of the people in the game. See rule 102, “Players.”",
    "Zone": "A place. See section 4.",
    "Graveyard": "1. A zone. The pile of what is gone.\n2. Its cards.\nSee rule 404, “Graveyard.”",
    "Dies": "A creature “dies” as it goes to the graveyard. See rule 404.",
    "Enter": "In rules text, to enter the battlefield. See “Enters the Battlefield.”",
    "Enters the Battlefield": "It moves there. See rule 101.4.",
    "Sacrifice": "To give up a permanent. See rule 701.2, “Sacrifice.”",
    "Wiggle": "To move to and fro. See rule 701.3.",
    "Unwiggle": "To undo a wiggle. See rule 701.3.",
    "Zorping, Zorped": "A keyword ability of creatures. See rule 702.2, “Zorping.” See also Graveyard.",
    "Double Zorping": "A variant of the zorping ability. See rule 702.2.",
    "Endless": "A keyword ability. See rule 702.4.",
    "Layer": "A system. See rule 613.",
    "State-Based Actions": "Actions that happen by themselves. See rule 704.",
    "Special Action": "An action without the stack. See rule 116, “Special Actions.”",
    "Counter": "A marker. See rule 122.",
    "Twin Rule": "A state-based action about twins. See rule 704.5j.",
    "Bury (Obsolete)": "An old word. See Sacrifice.",
    "Change a Flag": "To choose a new one. See rule 101.",
    "Intervening “If” Clause": "A condition. See rule 101.4.",
}  # fmt: skip


def corpus(rules: dict[str, str], glossary: dict[str, str], *cards: Card) -> Corpus:
    builder = CorpusBuilder()
    place = Place("book")
    for number, text in rules.items():
        if len(number) == 1:
            parent = None
        elif "." not in number:
            parent = number[0]
        else:
            parent = number[:-1] if number[-1].isalpha() else number.partition(".")[0]
        see = ("704",) if "See rule 704" in text else ()
        builder.add(Rule(number, text, DAY, parent, (), see), place)
    for term, text in glossary.items():
        builder.add(GlossaryEntry(term, text, DAY), place)
    for card in cards:
        builder.add(card, place)
    return builder.finish()


@pytest.fixture(scope="module")
def scheme() -> ConceptScheme:
    return ConceptScheme.from_corpus(corpus(RULES, GLOSSARY))


OWN = ("label", "alias", "inflection")


def forms(scheme: ConceptScheme, slug: str) -> set[str]:
    return {surface.text for surface in scheme.surfaces() if surface.concept == slug and surface.method in OWN}


def test_labels_are_spelled_as_heads_headings_and_ability_words(scheme: ConceptScheme) -> None:
    labels = {concept.label for concept in scheme.concepts.values()}
    assert {"Zorping, Zorped", "Flash", "dawnlight", "river’s song", "Graveyard", "Twin Rule"} <= labels
    assert not labels & {"Zorping", "∞ (Endless)", "Wiggle and Unwiggle", "APNAP Order", "Enter"}


def test_labels_and_slugs_are_unique(scheme: ConceptScheme) -> None:
    labels = [concept.label.casefold() for concept in scheme.concepts.values()]
    assert len(labels) == len(set(labels))
    assert all(slug == concept.slug and slug.isascii() for slug, concept in scheme.concepts.items())
    assert "rivers-song" in scheme.concepts


def test_kinds_and_defining_rules(scheme: ConceptScheme) -> None:
    seen = {concept.label: (concept.kind, concept.rules[:1]) for concept in scheme.concepts.values()}
    assert seen["Zorping, Zorped"] == ("keyword ability", ("702.2",))
    assert seen["Endless"] == ("keyword ability", ("702.4",))
    assert seen["Flash"] == ("keyword ability", ("702.3",))
    assert seen["Double Zorping"][0] == "keyword ability"
    assert seen["Sacrifice"] == ("keyword action", ("701.2",))
    assert seen["Unwiggle"] == ("keyword action", ("701.3",))
    assert seen["dawnlight"] == ("ability word", ("207.2c",))
    assert seen["Graveyard"] == ("zone", ("404",))
    assert seen["Dies"][0] == seen["Enters the Battlefield"][0] == "event"
    assert seen["Twin Rule"][0] == "state-based action"
    assert seen["Glimmer Counter"] == ("counter", ("122.1a",))
    assert seen["Layer 7b"] == ("layer", ("613.4b",))
    assert seen["Special Action: Waving a flag"][0] == "special action"
    assert seen["State-Based Action: a player has no flag"][0] == "state-based action"
    assert scheme.concepts["bury"].obsolete
    assert not scheme.concepts["sacrifice"].obsolete


def test_broader_follows_the_structure_and_has_no_cycle(scheme: ConceptScheme) -> None:
    broader = {slug: concept.broader for slug, concept in scheme.concepts.items()}
    assert broader["zorping-zorped"] == ("keyword-ability",)
    assert broader["double-zorping"] == ("zorping-zorped",)
    assert broader["delayed-triggered-ability"] == ("triggered-ability",)
    assert broader["triggered-ability"] == ("ability",)
    assert broader["graveyard"] == ("zone",)
    assert broader["active-player"] == ("player",)
    for slug, nearest in broader.items():
        above, todo = set(), list(nearest)
        while todo:
            one = todo.pop()
            assert one != slug
            if one not in above:
                above.add(one)
                todo += broader[one]


def test_related_is_symmetric_and_from_references(scheme: ConceptScheme) -> None:
    related = {slug: concept.related for slug, concept in scheme.concepts.items()}
    assert "graveyard" in related["zorping-zorped"]
    assert "state-based-actions" in related["zorping-zorped"]
    assert "sacrifice" in related["bury"]
    assert all(slug in related[other] for slug, others in related.items() for other in others)


def test_surfaces_are_inflected_as_the_rules_use_them(scheme: ConceptScheme) -> None:
    assert {"sacrifice", "sacrifices", "sacrificed", "sacrificing"} <= forms(scheme, "sacrifice")
    assert {"zorping", "zorped", "zorps"} <= forms(scheme, "zorping-zorped")
    assert forms(scheme, "flash") == {"flash"}
    assert {"dies", "die", "died", "dying"} <= forms(scheme, "dies")
    assert {"enters the battlefield", "enter", "entering the battlefield"} <= forms(scheme, "enters-the-battlefield")
    assert {"change a flag", "changes the flag", "changing a flag"} <= forms(scheme, "change-a-flag")
    assert {"delayed triggered abilities", "delayed triggered ability"} <= forms(scheme, "delayed-triggered-ability")
    assert {"state-based action", "state based actions"} <= forms(scheme, "state-based-actions")
    assert forms(scheme, "state-based-action-a-player-has-no-flag") == set()


def test_a_part_of_a_head_that_is_a_head_itself_stays_there(scheme: ConceptScheme) -> None:
    assert scheme.find("active players") == ("active-player",)
    assert (
        scheme.find("APNAP order") == scheme.find("nonactive player order") == ("active-player-nonactive-player-order",)
    )


def test_find_folds_case_quotes_and_hyphens(scheme: ConceptScheme) -> None:
    assert scheme.find("intervening 'if' clause") == ()
    assert scheme.find("INTERVENING “IF” CLAUSE") == scheme.find("intervening if clause") == ("intervening-if-clause",)
    assert scheme.find("State Based-Actions")[0] == "state-based-actions"
    assert scheme.find("nothing of the kind") == ()


def test_curated_words_point_to_the_concepts_that_are_there(scheme: ConceptScheme) -> None:
    assert scheme.find("GY")[0] == "graveyard"
    assert scheme.find("Friedhof", "de") == ("graveyard",)
    assert scheme.find("cimetière", "fr") == ("graveyard",)
    assert scheme.find("Friedhof", "en") == ()
    assert ("de", "pref", "Friedhof") in scheme.concepts["graveyard"].labels
    assert any(entry.concept == "Deathtouch" for entry in scheme.unresolved)
    assert Surface("gy", "graveyard", "en", "synonym", 0.8) in set(scheme.surfaces())


def test_a_new_edition_brings_its_keyword_without_a_change_of_code() -> None:
    newer = RULES | {"702.5": "Blorbing", "702.5a": "Whatever was blorbed stays so."}
    scheme = ConceptScheme.from_corpus(corpus(newer, GLOSSARY | {"Snorkel": "A zone. It is wet. See rule 400."}))
    assert scheme.concepts["blorbing"].rules == ("702.5",)
    assert scheme.concepts["blorbing"].broader == ("keyword-ability",)
    assert scheme.find("blorbed") == ("blorbing",)
    assert scheme.concepts["snorkel"].broader == ("zone",)


def test_keywords_of_cards_newer_than_the_rules_are_concepts() -> None:
    card = Card("Test Beast", "0", keywords=("Fribble", "Zorping", "Flash from"))
    scheme = ConceptScheme.from_corpus(corpus(RULES, GLOSSARY, card))
    assert scheme.concepts["fribble"].kind == "keyword"
    assert "flash-from" not in scheme.concepts
    assert "zorping" not in scheme.concepts


def test_without_rules_the_curated_words_and_card_keywords_remain() -> None:
    scheme = ConceptScheme.from_corpus(corpus({}, {}, Card("Test Beast", "0", keywords=("Fribble", "Flying"))))
    assert scheme.find("ETB") == ("enters-the-battlefield",)
    assert scheme.concepts["flying"].kind == scheme.concepts["fribble"].kind == "keyword ability"
    assert scheme.unresolved == ()


def test_the_order_of_reading_makes_no_difference() -> None:
    backwards = corpus(RULES, GLOSSARY), corpus(dict(reversed(RULES.items())), GLOSSARY)
    one, other = (ConceptScheme.from_corpus(each) for each in backwards)
    assert set(one.concepts) == set(other.concepts)
    assert set(one.surfaces()) == set(other.surfaces())


def test_rules_that_name_no_term_leave_the_curated_concepts():
    from datetime import date

    from rulings.graph.concepts import ConceptScheme
    from rulings.ingest import CorpusBuilder, Place, Rule

    builder = CorpusBuilder()
    builder.add(Rule("1.1", "Shuffle before you start.", date(2026, 1, 1)), Place("house"))
    assert len(ConceptScheme.from_corpus(builder.finish()).concepts) > 100
