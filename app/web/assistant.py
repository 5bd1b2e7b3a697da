"""What assistants get by the Model Context Protocol: tools to ask, show, follow and query, and resources to read."""

import asyncio
import logging
import re
from collections.abc import Callable
from importlib import metadata
from typing import Annotated, Any, ParamSpec, TypeVar

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from rulings.app.errors import HttpError
from rulings.app.web.query_frames import Task
from rulings.app.web.query_run import CutError
from rulings.app.web.serving import Served
from rulings.app.web.small_answers import Small, small_answer, small_node
from rulings.graph.describe import Describer
from rulings.graph.lookup import find
from rulings.ingest import RulingsError

_P = ParamSpec("_P")
_T = TypeVar("_T")
Now = Callable[[], Served]
"""Gives what is served at the moment."""

_LONGEST = 2000
"""Characters of a question or a name."""
_ANSWER = 1 << 20
"""Bytes of a query's answer."""
_ROWS = 50
_INSTRUCTIONS = """\
Official rulings of Magic: The Gathering as a knowledge graph. Use `ask` for a question about how cards or rules work;
cite the ruling's text with its card and day, and rules by number and edition. When `answered` is false, no ruling
settles it: say so. `show` looks up a card, concept or rule; `follow` walks the graph from an id; `query` takes
SPARQL."""
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Question = Annotated[str, Field(description="The question in plain words", min_length=1, max_length=_LONGEST)]
Name = Annotated[
    str,
    Field(description="A card, concept or rule number as people write it, or an id", min_length=1, max_length=_LONGEST),
]


def assistant(now: Now) -> MCPServer[Any]:
    """The server of tools and resources over what is served."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    server: MCPServer[Any] = MCPServer(
        "rulings",
        title="Rulings",
        instructions=_INSTRUCTIONS,
        version=metadata.version("rulings-graph"),
        log_level="WARNING",
        subscriptions=False,
    )
    # it sets the whole program's logging up, which isn't a part's to do
    root.handlers[:] = handlers
    root.setLevel(level)
    _add_tools(server, now)
    _add_resources(server, now)
    return server


def _add_tools(server: MCPServer[Any], now: Now) -> None:
    @server.tool(title="Ask for rulings", annotations=_READS)
    async def ask(question: Question, k: Annotated[int, Field(ge=1, le=20)] = 3) -> Small:
        """Answer a question about Magic with at most k official rulings, best first, and the rules in force."""
        kb = now().kb
        return small_answer(await _told(kb.ask, question, k))

    @server.tool(title="Show a card, concept or rule", annotations=_READS)
    async def show(name: Name) -> Small:
        """Show a card with its rulings, a concept with its rulings and rules, a rule with its text, or a ruling."""
        return await _told(_shown, now(), name)

    @server.tool(title="Follow links", annotations=_READS)
    async def follow(
        id: Name,  # noqa: A002 - what the other tools call it
        relation: Annotated[str, Field(description="One relation, as clarifies or worksLike; empty: all")] = "",
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
    ) -> Small:
        """List what the graph links a node to, in both directions: relation, id and label of each neighbour."""
        served = now()
        node = await _told(_iri, served, id)
        if relation and not re.fullmatch(r"[A-Za-z]+", relation):
            raise ToolError(f"{relation!r} is no relation; write a name like clarifies, about or worksLike")
        return await _rows(served, _links(node, relation, limit + 1), limit)

    @server.tool(title="Query the graph by SPARQL", annotations=_READS)
    async def query(
        sparql: Annotated[str, Field(description="SPARQL 1.1; prefixes are declared", max_length=20_000)],
        limit: Annotated[int, Field(ge=1, le=500)] = _ROWS,
    ) -> Small:
        """Run a SELECT or ASK query, read-only and within a time limit; at most `limit` rows come back."""
        return await _rows(now(), sparql, limit)


def _add_resources(server: MCPServer[Any], now: Now) -> None:
    async def read(tail: str) -> str:
        served = now()
        try:
            shown = await asyncio.to_thread(_shown, served, f"{served.generation.iris.base}{tail}")
        except RulingsError as error:
            raise ResourceNotFoundError(str(error)) from error
        return msgspec.json.encode(shown).decode()

    @server.resource("rulings://card/{oracle_id}", title="A card with its rulings", mime_type="application/json")
    async def card(oracle_id: str) -> str:
        return await read(f"card/{oracle_id}")

    @server.resource("rulings://concept/{slug}", title="A concept of the rules", mime_type="application/json")
    async def concept(slug: str) -> str:
        return await read(f"concept/{slug}")

    @server.resource("rulings://rule/{edition}/{number}", title="A rule of an edition", mime_type="application/json")
    async def rule(edition: str, number: str) -> str:
        return await read(f"rule/{edition}/{number}")


async def _told(work: Callable[_P, _T], *words: _P.args, **named: _P.kwargs) -> _T:
    """Do some work in a thread; a mistake of the asker's is told to them."""
    try:
        return await asyncio.to_thread(work, *words, **named)
    except RulingsError as error:
        raise ToolError(str(error)) from error


def _shown(served: Served, name: str) -> Small:
    made = served.generation
    nodes = find(name, made.archive, made.analyses, made.iris)
    described = Describer(made.archive, made.analyses, made.iris, limit=10).describe(nodes[0])
    also = {"also": [node.iri(made.iris) for node in nodes[1:5]]} if len(nodes) > 1 else {}
    return small_node(described) | also


def _iri(served: Served, name: str) -> str:
    made = served.generation
    if name.startswith(made.iris.base) and not re.search(r'[\s<>"{}|\\^`]', name):
        return name
    return find(name, made.archive, made.analyses, made.iris)[0].iri(made.iris)


def _links(node: str, relation: str, limit: int) -> str:
    """A query for the neighbours of a node, without the link nodes that hold the evidence."""
    one = f"FILTER(?relation IN (rul:{relation}, skos:{relation}))" if relation else ""
    return f"""SELECT DISTINCT ?relation ?direction ?id ?label {{
      {{ <{node}> ?relation ?id BIND("to" AS ?direction) FILTER(isIRI(?id)) }}
      UNION {{ ?id ?relation <{node}> BIND("from" AS ?direction) }}
      FILTER(STRSTARTS(STR(?relation), STR(rul:)) || STRSTARTS(STR(?relation), STR(skos:))) {one}
      OPTIONAL {{ ?id rdfs:label ?label }}
    }} LIMIT {limit}"""


async def _rows(served: Served, query: str, limit: int) -> Small:
    """The rows of a query run apart, as plain values."""
    limits = served.queries.limits
    task = Task(query, (), (), "json", "nt", limits.seconds, _ANSWER, service=False, head_only=False)
    try:
        running = await served.queries.begin(task)
        body = running.whole
        if body is None:
            body = b"".join([part async for part in running.chunks()])
    except HttpError as error:
        raise ToolError(error.detail) from error
    except CutError as error:
        raise ToolError(str(error)) from error
    if running.kind == "graph":
        lines = body.decode().splitlines()
        return {"triples": lines[:limit], "left_out": max(0, len(lines) - limit)}
    found = msgspec.json.decode(body)
    if "boolean" in found:
        return {"answer": found["boolean"]}
    rows = [{name: cell["value"] for name, cell in row.items()} for row in found["results"]["bindings"][:limit]]
    return {"rows": rows, "more": len(found["results"]["bindings"]) > limit}
