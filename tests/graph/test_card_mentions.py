"""Cards named in statements: names, homonyms and own names, on made-up rulings."""

from datetime import date

import pytest

from rulings.graph.card_mentions import link_cards
from rulings.ingest import Card, CorpusBuilder, Face, Place, Ruling, whole

PLACE = Place("made up")
TERMS = {"exile", "flash", "sacrifice", "unearth", "two-headed giant variant", "blood token", "copy", "regenerate"}
CARDS = [
    Card("Exile", type_line="Instant"),
    Card("Flash", type_line="Instant"),
    Card("Sacrifice", type_line="Instant"),
    Card("Earthquake", type_line="Sorcery"),
    Card("Clone", type_line="Creature — Shapeshifter"),
    Card("Opalescence", type_line="Enchantment"),
    Card("Humility", type_line="Enchantment"),
    Card("Forest", type_line="Basic Land — Forest"),
    Card("Blood", type_line="Sorcery"),
    Card("Two-Headed Giant", type_line="Creature — Giant"),
    Card("Unearth", type_line="Sorcery"),
    Card("Time Spiral", type_line="Sorcery"),
    Card("Return", type_line="Sorcery"),
    Card("Lim-Dûl's Vault", type_line="Instant"),
    Card("Æther Vial", type_line="Artifact"),
    Card("Soul Foundry", type_line="Artifact"),
    Card("A-Soul Foundry", type_line="Artifact"),
    Card("Karn", type_line="Vanguard", layout="vanguard"),
    Card("Karn, Silver Golem", type_line="Legendary Artifact Creature — Golem"),
    Card("Mistform Ultimus", type_line="Legendary Creature — Illusion"),
    Card("Tawnos, Urza's Apprentice", type_line="Legendary Creature — Human"),
    Card("Stone Scarecrow", type_line="Artifact Creature — Scarecrow"),
    Card("Giant Albatross", type_line="Creature — Bird"),
    Card("Rune Sliver", type_line="Creature — Sliver", text="Each Sliver has flash."),
    Card("Vault Ward", type_line="Enchantment", text="Focus Beam — Draw a card.\nUnearth Glow — Gain 1 life."),
    Card(
        "Kari Wolf",
        type_line="Creature — Wolf",
        text="When it attacks, create a legendary Wolf creature token named Voja.",
    ),
    Card("Voja, Jaws of Night", type_line="Legendary Creature — Wolf"),
    Card("Rowan Kenrith", type_line="Legendary Planeswalker — Rowan"),
    Card("Will Kenrith", type_line="Legendary Planeswalker — Will"),
]


def links(text, *own):
    builder = CorpusBuilder()
    for card in CARDS:
        builder.add(
            whole(card.name, [Face(card.name, type_line=card.type_line, text=card.text)], layout=card.layout), PLACE
        )
    builder.add(
        whole("Turn // Burn", [Face("Turn", type_line="Instant"), Face("Burn", type_line="Instant")], layout="split"),
        PLACE,
    )
    plain = "You may exile it, sacrifice it, return it, flash it and unearth it, and turn blood into what would burn."
    builder.add(Ruling(plain, date(2020, 1, 1), "made up", card="Humility"), PLACE)
    for name in own or ("Giant Albatross",):
        builder.add(Ruling(text, date(2020, 1, 2), "made up", card=name), PLACE)
    corpus = builder.finish()
    key = next(k for k, s in corpus.statements.items() if s.text == text)
    found = link_cards(corpus, TERMS)[key]
    mentions = [(m.name, text[m.start : m.end]) for m in found.mentions]
    return mentions, [text[s.start : s.end] for s in found.self_references]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Damage to many creatures (as Earthquake’s would be) is simultaneous.", [("Earthquake", "Earthquake")]),
        (
            "If two Opalescences and Humility are out, look at the layers.",
            [("Opalescence", "Opalescences"), ("Humility", "Humility")],
        ),
        ("It may be copied, for example by a Clone.", [("Clone", "Clone")]),
        (
            "Suppose Lim-Dul’s Vault and Aether Vial are cast.",
            [("Lim-Dûl's Vault", "Lim-Dul’s Vault"), ("Æther Vial", "Aether Vial")],
        ),
        ("The value for Soul Foundry™ is a sum.", [("Soul Foundry", "Soul Foundry")]),
        ("A spell (such as Exile or Earthquake) may do that.", [("Exile", "Exile"), ("Earthquake", "Earthquake")]),
        ("You may name a card named Exile.", [("Exile", "Exile")]),
        (
            "Ask for Mistform Ultimus. Later, the Ultimus is gone.",
            [("Mistform Ultimus", "Mistform Ultimus"), ("Mistform Ultimus", "Ultimus")],
        ),
        ("If you cast Burn alone, Turn isn't on the stack.", [("Turn // Burn", "Burn"), ("Turn // Burn", "Turn")]),
    ],
)
def test_names_of_other_cards(text, expected):
    assert links(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "It's cast from the Exile zone.",
        "Exile the top card of the library first.",
        "Sacrifice a creature to do so.",
        "Flash lets you cast it late.",
        "In a Two-Headed Giant game, the team loses life twice.",
        "In Two-Headed Giant, triggers happen once.",
        "Create three Blood tokens and keep a Blood token.",
        "Cards in the Return to Ravnica block are multicolored.",
        "Cards of the Time Spiral timeshifted sheet have purple symbols; see the Time Spiral set.",
        "If you control a Forest, you may cast it.",
        "It was printed in the _Humility_ set.",
        "The deed was done by Earthquake Rager.",
    ],
)
def test_words_that_are_no_card(text):
    assert links(text)[0] == []


def test_flavor_words_and_tokens_are_no_cards():
    assert links("Unearth Glow gains life before the Focus Beam ability does that.", "Vault Ward")[0] == []
    assert links("Voja can't attack that turn.", "Kari Wolf")[0] == []


@pytest.mark.parametrize(
    ("own", "text", "expected"),
    [
        (
            "Tawnos, Urza's Apprentice",
            "Tawnos’s ability copies one that Tawnos, Urza’s Apprentice could target.",
            ["Tawnos", "Tawnos, Urza’s Apprentice"],
        ),
        ("Giant Albatross", "The ability works if damage moves to the Albatross.", ["Albatross"]),
        ("Stone Scarecrow", "You won’t have to sacrifice the Scarecrow.", ["Scarecrow"]),
        ("Karn, Silver Golem", "If Karn’s ability resolves, nothing happens.", ["Karn"]),
        ("Turn // Burn", "If it gains an ability after Turn resolves, it keeps that.", ["Turn"]),
        ("Clone", "Two Clones can copy each other.", ["Clones"]),
        ("Rune Sliver", "If the Sliver leaves, each other Sliver creature stays.", []),
        ("Exile", "Exile a card first.", []),
    ],
)
def test_own_names(own, text, expected):
    mentions, selves = links(text, own)
    assert selves == expected
    assert mentions == []


def test_cards_that_name_each_other():
    mentions, selves = links(
        "The copy of Will’s emblem and that of Rowan’s emblem are alike.", "Rowan Kenrith", "Will Kenrith"
    )
    assert mentions == [("Will Kenrith", "Will")]
    assert selves == ["Rowan"]


def test_spans_never_overlap():
    mentions, selves = links("Clone, Clone and Lim-Dûl’s Vault, Soul Foundry's Clone.", "Clone")
    assert selves == ["Clone", "Clone", "Clone"]
    assert [name for name, _ in mentions] == ["Lim-Dûl's Vault", "Soul Foundry"]
