"""Reading of files and folders: kinds told by content, the whole real corpus, and faults of files."""

import gzip
import json
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from rulings.ingest import Corpus, IngestError, Report, build_corpus, read_sources, sample_paths
from rulings.ingest.errors import LimitError, SourceError, UnknownKindError
from rulings.ingest.limits import RECORD_CHARS
from rulings.ingest.text import fold_name

CARD = {"object": "card", "oracle_id": "1", "name": "Mimic", "lang": "en", "layout": "normal"}
RULING = {"object": "ruling", "oracle_id": "1", "source": "wotc", "published_at": "2020-01-31", "comment": "So it is."}
HOUSE = '{"kind": "ruling", "card": "Mimic", "published": "2020-01-31", "text": "House rule."}\n'
TABLE = "card;published;text\nMimic;2020-01-31;From a table.\n"


@pytest.fixture(scope="module")
def full(data: Path) -> Corpus:
    return build_corpus([data / "full"])


def kinds(*paths: Path, report: Report | None = None) -> Counter[str]:
    return Counter(type(record).__name__ for record, _ in read_sources(paths, Report() if report is None else report))


def test_folder_of_all_kinds_under_wrong_names(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(json.dumps([CARD]))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(json.dumps([RULING]).encode()))
    (tmp_path / "c").write_text(HOUSE)
    (tmp_path / "d.json").write_text(TABLE)
    (tmp_path / "e.md").write_text("{not anything")
    (tmp_path / "f.json").write_text("\n")
    with zipfile.ZipFile(tmp_path / "g", "w") as archive:
        archive.writestr("x/one.bin", json.dumps([{**CARD, "name": "Clone", "oracle_id": "2"}]))
    report = Report()
    corpus = build_corpus([tmp_path], report)
    assert [c.name for c in corpus.cards.values()] == ["Clone", "Mimic"]
    assert {s.text for s in corpus.statements.values()} == {"So it is.", "House rule.", "From a table."}
    assert {(Path(p.place.file).name, p.reason.split(";")[0]) for p in report.problems} == {
        ("f.json", "the file is empty")
    }
    assert [Path(n.place.file).name for n in report.notes] == ["e.md"]
    assert "no known kind" in report.notes[0].reason


def test_place_names_the_member_and_the_item(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("in/cards.json", json.dumps([CARD, {}, 5]))
    report = Report()
    (place,) = [place for _, place in read_sources([tmp_path / "a.zip"], report)]
    assert str(place) == f"{tmp_path}/a.zip!in/cards.json, item 1"
    assert [p.place.position for p in report.problems] == ["item 3"]


@pytest.mark.parametrize(
    "content", ["hello", "{}", "{", "[[]]", '{"kind": "song"}', "\0" * 50, "<html></html>", "%PDF-1.7"]
)
def test_unknown_kind_is_an_error_when_named_and_a_note_in_a_folder(tmp_path: Path, content: str) -> None:
    (tmp_path / "a").write_text(content)
    with pytest.raises(UnknownKindError, match=r"/a: of no known kind; known are Scryfall"):
        kinds(tmp_path / "a")
    with pytest.raises(UnknownKindError, match="none of its 1 files"):
        kinds(tmp_path)
    (tmp_path / "b").write_text(HOUSE)
    report = Report()
    assert kinds(tmp_path, report=report) == {"Ruling": 1}
    assert len(report.notes) == 1


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no file to read in it"):
        kinds(tmp_path)
    with pytest.raises(SourceError, match="no such file"):
        kinds(tmp_path / "none")


@pytest.mark.parametrize("cut", [0.3, 0.6, 0.99])
def test_cut_short_file_ends_in_one_line_that_names_it(data: Path, tmp_path: Path, cut: float) -> None:
    for name in ("mtgjson/UST.json", "scryfall/search_set_MID_page1.json", "full/rulings.json.gz"):
        whole = (data / name).read_bytes()
        path = tmp_path / Path(name).name
        path.write_bytes(whole[: int(len(whole) * cut)])
        with pytest.raises(SourceError, match=path.name) as caught:
            kinds(path)
        assert "\n" not in str(caught.value)
        assert "fetch it again" in str(caught.value)


def test_endless_line_is_refused(tmp_path: Path) -> None:
    for start in (
        '[{"object": "card", "name": "',
        '{"kind": "ruling", "text": "',
        '{"meta": {}, "data": {"baseSetSize": 1, "cards": [{"layout": "',
    ):
        (tmp_path / "a").write_text(start + "x" * (RECORD_CHARS + 10))
        with pytest.raises(LimitError, match=r"/a.*over"):
            kinds(tmp_path / "a")


def test_large_corpus_comes_whole(full: Corpus) -> None:
    assert len(full.cards) == 29_486
    assert len(full.rulings) == 52_690
    assert len(full.statements) == 26_502
    assert sum(map(len, full.printings.values())) > 134_000
    assert [len(e.rules) > 2600 for e in full.editions.values()] == [True] * 4
    assert [p.reason for p in full.report.problems] == ["field 'comment' is missing or blank"]
    assert max(len(s.oracle_ids) for s in full.statements.values()) == 125


def test_quotes_are_folded_in_the_large_corpus(full: Corpus) -> None:
    several = [s for s in full.statements.values() if len(s.variants) > 1]
    assert several, "trap 1: the same wording comes with curly and with straight quotes"
    assert any("’" in "".join(s.variants) and "'" in "".join(s.variants) for s in several)


def test_names_of_two_cards_stay_with_both(full: Corpus) -> None:
    """Trap 5: one German or French name for two cards; a foreign name that is another card's English name."""
    owners: dict[tuple[str, str], set[str]] = {}
    for name in full.names():
        owners.setdefault((name.language, fold_name(name.name)), set()).add(name.oracle_id)
    assert sum(len(ids) > 1 for (language, _), ids in owners.items() if language == "de") >= 25
    assert sum(len(ids) > 1 for (language, _), ids in owners.items() if language == "fr") >= 32
    english = {folded: ids for (language, folded), ids in owners.items() if language == "en"}
    assert any(
        folded in english and english[folded] != ids for (language, folded), ids in owners.items() if language == "de"
    )


def test_accents_and_ligatures_of_names_fold(full: Corpus) -> None:
    by_name = {fold_name(card.name): card for card in full.cards.values()}
    assert by_name["lim-dul the necromancer"].name == "Lim-Dûl the Necromancer"
    assert by_name["aether vial"].name.endswith("ther Vial")
    assert by_name["a-acererak the archlich"].name == "A-Acererak the Archlich"


def test_very_long_ruling_and_headings_are_kept(full: Corpus) -> None:
    lengths = sorted(len(s.text) for s in full.statements.values())
    assert lengths[-1] == 5325
    assert lengths[0] < 20


def test_single_newline_for_a_set_does_not_stop_the_others(data: Path, tmp_path: Path) -> None:
    shutil.copy(data / "mtgjson" / "UST.json", tmp_path / "UST.json")
    (tmp_path / "CON.json").write_text("\n")
    report = Report()
    assert kinds(tmp_path, report=report)["Card"] > 200
    assert [Path(p.place.file).name for p in report.problems] == ["CON.json"]


def test_sample_is_of_the_own_kind() -> None:
    paths = sample_paths()
    if not paths:
        pytest.skip("the sample is not there")
    report = Report()
    corpus = build_corpus(paths, report)
    assert not report.problems
    assert len(corpus.cards) >= 150
    assert len(corpus.statements) >= 400


def test_errors_are_of_the_project() -> None:
    assert issubclass(UnknownKindError, IngestError)
    assert issubclass(IngestError, ValueError)
