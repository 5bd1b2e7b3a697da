"""Loading named graphs into a SPARQL server in pieces, by the Graph Store Protocol or by SPARQL Update.

https://www.w3.org/TR/sparql11-http-rdf-update/ and https://www.w3.org/TR/sparql11-update/
"""

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Protocol
from urllib.parse import urlencode

import pyoxigraph as ox

from rulings.graph.errors import RemoteError
from rulings.graph.sparql_http import Client, Limits, checked

STORE_PIECE = 8 << 20
"""Bytes of a request to a graph store."""
UPDATE_PIECE = 256 << 10
"""Bytes of an update: Virtuoso compiles each into one procedure."""
_LIMITS = Limits(seconds=600.0, size=16 << 20)


class Writer(Protocol):
    """Writes triples (lines of N-Triples) to a named graph of a server."""

    @property
    def piece(self) -> int:
        """Bytes of a request, at most."""
        ...

    def replace(self, graph: str, lines: bytes) -> None:
        """Make these the only triples of the graph."""
        ...

    def add(self, graph: str, lines: bytes) -> None:
        """Add triples to the graph."""
        ...


@dataclass(frozen=True, slots=True)
class GraphStore:
    """A server's address for the Graph Store Protocol, of indirectly named graphs."""

    address: str
    client: Client = field(default_factory=lambda: Client(_LIMITS))
    piece: int = STORE_PIECE

    def replace(self, graph: str, lines: bytes) -> None:
        """As `Writer.replace`."""
        self._send("PUT", graph, lines)

    def add(self, graph: str, lines: bytes) -> None:
        """As `Writer.add`."""
        self._send("POST", graph, lines)

    def _send(self, method: str, graph: str, lines: bytes) -> None:
        joined = "&" if "?" in self.address else "?"
        url = f"{checked(self.address)}{joined}{urlencode({'graph': graph})}"
        # N-Triples are Turtle, which is what every server takes
        self.client.send(method, url, lines, {"Content-Type": "text/turtle"})


@dataclass(frozen=True, slots=True)
class UpdateEndpoint:
    """A server's address for SPARQL updates."""

    address: str
    client: Client = field(default_factory=lambda: Client(_LIMITS))
    piece: int = UPDATE_PIECE

    def replace(self, graph: str, lines: bytes) -> None:
        """As `Writer.replace`."""
        self._send(b"DROP SILENT GRAPH <%b>" % graph.encode())
        self.add(graph, lines)

    def add(self, graph: str, lines: bytes) -> None:
        """As `Writer.add`."""
        if lines:
            self._send(b"INSERT DATA { GRAPH <%b> {\n%b} }" % (graph.encode(), lines))

    def _send(self, update: bytes) -> None:
        body = urlencode({"update": update}).encode()
        self.client.send("POST", checked(self.address), body, {"Content-Type": "application/x-www-form-urlencoded"})


def load_graph(store: ox.Store, graph: str, to: Writer, tell: Callable[[int], None] = lambda _: None) -> int:
    """Replace a named graph of a server by that of a store, in pieces of at most ``to.piece`` bytes and a line.

    Readers see a part of the graph meanwhile; after a failure, load it again.

    Args:
        store: Where the triples are.
        graph: The graph's IRI, the same on both sides.
        to: The server.
        tell: Called with the number of triples just written.

    Returns:
        The number of triples.

    Raises:
        RemoteError: the server can't be reached in time, or refuses; the message says how far it went.
    """
    done = 0
    with tempfile.TemporaryFile() as dump:
        store.dump(dump, format=ox.RdfFormat.N_TRIPLES, from_graph=ox.NamedNode(graph))
        dump.seek(0)
        try:
            for n, piece in enumerate(_pieces(dump, to.piece)):
                (to.add if n else to.replace)(graph, piece)
                done += piece.count(b"\n")
                tell(piece.count(b"\n"))
        except RemoteError as error:
            raise type(error)(f"{error} ({done:,} triples of <{graph}> were written; load it again)") from error
    return done


def _pieces(dump: IO[bytes], size: int) -> Iterator[bytes]:
    """Whole lines; one empty piece for an empty file."""
    first = True
    while (lines := dump.readlines(size)) or first:
        yield b"".join(lines)
        first = False
