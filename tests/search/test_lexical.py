"""The lexical index."""

from pathlib import Path

import numpy as np

from rulings.search.lexical import LexicalIndex, write_lexical


def test_scores_put_the_matching_document_first(tmp_path: Path) -> None:
    write_lexical(tmp_path / "text", [["copy", "spell"], ["copy", "token", "creature"], [], ["draw", "card"]])
    index = LexicalIndex(tmp_path / "text")
    scores = index.scores(["token", "copy", "unheard"])
    assert scores.shape == (4,)
    assert np.argmax(scores) == 1
    assert scores[3] == 0
    assert "token" in index
    assert "unheard" not in index


def test_unknown_terms_score_nothing(tmp_path: Path) -> None:
    write_lexical(tmp_path / "text", [["copy"]])
    assert LexicalIndex(tmp_path / "text").scores(["unheard"]).tolist() == [0.0]
