"""`rulings build --vectors`: the same answers from every engine, no secret written anywhere, and nothing left behind."""

import json
from gc import collect

import pytest

from rulings.app.command import main
from rulings.search import Rulings
from rulings.search.engines import qdrant
from rulings.search.generation import current

QUESTIONS = [
    "If I copy a spell that was cast with X, what is X for the copy?",
    "Does a copy of a kicked spell count as kicked?",
    "Was passiert mit einem Spielstein, der das Spielfeld verlässt?",
    "Does Clone copy counters?",
    "What happens to auras on a creature that phases out?",
    "Can I respond to a mana ability?",
    "Is Blightsteel Colossus destroyed by damage?",
    "How do I bake bread?",
]
pytestmark = pytest.mark.filterwarnings("ignore:Local mode performs exact:UserWarning")


@pytest.fixture(scope="module")
def home(sample_home, tmp_path_factory):
    """A home that shares the sample's cache; each build in it takes over what it can."""
    home = tmp_path_factory.mktemp("home")
    (home / "cache").symlink_to(sample_home / "cache")
    return home


@pytest.fixture(scope="module")
def wanted(sample_home):
    return list(Rulings.open(sample_home).batch(QUESTIONS))


@pytest.fixture
def local(monkeypatch):
    """A Qdrant client without a server, in place of those with one."""
    import qdrant_client

    client = qdrant_client.QdrantClient(":memory:")
    monkeypatch.setattr(qdrant, "client_of", lambda *_: client)
    return client


def build(capsys, home, *words):
    status = main(["build", "--home", str(home), *words])
    return status, capsys.readouterr().err


def same_answers(home, wanted):
    kb = Rulings.open(home)
    for question, answer in zip(QUESTIONS, wanted, strict=True):
        found = kb.ask(question)
        assert found.answered == answer.answered
        # the default knows cosines to 0.004 only, the others the nearest exactly: low places may change
        first, expected = ([result.key for result in each.results[:10]] for each in (found, answer))
        assert first[0] == expected[0]
        assert len({*first} & {*expected}) >= 8
        assert found.confidence == pytest.approx(answer.confidence, abs=0.02)
    assert [one.results[0].key for one in kb.batch(QUESTIONS)] == [one.results[0].key for one in wanted]


def test_faiss_answers_the_same(capsys, home, wanted):
    engine = "faiss-ivf"
    assert build(capsys, home, "--vectors", engine)[0] == 0
    made = current(home)
    assert made.manifest.vectors == engine
    assert "index/faiss.index" in made.manifest.files
    same_answers(home, wanted)
    assert main(["info", "--home", str(home)]) == 0
    assert f"vectors: {engine}" in capsys.readouterr().out


def test_qdrant_answers_the_same_and_keeps_nothing_after_gc(capsys, home, wanted, local):
    assert build(capsys, home, "--vectors", "qdrant+http://127.0.0.1:9")[0] == 0
    made = current(home)
    assert not (made.index / "statements.npy").exists()
    assert (
        local.count(f"rulings_{made.manifest.name.replace('-', '_').lower()}").count
        == made.manifest.counts["statements"]
    )
    same_answers(home, wanted)
    del made
    collect()  # what is read can't be taken away
    assert build(capsys, home)[0] == 0  # the engine is named at each build
    assert current(home).manifest.vectors == "numpy"
    assert main(["gc", "--home", str(home), "--keep", "0"]) == 0
    assert local.get_collections().collections == []


def tables(postgres):
    return [name for (name,) in postgres.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")]


def everything_in(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_postgres_answers_the_same_by_credentials_of_the_environment(capsys, home, wanted, postgres, monkeypatch):
    status, told = build(capsys, home, "--vectors", postgres.url())
    assert status == 0
    assert f"moved the vectors to {postgres.url(secret=False)}" in told
    made = current(home)
    assert made.manifest.vectors == postgres.url(secret=False)
    assert tables(postgres) == [f"rulings_{made.manifest.name.replace('-', '_').lower()}"]
    assert not (made.index / "statements.npy").exists()
    written = everything_in(home / "generations")
    for secret in (postgres.password, postgres.user):
        assert secret not in told
    assert postgres.password.encode() not in written
    assert f"{postgres.user}@".encode() not in written

    monkeypatch.setenv("PGUSER", postgres.user)
    assert main(["ask", "--home", str(home), QUESTIONS[0]]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert "PGPASSWORD" in printed.err
    monkeypatch.setenv("PGPASSWORD", postgres.password)
    same_answers(home, wanted)
    monkeypatch.delenv("PGUSER")
    monkeypatch.delenv("PGPASSWORD")
    monkeypatch.setenv("RULINGS_VECTORS", postgres.url())
    assert main(["ask", "--home", str(home), "--json", QUESTIONS[0]]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["results"][0]["key"] == wanted[0].results[0].key
    assert postgres.password not in printed.out + printed.err
    assert main(["check", "--home", str(home)]) == 0
    table = tables(postgres)[0]
    postgres.run(f"ALTER TABLE {table} RENAME TO hidden")
    for command in (["check"], ["ask", QUESTIONS[0]]):
        capsys.readouterr()
        assert main([command[0], "--home", str(home), *command[1:]]) == 1
        assert f"table {table}: the table is gone; run `rulings build`" in capsys.readouterr().err
    postgres.run(f"ALTER TABLE hidden RENAME TO {table}")


def test_tables_go_with_their_generation(capsys, home, postgres, monkeypatch):
    collect()
    old = tables(postgres)
    assert len(old) == 1
    monkeypatch.setenv("RULINGS_VECTORS", postgres.url())
    assert build(capsys, home, "--vectors", postgres.url(secret=False))[0] == 0
    both = tables(postgres)
    assert len(both) == 2
    monkeypatch.delenv("RULINGS_VECTORS")
    assert main(["gc", "--home", str(home), "--keep", "0"]) == 0
    assert "stays until a later `rulings gc`" in capsys.readouterr().err
    assert tables(postgres) == both
    monkeypatch.setenv("RULINGS_VECTORS", postgres.url())
    assert main(["gc", "--home", str(home), "--keep", "0"]) == 0
    assert tables(postgres) == [name for name in both if name not in old]
    assert not list((home / "generations").glob(".part-*"))


def test_a_build_that_fails_leaves_no_table(capsys, home, postgres, monkeypatch):
    before, used = tables(postgres), current(home).manifest.name

    def broken(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rulings.app.build.settle", broken)
    status, told = build(capsys, home, "--vectors", postgres.url())
    assert (status, told.count(postgres.password)) == (1, 0)
    assert tables(postgres) == before
    assert current(home).manifest.name == used


@pytest.mark.parametrize(
    ("engine", "status", "told"),
    [
        ("postgresql://me:secret@127.0.0.1:9/x", 1, "postgresql://127.0.0.1:9/x: no connection"),
        ("qdrant+http://127.0.0.1:9", 1, "qdrant+http://127.0.0.1:9: no answer"),
        ("mysql://me:secret@h/x", 2, "no engine is called so"),
        ("qdrant+http://me:secret@h", 2, "QDRANT_API_KEY"),
        ("faiss", 2, "take one of numpy, faiss-ivf"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_read(capsys, home, engine, status, told):
    used = current(home).manifest.name
    found, error = build(capsys, home, "--vectors", engine)
    assert found == status
    assert told in error.splitlines()[-1]
    assert "secret" not in error
    assert "read the sources" not in error
    assert current(home).manifest.name == used
