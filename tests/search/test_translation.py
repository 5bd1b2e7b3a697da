"""Glosses of German and French questions."""

from pathlib import Path

import pytest

from rulings.search.translation import Glosser
from rulings.search.words import split_words


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Glosser:
    table = tmp_path_factory.mktemp("words") / "learned.de.tsv"
    rows = ("zeitmarke\ttime:0.6 counter:0.4", "kreatur\tcreature:0.9", "spruch\tspell:0.8", "goblin\tgoblin:1.0")
    table.write_text("\n".join(rows), encoding="utf-8")
    return Glosser("de", table)


def test_gloss_uses_curated_phrases_and_learned_words(german: Glosser) -> None:
    gloss = german.gloss(split_words("Krieg ich die Kreatur am Zugende zurück?"))
    assert "creature" in gloss
    assert "at end of turn" in gloss
    assert "return" in gloss


def test_gloss_splits_compounds_and_cuts_endings(german: Glosser) -> None:
    assert german.gloss(["kreaturenspruch"]) == "creature spell"
    assert german.gloss(["zeitmarken"]) == "time counter"


def test_gloss_keeps_unknown_words_and_known_spans(german: Glosser) -> None:
    words = split_words("mein Goblinbombardement etb xyzzy")
    gloss = german.gloss(words, [(1, 2, "Goblin Bombardment")])
    assert gloss == "my Goblin Bombardment enters the battlefield xyzzy"
    assert "xyzzy" not in german.gloss(words, only_known=True)


def test_gloss_of_french_and_of_everyday_english() -> None:
    french = Glosser("fr", Path("nowhere"))
    assert french.gloss(split_words("en réponse je sacrifie la bête")) == "in response I sacrifice creature"
    assert "graveyard" in Glosser("en", None).gloss(split_words("it hits the yard"), only_known=True)
