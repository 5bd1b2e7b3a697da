"""Keywords and concepts of cards, per face."""

from rulings.graph.card_uses import card_uses
from rulings.graph.concepts import ConceptScheme
from rulings.ingest import CorpusBuilder, Face, Place, whole


def uses():
    builder = CorpusBuilder()
    place = Place("made up")
    builder.add(
        whole("Trample Bear", [Face("Trample Bear", text="Trample Bear has flying.")], keywords=("Flying",)), place
    )
    two = [Face("Calm Side", text="Scry 1."), Face("Wild Side", text="Trample, haste")]
    builder.add(whole("Calm Side // Wild Side", two, layout="transform", keywords=("Trample", "Scry", "Haste")), place)
    corpus = builder.finish()
    scheme = ConceptScheme.from_corpus(corpus)
    return [
        (corpus.cards[u.oracle_id].name, scheme.concepts[u.concept].label, u.relation, u.face)
        for u in card_uses(corpus, scheme)
    ]


def test_keywords_are_told_for_the_face():
    found = uses()
    assert ("Calm Side // Wild Side", "Trample", "hasKeyword", "Wild Side") in found
    assert ("Calm Side // Wild Side", "Scry", "hasKeyword", "Calm Side") in found
    assert ("Trample Bear", "Flying", "hasKeyword", None) in found


def test_the_own_name_is_no_concept():
    assert not [u for u in uses() if u[:2] == ("Trample Bear", "Trample")]


def test_no_use_comes_twice():
    found = uses()
    assert len(found) == len(set(found))
