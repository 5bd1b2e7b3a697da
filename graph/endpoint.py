"""A graph on a SPARQL 1.1 server, asked over HTTP as the one on disk is; or on several servers, one of which asks.

https://www.w3.org/TR/sparql11-protocol/
"""

import re
from collections.abc import Sequence
from urllib.parse import urlencode

import pyoxigraph as ox

from rulings.graph.errors import QueryError, RemoteError
from rulings.graph.federation import federated, sources_query, sources_read
from rulings.graph.query_guard import refuse
from rulings.graph.query_terms import check_terms, masked
from rulings.graph.query_tokens import tokens
from rulings.graph.sparql import Result
from rulings.graph.sparql_http import Client, Limits, checked
from rulings.graph.vocabulary import ASSERTED, DERIVED, PREFIXES
from rulings.ingest.addresses import shown

_ROWS, _FORMS = {"SELECT", "ASK"}, {"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"}
_FROM = re.compile(r"(?<![?$\w:])FROM\b(?!:)", re.IGNORECASE)
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*):", re.IGNORECASE)
ROWS, TRIPLES = "application/sparql-results+json", "text/turtle"


class Endpoint:
    """Servers that hold the named graphs; the first is asked, and calls the others by SERVICE where it must.

    Args:
        addresses: Where each takes queries.
        limits: Of a query.

    Raises:
        RemoteAddressError: one is no address.
    """

    def __init__(self, addresses: Sequence[str], limits: Limits | None = None) -> None:
        self.addresses = tuple(checked(address) for address in addresses)
        self._client = Client(limits or Limits())

    def sparql(self, query: str, *, service: bool = False) -> Result:
        """Run a query of any form over the union of the two named graphs; prefixes are declared.

        ``service`` lets it call other servers by SERVICE of its own.

        Raises:
            QueryError: as `rulings.graph.sparql.evaluate`, or it can't be shared out over several servers.
            RemoteError: a server can't be reached in time, refuses the query or answers what can't be read.
        """
        bare = masked(query)
        refuse(query, bare, service=service)
        check_terms(query, bare)
        form = next((token.word for token in tokens(query) if token.word in _FORMS), None)
        if form is None:
            raise QueryError("the query has no SELECT, ASK, CONSTRUCT or DESCRIBE")
        rows = form in _ROWS
        whole = f"{_prologue(bare)}{query}"
        if len(self.addresses) > 1:
            whole = self._shared_out(whole)
        elif not _FROM.search(bare):
            return self._asked(whole, rows=rows, graphs=(ASSERTED, DERIVED))
        return self._asked(whole, rows=rows)

    def _shared_out(self, query: str) -> str:
        wanted = sources_query(query)
        held = [sources_read(self._asked(wanted.text, rows=True, at=at), wanted) for at in self.addresses]
        return federated(query, self.addresses, held)

    def _asked(self, query: str, *, rows: bool, graphs: Sequence[str] = (), at: str | None = None) -> Result:
        address = at or self.addresses[0]
        form = [("query", query)]
        form += [(name, graph) for graph in graphs for name in ("default-graph-uri", "named-graph-uri")]
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": ROWS if rows else TRIPLES}
        body = self._client.send("POST", address, urlencode(form).encode(), headers)
        try:
            return _read_rows(body) if rows else _read_triples(body)
        except (SyntaxError, ValueError) as error:
            raise RemoteError(
                f"{shown(address)}: the answer can't be read ({' '.join(str(error).split())}); is it a SPARQL server?"
            ) from error


def _prologue(bare: str) -> str:
    """Declarations, on one line, of the known prefixes that a query doesn't declare itself."""
    own = set(_DECLARED.findall(bare))
    return "".join(f"PREFIX {name}: <{iri}> " for name, iri in PREFIXES.items() if name not in own)


def _read_rows(body: bytes) -> Result:
    def parsed() -> ox.QuerySolutions | ox.QueryBoolean:
        return ox.parse_query_results(body, format=ox.QueryResultsFormat.JSON)

    found = parsed()
    if isinstance(found, ox.QueryBoolean):
        truth = found
        return Result("boolean", ("ask",), [(bool(truth),)], lambda form: truth.serialize(format=form))
    variables = tuple(variable.value for variable in found.variables)
    return Result("rows", variables, list(map(tuple, found)), lambda form: parsed().serialize(format=form) or b"")


def _read_triples(body: bytes) -> Result:
    triples = [(quad.subject, quad.predicate, quad.object) for quad in ox.parse(body, format=ox.RdfFormat.TURTLE)]
    return Result("graph", ("subject", "predicate", "object"), list(dict.fromkeys(triples)), None)
