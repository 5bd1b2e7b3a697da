"""How sure it is that a ruling answers."""

import numpy as np

from rulings.search.candidates import score_all
from rulings.search.confidence import CUES, Confidence, default_confidence, off_topic_words, read_cues
from rulings.search.index import Index
from rulings.search.question import QuestionReader


def _cues(index: Index, encoder, question: str) -> dict[str, float]:
    read = QuestionReader(index).read(question)
    scores = score_all(index, read, encoder.encode_question(read.english))
    return dict(zip(CUES, read_cues(index, read, scores, np.array([2, 1], np.float32), 0.0).tolist(), strict=True))


def test_off_topic_words_are_seen(small_index: Index, word_encoder) -> None:
    price = _cues(small_index, word_encoder, "what is the price of a foil Mimic, should I buy it")
    real = _cues(small_index, word_encoder, "does Mimic copy the value chosen for X")
    assert price["off_topic"] > real["off_topic"] == 0
    assert real["named_cards"] > 0.5


def test_made_up_words_are_seen(small_index: Index, word_encoder) -> None:
    assert _cues(small_index, word_encoder, "does gravelockery stack")["made_up"] == 1
    assert _cues(small_index, word_encoder, "does the copy stack")["made_up"] == 0


def test_of_is_a_chance() -> None:
    model = Confidence(np.ones(len(CUES), np.float32), 0.0, 0.5)
    assert model.of(np.zeros(len(CUES), np.float32)) == 0.5
    assert model.of(np.full(len(CUES), 50, np.float32)) == 1.0


def test_the_default_model_has_a_weight_for_each_cue() -> None:
    model = default_confidence()
    assert model.weights.shape == (len(CUES),)
    assert 0 < model.threshold < 1
    assert {"en", "de", "fr"} <= off_topic_words().keys()
