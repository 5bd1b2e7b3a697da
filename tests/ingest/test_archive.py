"""The archive gives back what was written, whole and one by one."""

from dataclasses import replace
from datetime import date

import pytest

from rulings.ingest import Archive, ArchiveError, Corpus, cards_digest, write_archive
from rulings.ingest.record_file import of_cards


@pytest.fixture
def archive(small, tmp_path):
    write_archive(small, tmp_path / "records.sqlite")
    with Archive(tmp_path / "records.sqlite") as opened:
        yield opened


def test_the_whole_corpus_comes_back(archive: Archive, small: Corpus):
    assert archive.corpus() == small


def test_one_by_one(archive: Archive, small: Corpus):
    key = next(iter(small.statements))
    assert archive.statement(key) == small.statements[key]
    assert archive.card("bbbb") == small.cards["bbbb"]
    assert [p.printed_name for p in archive.printings("aaaa")] == ["Nachahmer"]
    assert archive.rulings("bbbb") == tuple((r.published, r.key) for r in small.rulings if r.oracle_id == "bbbb")
    assert archive.editions == (date(2021, 4, 22), date(2026, 2, 27))
    assert archive.rule("707.2").text.startswith("A copy takes")
    assert archive.rule("706.2", date(2021, 4, 22)).parent == "706"
    assert [rule.number for rule in archive.below("707", date(2026, 2, 27))] == ["707.2", "707.3"]
    assert archive.rule_count(date(2021, 4, 22)) == 2
    assert archive.report().counts == small.report.counts


def test_unknown_things_are_none(archive: Archive):
    assert archive.statement("0" * 12) is None
    assert archive.card("nobody") is None
    assert archive.rule("999.9") is None
    assert archive.names("nobody") == ()


def test_names_are_folded_and_full_names_come_first(archive: Archive):
    assert [n.oracle_id for n in archive.names('lim-dul, the "old"')] == ["cccc"]
    assert [(n.name, n.face) for n in archive.names("left")] == [("Left", "Left")]
    assert [n.language for n in archive.names("nachahmer")] == ["de"]
    assert sum(1 for _ in archive.all_names()) == sum(1 for _ in archive.corpus().names())


def test_the_same_corpus_gives_the_same_bytes(small, tmp_path):
    write_archive(small, tmp_path / "a")
    write_archive(small, tmp_path / "b")
    for a, b in (("a", "b"), ("a-cards", "b-cards")):
        assert (tmp_path / a).read_bytes() == (tmp_path / b).read_bytes()
    assert of_cards(tmp_path / "a") == tmp_path / "a-cards"


def test_what_depends_on_cards_alone_is_taken_over(small, tmp_path):
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    write_archive(small, old)
    write_archive(replace(small, statements={}, rulings=()), new, former=old)
    assert of_cards(new).samefile(of_cards(old))
    with Archive(new) as archive:
        found = archive.corpus()
    assert found.cards == small.cards
    assert found.statements == {}


def test_what_cannot_be_taken_over_is_told(small, tmp_path):
    write_archive(small, tmp_path / "old.sqlite")
    of_cards(tmp_path / "old.sqlite").unlink()
    with pytest.raises(ArchiveError, match=r"old-cards\.sqlite: can't be taken over .*--anew"):
        write_archive(small, tmp_path / "new.sqlite", former=tmp_path / "old.sqlite")


def test_the_digest_is_of_cards_printed_names_and_rules(small, tmp_path):
    write_archive(small, tmp_path / "records.sqlite")
    with Archive(tmp_path / "records.sqlite") as archive:
        assert archive.cards_digest() == cards_digest(small)
    assert cards_digest(replace(small, statements={}, rulings=())) == cards_digest(small)
    for part in ("cards", "printings", "editions"):
        assert cards_digest(replace(small, **{part: {}})) != cards_digest(small), part


def test_nothing_is_overwritten(small, tmp_path):
    (tmp_path / "a").write_text("mine")
    with pytest.raises(ArchiveError, match="there already"):
        write_archive(small, tmp_path / "a")
    assert (tmp_path / "a").read_text() == "mine"


@pytest.mark.parametrize("name", ["records.sqlite", "records-cards.sqlite"])
@pytest.mark.parametrize("content", [None, b"", b"no database at all, only text"])
def test_what_is_no_archive_is_refused(small, content, name, tmp_path):
    write_archive(small, tmp_path / "records.sqlite")
    path = tmp_path / name
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ArchiveError, match=f"{name}: .*rulings build"):
        Archive(tmp_path / "records.sqlite")


@pytest.mark.parametrize("name", ["records.sqlite", "records-cards.sqlite"])
def test_a_file_cut_short_is_told(small, name, tmp_path):
    write_archive(small, tmp_path / "records.sqlite")
    path = tmp_path / name
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(ArchiveError, match="not a whole file"), Archive(tmp_path / "records.sqlite") as cut:
        cut.corpus()
