"""Every command on the built-in sample, as a user calls it: what it prints, and how it ends."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rulings.app.command import main


@pytest.fixture
def call(sample_home, capsys):
    """Run a command in the sample's home and give its status, output and error output."""

    def run(*words: str, home: Path = sample_home) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main([*words[:1], "--home", str(home), *words[1:]])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


QUESTION = "If I copy a creature, does the copy have the counters that were on it?"


def test_ask_answers_with_linked_rulings(call):
    status, out, _ = call("ask", QUESTION, "--why")
    assert status == 0
    assert out.startswith("1. ")
    assert "-->" in out
    assert "About: " in out


def test_ask_as_json_has_the_fixed_shape(call):
    status, out, _ = call("ask", QUESTION, "--json", "-k", "3")
    answer = json.loads(out)
    assert status == 0
    assert list(answer) == [
        "id",
        "question",
        "language",
        "answered",
        "confidence",
        "reading",
        "results",
        "rules",
        "took_ms",
    ]
    assert list(answer["reading"]) == ["cards", "concepts", "rules", "negated", "intent"]
    assert 1 <= len(answer["results"]) <= 3
    first = answer["results"][0]
    assert list(first) == [
        "rank",
        "score",
        "id",
        "key",
        "text",
        "same_as",
        "cards",
        "concepts",
        "rules",
        "outdated",
        "why",
    ]
    assert first["id"] == f"https://w3id.org/rulings/id/statement/{first['key']}"
    assert set(first["cards"][0]) == {"name", "oracle_id", "published"}
    assert all(set(step) == {"from", "relation", "to"} for step in first["why"])
    assert first["why"][0]["from"] == "question"


def test_the_answer_is_the_same_each_time(call):
    def bare(out: str) -> dict:
        return {name: value for name, value in json.loads(out).items() if name != "took_ms"}

    assert bare(call("ask", QUESTION, "--json")[1]) == bare(call("ask", QUESTION, "--json")[1])


