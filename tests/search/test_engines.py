"""The engines of one machine against each other, addresses without their secrets, what is kept and dropped."""

import json

import numpy as np
import pytest

from rulings.graph.errors import MissingExtraError
from rulings.search.engines import extras
from rulings.search.engines.address import VARIABLE, address_of, read_address
from rulings.search.engines.engine import RECORD, read_record
from rulings.search.engines.exact import ExactEngine
from rulings.search.engines.faiss_index import FILE, FaissEngine, write_faiss
from rulings.search.engines.keep import drop_vectors, move_vectors, open_vectors, table_name
from rulings.search.engines.moments import Moments
from rulings.search.engines.recent import Recent
from rulings.search.errors import EngineAddressError, EngineError, IndexFormatError
from rulings.search.quick_scan import QuickScan, write_quick_scan


def unit(rows: int, seed: int, width: int = 64) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


VECTORS, QUESTIONS = unit(4000, 1), unit(10, 2)
EXACT = QUESTIONS @ VECTORS.T
BEST = np.argsort(-EXACT, axis=1)


def test_the_exact_engine_makes_no_error():
    engine = ExactEngine(VECTORS, QuickScan.of(VECTORS))
    rows, cosines = engine.nearest(QUESTIONS, 50)
    assert (rows == BEST[:, :50]).all()
    assert cosines == pytest.approx(np.take_along_axis(EXACT, rows, 1), abs=1e-6)
    assert engine.nearest(QUESTIONS, 5000)[0].shape == (10, 4000)
    assert (engine.of(np.array([3, 1])) == VECTORS[[3, 1]]).all()


@pytest.mark.parametrize(("kind", "least"), [("faiss-ivf", 0.55), ("faiss-sq8", 0.97)])
def test_faiss_finds_most_with_exact_cosines(tmp_path, kind, least):
    # random vectors have no clusters: the hardest case for lists
    write_faiss(tmp_path, VECTORS, kind)
    engine = FaissEngine.open(tmp_path, VECTORS)
    rows, cosines = engine.nearest(QUESTIONS, 50)
    shared = np.mean(
        [len({*found} & {*best}) / 50 for found, best in zip(rows.tolist(), BEST[:, :50].tolist(), strict=True)]
    )
    assert shared >= least
    assert cosines == pytest.approx(np.take_along_axis(EXACT, rows, 1), abs=1e-6)
    assert (np.diff(cosines) <= 0).all()
    assert engine.nearest(VECTORS[7:8], 1)[0][0, 0] == 7


@pytest.mark.parametrize("kind", ["faiss-ivf", "faiss-sq8"])
def test_faiss_takes_any_number_of_vectors(tmp_path, kind):
    for count in (0, 1, 3):
        write_faiss(tmp_path, VECTORS[:count], kind)
        rows, cosines = FaissEngine.open(tmp_path, VECTORS[:count]).nearest(QUESTIONS, 5)
        assert rows.shape == cosines.shape == (10, count)
        assert sorted(rows[0].tolist()) == list(range(count))


@pytest.mark.parametrize("kind", ["faiss-ivf", "faiss-sq8"])
def test_the_same_vectors_give_the_same_faiss_file(tmp_path, kind):
    write_faiss(tmp_path, VECTORS, kind)
    first = (tmp_path / FILE).read_bytes()
    write_faiss(tmp_path, VECTORS, kind)
    assert (tmp_path / FILE).read_bytes() == first


def test_a_faiss_file_that_is_damaged_or_of_another_index_is_told(tmp_path):
    write_faiss(tmp_path, VECTORS[:50], "faiss-sq8")
    with pytest.raises(EngineError, match="holds 50 vectors of 64 dimensions, the index 40 of 64; run `rulings build`"):
        FaissEngine.open(tmp_path, VECTORS[:40])
    (tmp_path / FILE).write_bytes(b"no index")
    with pytest.raises(EngineError, match="can't be read; run `rulings build` again"):
        FaissEngine.open(tmp_path, VECTORS[:50])


