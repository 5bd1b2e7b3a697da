"""The archive gives back what was written, whole and one by one."""

from datetime import date

import pytest

from rulings.ingest import Archive, ArchiveError, Corpus, write_archive


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
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_nothing_is_overwritten(small, tmp_path):
    (tmp_path / "a").write_text("mine")
    with pytest.raises(ArchiveError, match="there already"):
        write_archive(small, tmp_path / "a")
    assert (tmp_path / "a").read_text() == "mine"


@pytest.mark.parametrize("content", [None, b"", b"no database at all, only text"])
def test_what_is_no_archive_is_refused(content, tmp_path):
    path = tmp_path / "records.sqlite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ArchiveError, match="rulings build"):
        Archive(path)


def test_a_file_cut_short_is_told(small, tmp_path):
    path = tmp_path / "records.sqlite"
    write_archive(small, path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(ArchiveError, match="not a whole file"), Archive(path) as cut:
        cut.corpus()
