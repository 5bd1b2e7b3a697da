"""SPARQL over the store: prefixes declared, the union of the named graphs queried, results in every standard format."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import pyoxigraph as ox

from rulings.graph.errors import TABLES, MissingExtraError, QueryError, StoreError
from rulings.graph.query_guard import refuse
from rulings.graph.query_terms import check_terms, masked
from rulings.graph.vocabulary import PREFIXES

if TYPE_CHECKING:
    import pandas as pd

ROW_FORMATS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
GRAPH_FORMATS = {
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "jsonld": ox.RdfFormat.JSON_LD,
    "xml": ox.RdfFormat.RDF_XML,
}

Found = ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples
"""What the engine gives: rows or triples that are found while they are read, or a truth."""

_FROM = re.compile(r"(?<![?$\w:])FROM\b(?!:)", re.IGNORECASE)
_PLACE = re.compile(r"error at (\d+):(\d+): (.*)", re.DOTALL)


class Result:
    """The answer to a query.

    ``kind`` is "rows", "boolean" or "graph". ``variables`` are the columns of a SELECT (``ask`` for an ASK;
    ``subject``, ``predicate``, ``object`` for a CONSTRUCT or DESCRIBE). Iterating gives a row as a dict from
    variable to a Python value: str, int, float, bool, a date as text, None where unbound.
    """

    def __init__(self, kind: str, variables: tuple[str, ...], rows: list[tuple[Any, ...]], raw: Any) -> None:  # noqa: ANN401
        self.kind = kind
        self.variables = variables
        self.terms = rows
        self._raw = raw

    def __len__(self) -> int:
        return len(self.terms)

    def __bool__(self) -> bool:
        """For an ASK its answer, else whether there are rows."""
        return bool(self.terms[0][0]) if self.kind == "boolean" else bool(self.terms)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self.terms:
            yield dict(zip(self.variables, map(value, row), strict=True))

    def to_pandas(self) -> "pd.DataFrame":
        """The rows as a pandas DataFrame: a column a variable, values as when iterating.

        Raises:
            MissingExtraError: pandas isn't installed.
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("a table for pandas needs pandas; install it with: " + TABLES) from None
        return pd.DataFrame([list(map(value, row)) for row in self.terms], columns=list(self.variables))

    def serialize(self, form: str) -> bytes:
        """Write the result in a standard format.

        Raises:
            QueryError: this kind of result has no such format.
        """
        if self.kind == "graph":
            if form not in GRAPH_FORMATS:
                raise QueryError(
                    f"a CONSTRUCT or DESCRIBE has no format {form!r}; take one of {', '.join(GRAPH_FORMATS)}"
                )
            triples = [ox.Triple(*row) for row in self.terms]
            return ox.serialize(triples, format=GRAPH_FORMATS[form], prefixes=PREFIXES) or b""
        if form not in ROW_FORMATS:
            raise QueryError(f"a SELECT or ASK has no format {form!r}; take one of table, {', '.join(ROW_FORMATS)}")
        return bytes(self._raw(ROW_FORMATS[form]))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.variables)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(readable(cell))}</td>" for cell in row) + "</tr>" for row in self.terms[:200]
        )
        more = f"<p>{len(self.terms) - 200} more rows</p>" if len(self.terms) > 200 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def value(cell: Any) -> Any:  # noqa: ANN401
    """A term as a Python value: numbers and booleans as such, all else as text."""
    if cell is None or isinstance(cell, bool):
        return cell
    if isinstance(cell, ox.Literal):
        kind = cell.datatype.value.rpartition("#")[2]
        if kind == "integer":
            return int(cell.value)
        if kind in {"decimal", "double", "float"}:
            return float(cell.value)
        if kind == "boolean":
            return cell.value in {"true", "1"}
        return cell.value
    return str(cell.value) if isinstance(cell, ox.NamedNode) else str(cell)


