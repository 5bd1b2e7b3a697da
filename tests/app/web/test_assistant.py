"""Assistants, through the protocol's own client: in memory, over standard input and output, and over HTTP."""

import asyncio
import json
import sys
from contextlib import asynccontextmanager

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from rulings.app.web.assistant import assistant
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.serving import Serving

QUESTION = "If I copy a creature, does the copy have the counters that were on it?"


@asynccontextmanager
async def opened(home, **limits):
    serving = Serving(home, QueryLimits(workers=1, **limits))
    await serving.open()
    try:
        async with Client(assistant(lambda: serving.now)) as client:
            yield client
    finally:
        await serving.close()


def run(home, *calls, **limits):
    """The results of some tool calls, in order."""

    async def all_of_them():
        async with opened(home, **limits) as client:
            return [await client.call_tool(name, words) for name, words in calls]

    return asyncio.run(all_of_them())


def told(result):
    assert result.is_error
    return result.content[0].text


def test_ask_gives_rulings_that_can_be_cited(sample_home):
    (result,) = run(sample_home, ("ask", {"question": QUESTION, "k": 2}))
    found = result.structured_content
    assert not result.is_error
    assert found["answered"] is True
    assert "Copy" in found["understood"]
    assert len(found["rulings"]) == 2
    first = found["rulings"][0]
    assert first["id"].startswith("https://w3id.org/rulings/id/statement/")
    assert all(card["published"][:2] == "20" for card in first["cards"])
    assert all(rule["edition"] and rule["text"] for rule in found["rules"])
    assert len(json.dumps(found)) < 6000


def test_ask_says_when_nothing_settles_it(sample_home):
    (result,) = run(sample_home, ("ask", {"question": "How much is a black lotus worth in euros today?"}))
    assert result.structured_content["answered"] is False
    assert "No ruling" in result.structured_content["note"]


def test_show_then_follow_an_id(sample_home):
    (shown,) = run(sample_home, ("show", {"name": "Clone"}))
    card = shown.structured_content
    assert card["kind"] == "card"
    assert card["rulings"]
    about, everything, none = run(
        sample_home,
        ("follow", {"id": card["id"], "relation": "about"}),
        ("follow", {"id": card["id"], "limit": 5}),
        ("follow", {"id": "Clone", "relation": "outdatedBy"}),
    )
    rows = about.structured_content["rows"]
    assert rows
    assert all(row["direction"] == "from" and "/ruling/" in row["id"] for row in rows)
    assert len(everything.structured_content["rows"]) == 5
    assert everything.structured_content["more"] is True
    assert none.structured_content == {"rows": [], "more": False}


def test_query_gives_plain_rows_answers_and_triples(sample_home):
    rows, yes, triples = run(
        sample_home,
        ("query", {"sparql": 'SELECT ?n { ?c rul:name "Clone" ; rul:name ?n }'}),
        ("query", {"sparql": "ASK { ?c a rul:Card }"}),
        ("query", {"sparql": "CONSTRUCT { ?c a rul:Card } { ?c a rul:Card }", "limit": 3}),
    )
    assert rows.structured_content == {"rows": [{"n": "Clone"}], "more": False}
    assert yes.structured_content == {"answer": True}
    assert len(triples.structured_content["triples"]) == 3
    assert triples.structured_content["left_out"] == 187


@pytest.mark.parametrize(
    ("tool", "words", "message"),
    [
        ("show", {"name": "No such card at all"}, "nothing is called"),
        ("ask", {"question": "???"}, "no words"),
        ("ask", {"question": "x" * 3000}, "2000"),
        ("ask", {"question": "Clone?", "k": 1000}, "20"),
        ("follow", {"id": "Clone", "relation": "about> ?x } #"}, "is no relation"),
        ("follow", {"id": "https://w3id.org/rulings/id/card/x> ?y ?z } #"}, "nothing is called"),
        ("query", {"sparql": "SELECT"}, "line 1"),
        ("query", {"sparql": "DELETE WHERE { ?s ?p ?o }"}, ""),
        ("query", {"sparql": "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"}, "SERVICE"),
    ],
)
def test_mistakes_are_told(sample_home, tool, words, message):
    (result,) = run(sample_home, (tool, words))
    assert message in told(result)
    assert "Traceback" not in told(result)


def test_a_query_past_its_time_is_ended_and_the_next_one_answered(sample_home):
    long, short = run(
        sample_home,
        ("query", {"sparql": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"}),
        ("query", {"sparql": "ASK { ?c a rul:Card }"}),
        seconds=1.0,
    )
    assert "1 s, its limit" in told(long)
    assert short.structured_content == {"answer": True}


def test_resources_are_read_by_their_address(sample_home):
    async def read():
        async with opened(sample_home) as client:
            templates = await client.list_resource_templates()
            shown = await client.call_tool("show", {"name": "Clone"})
            oracle_id = shown.structured_content["oracle_id"]
            card = await client.read_resource(f"rulings://card/{oracle_id}")
            concept = await client.read_resource("rulings://concept/copy")
            number = shown.structured_content["rulings"][0]
            with pytest.raises(MCPError):
                await client.read_resource("rulings://card/none")
            return templates, card, concept, number

    templates, card, concept, _ = asyncio.run(read())
    assert {t.uri_template for t in templates.resource_templates} == {
        "rulings://card/{oracle_id}",
        "rulings://concept/{slug}",
        "rulings://rule/{edition}/{number}",
    }
    assert json.loads(card.contents[0].text)["name"] == "Clone"
    assert json.loads(concept.contents[0].text)["label"] == "Copy"


def test_tools_say_what_they_are(sample_home):
    async def listed():
        async with opened(sample_home) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in asyncio.run(listed())}
    assert set(tools) == {"ask", "show", "follow", "query"}
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools.values())


def test_over_standard_input_and_output(sample_home):
    async def asked():
        words = ["-m", "rulings.app.command", "mcp", "--home", str(sample_home)]
        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
            return await client.call_tool("ask", {"question": QUESTION, "k": 1})

    assert asyncio.run(asked()).structured_content["answered"] is True


def test_over_http(server):
    async def asked():
        async with Client(f"{server.url}/mcp") as client:
            return await client.call_tool("ask", {"question": QUESTION, "k": 1})

    assert asyncio.run(asked()).structured_content["answered"] is True
    strange = server.post(b"{}", "application/json", "/mcp", Host="example.org")
    assert strange.status == 421