def test_a_batch_is_answered_in_order(call, tmp_path):
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        '{"id": 7, "question": "What is a split card?"}\n\n{"id": "a", "question": "Was ist eine Kopie?"}\n',
        encoding="utf-8",
    )
    status, out, _ = call("ask", "--batch", str(questions), "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["id"] for line in lines] == [7, "a"]
    assert lines[1]["language"] == "de"


def test_a_batch_comes_from_standard_input(call, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"question": "What is a split card?"}\n')))
    status, out, _ = call("ask", "--batch", "-", "--json", "-k", "1")
    assert (status, json.loads(out)["question"]) == (0, "What is a split card?")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("not json\n", "line 1: not a JSON object"),
        ('{"id": 1, "question": "fine?"}\n{"id": 2}\n', 'line 2: no "question"'),
        ('{"id": 1, "question": 7}\n', "line 1"),
        (None, "can't be read"),
    ],
)
def test_a_bad_question_file_is_told_in_one_line(call, tmp_path, content, said):
    path = tmp_path / "questions.jsonl"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    status, out, err = call("ask", "--batch", str(path), "--json")
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["ask"],
        ["ask", "x", "-k", "0"],
        ["ask", "x", "-k", "many"],
        ["sparql"],
        ["sparql", "SELECT"],
        ["show", "no such thing at all"],
        ["export", "graph.docx"],
        ["evaluate", "missing.jsonl"],
        ["frobnicate"],
        ["ask", "y" * 10_001],
        ["sparql", "-f", "missing.rq"],
    ],
)
def test_bad_usage_ends_with_two_and_one_line(call, words):
    status, out, err = call(*words)
    assert (status, out) == (2, "")
    assert err.startswith("rulings: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_show_every_kind(call):
    for name, kind in (("Clone", "card"), ("Copy", "concept"), ("707.2", "rule"), ("2026-02-27", "edition")):
        status, out, _ = call("show", name)
        assert status == 0
        assert f"[{kind}]" in out
    status, out, _ = call("show", "Clone", "--json")
    card = json.loads(out)
    key = card["rulings"][0]["key"]
    assert card["kind"] == "card"
    assert json.loads(call("show", key, "--json")[1])["text"] == card["rulings"][0]["text"]


def test_sparql_in_every_format(call, tmp_path):
    query = "SELECT ?name ?day { ?r rul:about ?c; dcterms:issued ?day . ?c rul:name ?name } ORDER BY ?name ?day LIMIT 2"
    assert call("sparql", query)[1].splitlines()[0].split() == ["name", "day"]
    assert len(json.loads(call("sparql", query, "--format", "json")[1])["results"]["bindings"]) == 2
    assert call("sparql", "ASK { ?c a rul:Card }")[1] == "yes\n"
    file = tmp_path / "q.rq"
    file.write_text("CONSTRUCT { ?c rul:name ?n } { ?c a rul:Card; rul:name ?n } LIMIT 1", encoding="utf-8")
    assert "rul:name" in call("sparql", "-f", str(file))[1]


def test_info_counts_what_is_there(call):
    facts = json.loads(call("info", "--json")[1])
    counted = json.loads(call("sparql", "SELECT (COUNT(*) AS ?n) { ?s a rul:Statement }", "--format", "json")[1])
    assert str(facts["counts"]["statements"]) == counted["results"]["bindings"][0]["n"]["value"]
    assert facts["sample"] is True
    assert facts["model"]["dimensions"] == 384
    assert "generation" in call("info")[1]
    assert call("info", "--problems")[0] == 0


def test_export_reads_back(call, tmp_path):
    import pyoxigraph as ox

    facts = json.loads(call("info", "--json")[1])
    nquads, lines = tmp_path / "graph.nq", tmp_path / "statements.jsonl"
    assert call("export", str(nquads))[0] == call("export", str(lines))[0] == 0
    assert sum(1 for _ in ox.parse(path=str(nquads), format=ox.RdfFormat.N_QUADS)) == facts["counts"]["quads"]
    assert len(lines.read_text(encoding="utf-8").splitlines()) == facts["counts"]["statements"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["graph.nq", "statements.jsonl"]


def test_evaluate_prints_figures(call):
    path = Path(__file__).parents[1] / "questions_sample.jsonl"
    figures = json.loads(call("evaluate", str(path), "--json")[1])
    assert figures["all"]["hit@5"] > 0.8


def test_nothing_built_is_told_by_all_but_ask(call, tmp_path):
    for words in (["info"], ["show", "Clone"], ["sparql", "ASK {}"]):
        status, _, err = call(*words, home=tmp_path / "empty")
        assert status == 2
        assert "run `rulings build`" in err
    assert not (tmp_path / "empty").exists()


def test_a_build_that_fails_leaves_the_old_generation(call, sample_home, tmp_path):
    before = (sample_home / "current").read_text()
    for name, content in (
        ("empty.json", b""),
        ("cut.json", b'[{"object": "card", "name": "A'),
        ("odd.bin", bytes(range(256))),
    ):
        (tmp_path / name).write_bytes(content)
        status, _, err = call("build", str(tmp_path / name))
        assert status == 2
        assert name in err
    assert call("build", str(tmp_path / "missing.json"))[0] == 2
    assert (sample_home / "current").read_text() == before
    assert [p.name for p in (sample_home / "generations").iterdir()] == [before.strip()]


def test_ask_never_imports_torch(sample_home):
    code = (
        "import sys; from rulings.app.command import main; "
        f"main(['ask', '--home', {str(sample_home)!r}, 'what is a copy?']); "
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'onnx', 'rdflib') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONUTF8": "1"}
    )
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_a_closed_pipe_is_no_error(sample_home):
    code = "import sys; from rulings.app.command import main; sys.exit(main(sys.argv[1:]))"
    words = ["sparql", "--home", str(sample_home), "SELECT * { ?s ?p ?o }", "--format", "csv"]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0


def test_an_endless_query_stops_at_once(sample_home):
    words = ["sparql", "--home", str(sample_home), "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"]
    process = subprocess.Popen([sys.executable, "-m", "rulings.app.command", *words], stderr=subprocess.PIPE)
    time.sleep(3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) != 0


def test_control_characters_never_reach_the_terminal():
    from rulings.app.output import printable, table

    assert printable("a\x1b[31mred\x07") == "a\ufffd[31mred\ufffd"
    assert "\x1b" not in table(["h"], [["\x1b[2J"]])


def test_faults_end_with_one_and_one_line(monkeypatch, capsys):
    from rulings.app import command

    monkeypatch.setattr(command, "_runner", lambda _: lambda _args: 1 / 0)
    monkeypatch.delenv("RULINGS_DEBUG", raising=False)
    assert main(["info"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_query_from_standard_input(call, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("ASK { ?c a skos:Nothing }"))
    assert call("sparql", "-f", "-")[1] == "no\n"


def test_named_queries_are_listed_and_run(call):
    listed = call("sparql", "--list")[1]
    assert "@card-rulings  What are the rulings of a card, newest first?\n    card=Clone\n" in listed
    day = call("sparql", "@card-rulings", "card=Clone", "--format", "csv")[1].splitlines()[1].split(",")[0]
    assert day == max(ruling["published"] for ruling in json.loads(call("show", "Clone", "--json")[1])["rulings"])
    graph = json.loads(call("sparql", "@card-graph", "--format", "jsonld")[1])
    assert any(node["@id"].endswith("/concept/copy") for node in graph)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["@card-rulings", "name=Clone"], "has no parameter 'name'"),
        (["@card-rulings", "Clone"], "'Clone' is no KEY=VALUE"),
        (["@card-rulings", "card=Clone", "card=Fork"], "card has two values"),
        (["@card-ruling"], "did you mean @card-rulings?"),
        (["ASK {}", "card=Clone"], "values go with a named query"),
        (["SELECT ?c { ?s rul:clarify ?c }"], "rul:clarify at line 1, column 16: did you mean rul:clarifies?"),
    ],
)
def test_a_slip_in_a_query_is_told(call, words, said):
    status, out, err = call("sparql", *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_batch_keeps_to_k_and_takes_a_bom(call, tmp_path):
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id": "a", "question": "What does a copy of a copy look like?"}\n', encoding="utf-8-sig")
    assert len(json.loads(call("ask", "--batch", str(path), "--json", "-k", "3")[1])["results"]) == 3
    assert len(json.loads(call("ask", "--batch", str(path), "--json")[1])["results"]) == 10


@pytest.mark.parametrize("question", ["\U0001f642", "...", "\ud800", "\0"])
def test_a_question_without_words_is_bad_input(call, question):
    status, out, err = call("ask", question)
    assert (status, out) == (2, "")
    assert "no words" in err


def test_a_broken_sign_in_a_question_does_no_harm(call):
    assert call("ask", "does a copy \udcff keep its counters?")[0] == 0


def test_sources_that_are_none(call, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name, said in ((str(tmp_path / "pipe"), "neither a file nor a folder"), ("", "an empty name is no source")):
        status, _, err = call("build", name, home=tmp_path / "home")
        assert status == 2
        assert said in err


def test_a_table_shows_the_first_rows_only_and_says_so(call, monkeypatch):
    from rulings.app import query

    monkeypatch.setattr(query, "MOST_ROWS", 5)
    status, out, err = call("sparql", "SELECT ?s { ?s ?p ?o }")
    assert status == 0
    assert len(out.splitlines()) == 7
    assert "only the first 5 rows" in err
    assert "no rows" in call("sparql", 'SELECT ?c { ?c rul:name "Nobody" }')[2]


def test_rows_are_written_as_they_are_found(sample_home):
    words = ["sparql", "--home", str(sample_home), "SELECT * { ?a ?b ?c . ?d ?e ?f }", "--format", "csv"]
    process = subprocess.Popen([sys.executable, "-m", "rulings.app.command", *words], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().strip().split(",") != [""]
        assert process.stdout.readline().count(",") >= 5
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def test_signs_that_the_output_lacks_are_replaced(sample_home):
    words = ["sparql", "--home", str(sample_home), 'SELECT ("\u00e9\u2013" AS ?x) {}']
    done = subprocess.run(
        [sys.executable, "-m", "rulings.app.command", *words],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.stdout.split()[-1] == b"??"