def readable(cell: Any) -> str:  # noqa: ANN401
    """A term as a person reads it: known prefixes put in, literals bare, nothing for an unbound one."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, ox.NamedNode):
        return short_iri(cell.value)
    return str(cell.value) if isinstance(cell, ox.Literal) else str(cell)


_BY_LENGTH = sorted(PREFIXES.items(), key=lambda item: -len(item[1]))


def short_iri(iri: str) -> str:
    """An IRI with a declared prefix where one fits, else as it is."""
    for name, start in _BY_LENGTH:
        if iri.startswith(start) and len(iri) > len(start):
            return f"{name}:{iri[len(start) :]}"
    return iri


def evaluate(
    store: ox.Store, query: str, *, default: Sequence[str] = (), named: Sequence[str] = (), service: bool = False
) -> Found:
    """Check a query of any of the four forms and start it.

    It runs over the union of the named graphs, or over those it names by FROM; what a dataset given here holds wins.

    Args:
        store: Where to ask.
        query: The query; the prefixes of `PREFIXES` are declared.
        default: IRIs of the graphs that together are the default graph.
        named: IRIs of the graphs that GRAPH sees. Where only one of the two is given, the other is empty.
        service: Whether the query may call other servers by SERVICE.

    Raises:
        QueryError: the query can't be read (with line and column in the query as given), would write or call out, or
            has a ``rul:`` term that isn't in the vocabulary.
        StoreError: the graph is damaged.
    """
    bare = masked(query)
    refuse(query, bare, service=service)
    check_terms(query, bare)
    with told(query):
        if default or named:
            return store.query(
                query,
                prefixes=PREFIXES,
                default_graph=[ox.NamedNode(iri) for iri in default],
                named_graphs=[ox.NamedNode(iri) for iri in named],
            )
        return store.query(query, prefixes=PREFIXES, use_default_graph_as_union=not _FROM.search(bare))


@contextmanager
def told(query: str) -> Iterator[None]:
    """Turn the engine's errors, while a query is started or its findings are read, into ours."""
    try:
        yield
    except SyntaxError as error:
        raise QueryError(_explained(str(error), query)) from error
    except (BrokenPipeError, QueryError):
        raise
    except (OSError, ValueError, RuntimeError) as error:
        if "orruption" in str(error):
            raise StoreError(f"the graph is damaged ({error}); run `rulings build` again") from error
        raise QueryError(f"the query could not be run: {error}") from error


def kind_of(found: Found) -> str:
    """Tell "rows", "boolean" or "graph"."""
    if isinstance(found, ox.QueryBoolean):
        return "boolean"
    return "graph" if isinstance(found, ox.QueryTriples) else "rows"


def run(store: ox.Store, query: str, most: int | None = None, *, service: bool = False) -> Result:
    """Run a query to its end; see `evaluate` for the errors, and for ``service``.

    ``most`` bounds the rows of a SELECT that are read; None: all.
    """
    found = evaluate(store, query, service=service)
    if isinstance(found, ox.QueryBoolean):
        return Result("boolean", ("ask",), [(bool(found),)], lambda form: found.serialize(format=form))
    with told(query):
        if isinstance(found, ox.QueryTriples):
            triples = [(t.subject, t.predicate, t.object) for t in found]
            return Result("graph", ("subject", "predicate", "object"), triples, None)
        rows = list(map(tuple, islice(found, most)))

    def serialized(form: ox.QueryResultsFormat) -> bytes:
        # The engine's own writer wants a result that was not read yet.
        fresh = evaluate(store, query, service=service)
        return (fresh.serialize(format=form) or b"") if isinstance(fresh, ox.QuerySolutions) else b""

    return Result("rows", tuple(variable.value for variable in found.variables), rows, serialized)


def stream(store: ox.Store, query: str, form: str, output: IO[bytes], *, service: bool = False) -> bool:
    """Write the rows of a SELECT to ``output`` as they are found; False, with nothing written, for another form.

    Raises:
        QueryError: as `evaluate`.
    """
    found = evaluate(store, query, service=service)
    if kind_of(found) != "rows" or form not in ROW_FORMATS:
        return False
    with told(query):
        write(found, form, output)
    return True


def write(found: Found, form: str, output: IO[bytes]) -> None:
    """Write what a query finds in a format of `ROW_FORMATS`, or of `GRAPH_FORMATS`, while it is found."""
    if isinstance(found, ox.QuerySolutions):
        found.serialize(output=output, format=ROW_FORMATS[form])
    elif isinstance(found, ox.QueryBoolean):
        output.write(found.serialize(format=ROW_FORMATS[form]) or b"")
    elif form == "nt":
        # Without prefixes the engine can write by itself, and no triple becomes a Python object.
        found.serialize(output=output, format=GRAPH_FORMATS[form])
    else:
        ox.serialize(found, output=output, format=GRAPH_FORMATS[form], prefixes=PREFIXES)


def _explained(message: str, query: str) -> str:
    """The engine's message with the faulty line of the query and the terms it may have meant."""
    found = _PLACE.search(message)
    if not found:
        return f"the query can't be read: {message}"
    line, column, reason = int(found[1]), int(found[2]), found[3].strip()
    lines = query.splitlines()
    if "Prefix not found" in reason and 0 < line <= len(lines):
        prefix = (re.findall(r"([\w.-]*):", lines[line - 1][:column]) or [""])[-1]
        known = ", ".join(PREFIXES)
        return f"unknown prefix {prefix!r} at line {line}, column {column}; declare it, or use one of {known}"
    shown = f": {lines[line - 1].strip()!r}" if 0 < line <= len(lines) else ""
    return f"the query can't be read at line {line}, column {column}{shown}: {' '.join(reason.split())}"
