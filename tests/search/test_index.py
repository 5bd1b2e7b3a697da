"""The search index on disk."""

from pathlib import Path

import numpy as np
import pytest

from rulings.graph.records import Derived, Vectors
from rulings.ingest import Corpus
from rulings.search.errors import IndexFormatError
from rulings.search.index import Index, write_index


def test_open_gives_back_keys_cards_rules_and_vectors(small: Corpus, small_index: Index) -> None:
    assert small_index.keys == tuple(small.statements)
    assert small_index.card_names == tuple(card.name for card in small.cards.values())
    assert small_index.edition == "2026-02-27"
    assert small_index.statements.shape == (4, 64)
    assert small_index.rules.shape[0] == len(small.newest.rules) == len(small_index.rule_numbers)
    assert small_index.is_rule.sum() == 2
    assert small_index.encoder["name"] == "words"


def test_links_are_kept(small: Corpus, small_index: Index) -> None:
    keys = {statement.text: key for key, statement in small.statements.items()}
    new = small_index.place(keys["Its mana value is that of both halves."])
    old = small_index.place(keys["Its converted mana cost is that of both halves."])
    assert set(small_index.members(old).tolist()) == {old, new}
    assert small_index.outdated[old]
    assert not small_index.outdated[new]
    mimic = small_index.oracle_ids.index("aaaa")
    assert small_index.mentions.columns(new).tolist() == [mimic]
    assert small_index.alike.columns(mimic).tolist() == [small_index.oracle_ids.index("bbbb")]
    assert small_index.place("ffffffffffff") is None


def test_open_refuses_another_format(tmp_path: Path) -> None:
    with pytest.raises(IndexFormatError, match="rulings build"):
        Index.open(tmp_path)
    (tmp_path / "format.txt").write_text("0")
    with pytest.raises(IndexFormatError, match="format 0"):
        Index.open(tmp_path)


def test_write_needs_a_vector_for_each_statement(small: Corpus, tmp_path: Path, word_encoder: object) -> None:
    with pytest.raises(IndexFormatError, match="4 statements"):
        write_index(
            tmp_path / "index", small, Derived(), word_encoder, Vectors(statements=np.zeros((1, 64), np.float32))
        )


def test_the_same_input_gives_the_same_files(
    small: Corpus, small_links: Derived, small_index: Index, tmp_path: Path, word_encoder
) -> None:
    vectors = Vectors(statements=np.asarray(small_index.statements), rules=np.asarray(small_index.rules))
    write_index(tmp_path / "index", small, small_links, word_encoder, vectors)
    for file in sorted((tmp_path / "index").rglob("*")):
        if file.is_file() and file.suffix != ".npz":
            assert file.read_bytes() == (small_index.folder / file.relative_to(tmp_path / "index")).read_bytes(), (
                file.name
            )