def test_moments_are_those_of_all_cosines(tmp_path):
    Moments.of(VECTORS, piece=700).write(tmp_path)
    moments = Moments.read(tmp_path)
    for question, exact in zip(QUESTIONS, EXACT, strict=True):
        assert moments.of_cosines(question) == pytest.approx((exact.mean(), exact.std()), abs=1e-6)
    (tmp_path / "moments.npz").write_bytes(b"PK")
    with pytest.raises(IndexFormatError, match=r"moments\.npz: can't be read .*; run `rulings build`"):
        Moments.read(tmp_path)


def test_recent_vectors_are_not_asked_for_again():
    asked: list[list[int]] = []

    class Counting(ExactEngine):
        def of(self, rows):
            asked.append(rows.tolist())
            return super().of(rows)

    engine = Recent(Counting(VECTORS, QuickScan.of(VECTORS)), most=4)
    for rows in ([3, 1, 3], [1, 2], [5, 6, 7], [3]):
        assert (engine.of(np.array(rows)) == VECTORS[rows]).all()
    assert asked == [[1, 3], [2], [5, 6, 7], [3]]
    assert engine.of(np.array([], np.intp)).shape == (0, 64)
    assert (engine.nearest(QUESTIONS[:1], 3)[0] == BEST[:1, :3]).all()


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("numpy", "numpy"),
        ("faiss-ivf", "faiss-ivf"),
        ("postgresql://me:secret@db.example:5433/rules", "postgresql://db.example:5433/rules"),
        ("postgres://me:secret@db.example", "postgresql://db.example/"),
        (
            "postgresql://db/x?sslmode=require&password=secret&user=me&sslkey=secret",
            "postgresql://db/x?sslmode=require",
        ),
        ("postgresql://a:1,b:2/x", "postgresql://a:1,b:2/x"),
        ("postgresql://a,b:2/x", None),
        ("postgresql://me@/x?host=/run/postgresql&port=5433", "postgresql:///x?host=%2Frun%2Fpostgresql&port=5433"),
        ("postgresql://[::1]:5432/x", "postgresql://[::1]:5432/x"),
        ("qdrant+http://127.0.0.1", "qdrant+http://127.0.0.1:6333"),
        ("qdrant+https://vectors.example:6334/rules/", "qdrant+https://vectors.example:6334/rules"),
    ],
)
def test_what_is_told_of_an_address_has_no_secret_and_reads_back(written, told):
    address = read_address(written)
    assert told is None or address.told == told
    assert read_address(address.told).told == address.told
    assert "secret" not in address.told + repr(address)
    assert address.full == written


@pytest.mark.parametrize(
    "written",
    [
        "chroma",
        "",
        "mysql://me:secret@db/x",
        "postgresql://me:secret@db:port:5/x=?%",
        "postgresql://db/x?nonsense=secret",
        "qdrant+http://me:secret@db",
        "qdrant+http://db?key=secret",
        "qdrant+http://",
        "qdrant+http://db:secret",
    ],
)
def test_a_wrong_address_is_told_without_its_secret(written):
    with pytest.raises(EngineAddressError) as caught:
        read_address(written)
    assert "--vectors" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_credentials_come_from_the_environment_for_the_same_server_only(monkeypatch):
    told = "postgresql://db.example/rules"
    monkeypatch.setenv(VARIABLE, "postgresql://me:secret@db.example/rules")
    assert address_of(told).full == "postgresql://me:secret@db.example/rules"
    assert address_of("postgresql://other.example/rules").full == "postgresql://other.example/rules"
    monkeypatch.delenv(VARIABLE)
    assert address_of(told).full == told


def test_a_library_that_is_missing_is_told_with_its_extra(monkeypatch):
    def gone(name):
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", gone)
    for need, extra in ((extras.faiss, "faiss"), (extras.psycopg, "postgres"), (extras.qdrant, "qdrant")):
        with pytest.raises(MissingExtraError, match=rf"pip install 'rulings-graph\[{extra}\]'"):
            need()


