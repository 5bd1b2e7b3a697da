"""One query over graphs on several servers: what a server doesn't hold itself is fetched by SERVICE.

Each triple of the query goes to the servers whose graphs have its relation (or its class), and neighbours that go to
the same one go together, as in A. Schwarte, P. Haase, K. Hose, R. Schenkel, M. Schmidt: FedX, 2011. The first server
runs the query: https://www.w3.org/TR/sparql11-federated-query/.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise

from rulings.graph.errors import QueryError
from rulings.graph.query_tokens import Token, tokens
from rulings.graph.query_walk import GRAPHS, Walk
from rulings.graph.sparql import Result
from rulings.graph.triple_blocks import Alternative, Triple, alternatives, read_block

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

Wanted = tuple[str, str]
"""A relation's term and, for a type, the class's; both as written, empty for any."""


@dataclass(frozen=True, slots=True)
class SourcesQuery:
    """A query that finds which graphs of a server have what; row n of its answer stands for ``asked[n]``."""

    text: str
    asked: tuple[tuple[Wanted, str], ...]


Held = Mapping[Wanted, Sequence[str]]
"""The graphs of a server that have each of what is wanted."""


def sources_query(query: str) -> SourcesQuery:
    """The query that asks a server what it holds of what another query wants.

    Raises:
        QueryError: the query can't be shared out.
    """
    wanted: dict[Wanted, None] = {}

    def see(block: list[Token], _: Sequence[str]) -> str:
        for one in alternatives(read_block(block), count(1)):
            wanted.update((want, None) for triple in one.triples for want in _wanted(triple))
        return ""

    prologue, _ = Walk(tokens(query), see).whole()
    asked = tuple((want, graph) for want in wanted for graph in GRAPHS)
    parts = [
        f"{{ SELECT ({n} AS ?n) {{ GRAPH <{graph}> {{ ?s {relation or '?p'} {kind or '?o'} }} }} LIMIT 1 }}"
        for n, ((relation, kind), graph) in enumerate(asked)
    ]
    return SourcesQuery(f"{prologue} SELECT ?n {{ {' UNION '.join(parts)} }}", asked)


def sources_read(answer: Result, wanted: SourcesQuery) -> Held:
    """What a server holds, from its answer to `sources_query`."""
    held: dict[Wanted, list[str]] = {want: [] for want, _ in wanted.asked}
    for row in answer:
        want, graph = wanted.asked[int(row["n"])]
        if graph not in held[want]:
            held[want].append(graph)
    return held


def federated(query: str, addresses: Sequence[str], held: Sequence[Held]) -> str:
    """Write a query for the first of some servers, which fetches from the others what it lacks.

    Answers are those of a store with all graphs: a triple that several graphs have counts once.

    Args:
        query: Any SELECT, ASK or CONSTRUCT, with its prefixes declared.
        addresses: Of the servers, the one that runs it first.
        held: What each holds, as `sources_read` gives it.

    Raises:
        QueryError: it has what can't be shared out: blank nodes, lists, a DESCRIBE, FROM, GRAPH with a variable.
    """
    fresh = count(1)
    every = any(_is_star(pair) for pair in pairwise(tokens(query)))

    def write(block: list[Token], graphs: Sequence[str]) -> str:
        triples = read_block(block)
        found = [_shared_out(one, addresses, held, graphs) for one in alternatives(triples, fresh)]
        text = found[0] if len(found) == 1 else " UNION ".join(f"{{ {one} }}" for one in found)
        if every and "?_fed" in text:  # variables that were put in must not show
            return f"{{ SELECT {' '.join(sorted(_variables(triples)))} {{ {text} }} }}"
        return text

    prologue, body = Walk(tokens(query), write).whole()
    return f"{prologue} {body}"


def _is_star(pair: tuple[Token, Token]) -> bool:
    return pair[0].word in {"SELECT", "DISTINCT", "REDUCED"} and pair[1].text == "*"


def _wanted(triple: Triple) -> Iterator[Wanted]:
    """What a graph must have to say anything about a triple."""
    if _is_type(triple.path.text) and not triple.object.startswith("?"):
        yield triple.path.text, triple.object
    else:
        yield from ((relation, "") for relation in triple.path.terms())


def _is_type(term: str) -> bool:
    return term in {"a", "rdf:type", f"<{_TYPE}>"}


def _shared_out(one: Alternative, addresses: Sequence[str], held: Sequence[Held], graphs: Sequence[str]) -> str:
    """A block without choices, shared out."""
    single: dict[tuple[int, str], list[Triple]] = {}
    parts: list[str] = []
    for triple in one.triples:
        wants = list(_wanted(triple))
        places = [
            (n, graph)
            for n, known in enumerate(held)
            for graph in graphs
            if any(graph in known[want] for want in wants)
        ]
        if triple.path.kind == "more" and len(places) > 1:
            raise QueryError(f"{triple.path} runs over several graphs, so it can't be shared out; write its steps out")
        if len(places) == 1:
            single.setdefault(places[0], []).append(triple)
        else:
            parts.append(_in_several(triple, places, addresses) if places else _nowhere(triple))
    for place, some in single.items():
        parts += [_at(place, group, addresses) for group in _connected(some)]
    parts += [f"FILTER({a} != {b})" for a, b in one.different]
    parts += [f"BIND({value} AS {name})" for value, name in one.same]
    return " ".join(parts)


def _in_several(triple: Triple, places: Sequence[tuple[int, str]], addresses: Sequence[str]) -> str:
    """A triple that several graphs may have, each answer once."""
    union = " UNION ".join(f"{{ {_at(place, [triple], addresses)} }}" for place in places)
    names = sorted(_variables([triple]))
    shown = " ".join(names) if names else "(true AS ?_fed0)"
    return f"{{ SELECT DISTINCT {shown} {{ {union} }} }}"


def _nowhere(triple: Triple) -> str:
    """What binds the variables of a triple that no graph has, and matches nothing."""
    names = sorted(_variables([triple])) or ["?_fed0"]
    return f"VALUES ({' '.join(names)}) {{ }}"


def _at(place: tuple[int, str], triples: Sequence[Triple], addresses: Sequence[str]) -> str:
    server, graph = place
    text = " . ".join(f"{t.subject} {t.path} {t.object}" for t in triples)
    block = f"{{ GRAPH <{graph}> {{ {text} }} }}"
    return f"SERVICE <{addresses[server]}> {block}" if server else block


def _variables(triples: Sequence[Triple]) -> set[str]:
    terms = (term for t in triples for term in (t.subject, t.path.text, t.object))
    return {term for term in terms if term.startswith("?")}


def _connected(triples: Sequence[Triple]) -> list[list[Triple]]:
    """Triples in groups that share variables: apart, so that no server is asked for all pairs of two sets."""
    groups: list[tuple[set[str], list[Triple]]] = []
    for triple in triples:
        names, some = _variables([triple]), [triple]
        apart = []
        for group in groups:
            if names & group[0]:
                names, some = names | group[0], group[1] + some
            else:
                apart.append(group)
        groups = [*apart, (names, some)]
    return [some for _, some in groups]
