"""SPARQL over the store: prefixes declared, the union of the named graphs queried, results in every standard format."""

import re
from collections.abc import Iterator
from html import escape
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import pyoxigraph as ox

from rulings.graph.errors import TABLES, MissingExtraError, QueryError, StoreError
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

_FORBIDDEN = re.compile(r"\b(SERVICE|LOAD|INSERT|DELETE|CLEAR|CREATE|DROP|COPY|MOVE|ADD)\b", re.IGNORECASE)
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


def run(store: ox.Store, query: str, most: int | None = None) -> Result:
    """Run a query of any of the four forms over the union of the named graphs, or over those it names by FROM.

    ``most`` bounds the rows of a SELECT that are read; None: all.

    Raises:
        QueryError: the query can't be read (with line and column in the query as given), would write or call out, or
            has a ``rul:`` term that isn't in the vocabulary.
    """
    bare = masked(query)
    refused = _FORBIDDEN.search(re.sub(r"[?$]\w+|\w*:\w*", " ", bare))
    if refused:
        raise QueryError(
            f"{refused[1].upper()} is refused: the graph is read only; ask with SELECT, ASK, CONSTRUCT or DESCRIBE"
        )
    check_terms(query, bare)
    union = not _FROM.search(bare)
    try:
        raw = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=union)
        if isinstance(raw, ox.QueryBoolean):
            return Result("boolean", ("ask",), [(bool(raw),)], lambda form: raw.serialize(format=form))
        if isinstance(raw, ox.QueryTriples):
            triples = sorted({(t.subject, t.predicate, t.object) for t in raw}, key=lambda row: tuple(map(str, row)))
            return Result("graph", ("subject", "predicate", "object"), triples, None)
        names = tuple(variable.value for variable in raw.variables)
        rows = [tuple(solution[n] for n in range(len(names))) for solution in islice(raw, most)]
    except SyntaxError as error:
        raise QueryError(_explained(str(error), query)) from error
    except (OSError, ValueError, RuntimeError) as error:
        if "orruption" in str(error):
            raise StoreError(f"the graph is damaged ({error}); run `rulings build` again") from error
        raise QueryError(f"the query could not be run: {error}") from error

    def serialized(form: ox.QueryResultsFormat) -> bytes:
        # The engine's own writer wants a result that was not read yet.
        fresh = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=union)
        return (fresh.serialize(format=form) or b"") if isinstance(fresh, ox.QuerySolutions) else b""

    return Result("rows", names, rows, serialized)


def stream(store: ox.Store, query: str, form: str, output: IO[bytes]) -> bool:
    """Write the rows of a SELECT to ``output`` as they are found; False, with nothing written, for another form.

    Raises:
        QueryError: as `run`.
    """
    probe = run(store, query, most=0)
    if probe.kind != "rows" or form not in ROW_FORMATS:
        return False
    union = not _FROM.search(masked(query))
    raw = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=union)
    if not isinstance(raw, ox.QuerySolutions):
        return False
    raw.serialize(output=output, format=ROW_FORMATS[form])
    return True


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