@pytest.fixture
def index(tmp_path):
    """The vectors of an index as `write_index` leaves them: statements, rules, and the scan of both."""
    folder = tmp_path / "index"
    folder.mkdir()
    np.save(folder / "statements.npy", VECTORS)
    np.save(folder / "rules.npy", RULES)
    write_quick_scan(folder, np.concatenate([VECTORS, RULES]))
    return folder


RULES = unit(30, 5)
PLAIN = ["quick.npy", "quick.onnx", "rules.npy", "statements.npy"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_default_stays_as_it_is(index):
    before = {path.name: path.read_bytes() for path in index.iterdir()}
    move_vectors(index, read_address("numpy"), "gen")
    drop_vectors(index)
    assert {path.name: path.read_bytes() for path in index.iterdir()} == before
    assert read_record(index) is None
    opened = open_vectors(index)
    assert opened.moments is None
    assert isinstance(opened.engine, ExactEngine)
    assert (opened.engine.nearest(QUESTIONS, 3)[0] == BEST[:, :3]).all()
    assert (opened.here == VECTORS).all()
    assert (
        opened.scan.cosines(QUESTIONS[0]) == QuickScan.of(np.concatenate([VECTORS, RULES])).cosines(QUESTIONS[0])
    ).all()


def test_a_moved_index_knows_the_nearest_and_the_rules(index):
    move_vectors(index, read_address("faiss-sq8"), "20260101T000000-abc")
    assert names(index) == ["engine.json", "faiss.index", "moments.npz", *PLAIN]
    assert json.loads((index / RECORD).read_bytes()) == {
        "address": "faiss-sq8",
        "name": "rulings_20260101t000000_abc",
        "rows": 4000,
        "dimensions": 64,
    }
    opened = open_vectors(index)
    assert isinstance(opened.engine, FaissEngine)
    for question, exact, best, every in zip(QUESTIONS, EXACT, BEST, opened.scan.all_cosines(QUESTIONS), strict=True):
        assert every.shape == (4030,)
        assert every[best[:900]] == pytest.approx(exact[best[:900]], abs=1e-6)
        assert every[best[3000:]] == pytest.approx(exact.mean(), abs=1e-6)
        assert every[4000:] == pytest.approx(RULES @ question, abs=0.01)
        assert opened.moments.of_cosines(question) == pytest.approx((exact.mean(), exact.std()), abs=1e-6)
    drop_vectors(index)
    (index / RECORD).write_text("{}")
    with pytest.raises(IndexFormatError, match=r"engine\.json: can't be read .*; run `rulings build`"):
        open_vectors(index)


def test_an_index_without_rules_is_moved_too(index):
    np.save(index / "rules.npy", RULES[:0])
    move_vectors(index, read_address("faiss-ivf"), "gen")
    assert open_vectors(index).scan.cosines(QUESTIONS[0]).shape == (4000,)


def test_files_that_other_generations_share_are_not_written_to(index, tmp_path):
    (tmp_path / "other.onnx").hardlink_to(index / "quick.onnx")
    before = (tmp_path / "other.onnx").read_bytes()
    move_vectors(index, read_address("faiss-sq8"), "gen")
    assert (tmp_path / "other.onnx").read_bytes() == before


def test_the_record_is_there_before_the_server_is_asked(index):
    pytest.importorskip("psycopg")
    address = read_address("postgresql://me:secret@127.0.0.1:9/x")
    with pytest.raises(EngineError, match="no connection"):
        move_vectors(index, address, "gen-1")
    assert read_record(index).name == table_name("gen-1") == "rulings_gen_1"
    assert "secret" not in (index / RECORD).read_text()
    with pytest.raises(EngineError, match="no connection"):
        drop_vectors(index)
