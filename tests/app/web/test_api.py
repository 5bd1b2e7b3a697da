"""The HTTP API: what the command line says, as JSON, with the manners of HTTP."""

import gzip
import json
from urllib.parse import quote

import jsonschema
import pytest

from rulings.app.command import main
from rulings.app.web.openapi import document

QUESTION = "If I copy a creature, does the copy have the counters that were on it?"
PAIRS = [
    ("/api/ask", {"q": QUESTION}),
    ("/api/show", {"name": "Clone"}),
    ("/api/complete", {"q": "clo"}),
]


@pytest.fixture
def printed(sample_home, capsys):
    """What the command line prints as JSON."""

    def run(command, *words):
        capsys.readouterr()
        assert main([command, "--home", str(sample_home), *words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return run


def test_ask_is_the_command_lines_answer(server, printed):
    answer = server.get("/api/ask", {"q": QUESTION, "k": 3}).json()
    same = printed("ask", QUESTION, "-k", "3")
    assert answer.pop("took_ms") > 0
    same.pop("took_ms")
    assert answer == same
    assert len(answer["results"]) == 3
    assert len(server.get("/api/ask", {"q": QUESTION}).json()["results"]) == len(printed("ask", QUESTION)["results"])


@pytest.mark.parametrize("name", ["Clone", "Copy", "707.2", "2026-02-27"])
def test_show_is_the_command_lines_answer(server, printed, name):
    assert server.get("/api/show", {"name": name}).json() == printed("show", name)
    assert server.get("/api/show", {"name": name, "k": 1}).json() == printed("show", name, "-k", "1")


def test_the_longest_question_fits_the_address(server):
    longest = QUESTION + " \N{OLD ITALIC LETTER A}" * ((10_000 - len(QUESTION)) // 2)
    assert server.get("/api/ask", {"q": longest}).json()["question"] == longest


def test_show_takes_the_ids_of_an_answer(server):
    first = server.get("/api/ask", {"q": QUESTION}).json()["results"][0]
    assert server.get("/api/show", {"name": first["id"]}).json()["text"] == first["text"]


def test_complete(server):
    answer = server.get("/api/complete", {"q": "clo", "k": 3}).json()
    assert answer["query"] == "clo"
    assert 1 <= len(answer["completions"]) <= 3
    assert {"name", "kind", "id", "language", "label"} == set(answer["completions"][0])
    assert "Clone" in [each["name"] for each in answer["completions"]]


def test_random_rulings_differ(server):
    answers = [server.get("/api/random") for _ in range(8)]
    assert all(answer.json()["kind"] == "statement" and answer.json()["text"] for answer in answers)
    assert len({answer.json()["key"] for answer in answers}) > 1
    assert "etag" not in answers[0].headers
    assert answers[0].headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "pairs", "status", "said"),
    [
        ("/api/ask", {}, 400, "q= is to be there once"),
        ("/api/ask", {"q": "  "}, 400, "q= is to be there once"),
        ("/api/ask", [("q", "a"), ("q", "b")], 400, "it is there 2 times"),
        ("/api/ask", {"q": "x" * 10_001}, 400, "at most 10,000"),
        ("/api/ask", {"q": "?!"}, 400, "no words"),
        ("/api/ask", {"q": "copy", "k": "0"}, 400, "k=0 is not a number from 1 to 100"),
        ("/api/ask", {"q": "copy", "k": "many"}, 400, "k=many is not a number"),
        ("/api/show", {}, 400, "name= is to be there once"),
        ("/api/show", {"name": "Clonee"}, 404, "did you mean 'Clone'"),
        ("/api/show", {"name": "../../etc/passwd"}, 404, "nothing is called"),
        ("/api/show", {"name": "https://w3id.org/rulings/id/card/../x"}, 404, "nothing is called"),
        ("/api/complete", {}, 400, "q= is to be there once"),
        ("/api/nothing", {}, 404, "nothing is here"),
    ],
)
def test_what_is_off_is_a_problem_document(server, path, pairs, status, said):
    answer = server.get(path, pairs)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail"}
    assert problem["status"] == status
    assert said in problem["detail"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "FROBNICATE"])
def test_only_reading_is_allowed(server, method):
    for path, _ in PAIRS:
        answer = server.request(method, path)
        assert answer.status == 405
        assert answer.headers["content-type"] == "application/problem+json"
        assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize(("path", "pairs"), PAIRS)
def test_an_answer_is_not_sent_twice(server, path, pairs):
    first = server.get(path, pairs)
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    assert first.headers["cache-control"] == "no-cache"
    again = server.get(path, pairs, If_None_Match=f'"other", {tag}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tag)
    assert server.get(path, pairs, If_None_Match='"other"').status == 200


def test_long_answers_are_zipped_where_wanted(server):
    plain = server.get("/api/show", {"name": "Clone"})
    zipped = server.get("/api/show", {"name": "Clone"}, Accept_Encoding="gzip")
    assert zipped.headers["content-encoding"] == "gzip"
    assert gzip.decompress(zipped.body) == plain.body
    assert "content-encoding" not in plain.headers


def test_browsers_of_any_site_may_read_and_none_may_do_more(server):
    answer = server.get("/api/ask", {"q": QUESTION}, Origin="https://example.org")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_openapi_document_is_served_and_every_answer_fits_it(server):
    served = server.get("/api/openapi.json").json()
    assert served["openapi"].startswith("3.1")
    assert served == document(served["info"]["version"])
    schemas = {"components": served["components"]}
    for path, pairs in [*PAIRS, ("/api/random", {}), ("/api/show", {"name": "Copy"}), ("/api/show", {"name": "707.2"})]:
        operation = served["paths"][path]["get"]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(server.get(path, pairs).json(), {**schemas, **schema})
    problem = {**schemas, "$ref": "#/components/schemas/Problem"}
    jsonschema.validate(server.get("/api/ask").json(), problem)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(server.get("/api/ask").json(), {**schemas, "$ref": "#/components/schemas/Answer"})


def test_the_openapi_document_names_every_address_of_the_api(server):
    paths = server.get("/api/openapi.json").json()["paths"]
    for path, item in paths.items():
        needed = {each["name"]: "Copy" for each in item["get"]["parameters"] if each.get("required")}
        assert server.get(path, needed).status == 200
    assert paths.keys() == {path for path, _ in PAIRS} | {"/api/random"}


def test_metrics_count_requests(server):
    def count(text):
        line = 'rulings_requests_total{method="GET",path="/api/complete",status="200"} '
        return sum(float(each[len(line) :]) for each in text.splitlines() if each.startswith(line))

    before = count(server.get("/metrics").text)
    server.get("/api/complete", {"q": "clo"})
    server.request("FROBNICATE", f"/{quote('a b')}/../c")
    after = server.get("/metrics")
    assert after.headers["content-type"].startswith("text/plain")
    assert count(after.text) == before + 1
    assert 'rulings_requests_total{method="other",path="other"' in after.text
    assert "rulings_query_processes" in after.text
    assert f'name="{server.get("/healthz").json()["generation"]}"' in after.text
