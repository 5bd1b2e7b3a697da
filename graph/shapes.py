"""The whole graph against its SHACL shapes, by set-based SPARQL: seconds where node by node takes minutes.

For each property shape a cheap query first tells whether any violation can be there at all: over the distinct values,
or by comparing counts. Only where it can, an exact query finds the violations.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from rulings.graph.shape_reading import Constraint, PropertyShape, read_shapes
from rulings.graph.sparql import readable
from rulings.graph.vocabulary import PREFIXES

SHAPES = Path(__file__).with_name("shapes.ttl")
_EXAMPLES = 5
_EVERY = 10**12


@dataclass(frozen=True, slots=True)
class Violation:
    """A constraint that some nodes don't meet.

    ``shape`` and ``path`` tell where, ``constraint`` what is wanted ("sh:maxCount 1"). ``count`` is the number of
    results as SHACL counts them: one a node for constraints on how many values it has, else one a node and value.
    ``examples`` are the first of them, as "node" or "node -> value".
    """

    shape: str
    path: str
    constraint: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        shown = "; ".join(self.examples)
        more = ", ..." if self.count > len(self.examples) else ""
        return f"{self.shape}, {self.path}: {self.count:,} against {self.constraint}: {shown}{more}"


def violations(store: ox.Store, shapes: Path = SHAPES) -> tuple[Violation, ...]:
    """Check the union of the named graphs against the shapes of a file.

    Classes are taken as stated: the graph has no subclasses of its own.

    Raises:
        ShapeError: the shapes can't be read.
    """
    check = _Check(store)
    return tuple(found for shape in read_shapes(shapes) for found in check.property(shape))


class _Check:
    """Runs the queries, and remembers what several shapes ask alike."""

    def __init__(self, store: ox.Store) -> None:
        self.store = store
        self._known: dict[str, int] = {}

    def property(self, shape: PropertyShape) -> Iterator[Violation]:
        node = f"?s a {shape.target}"
        value = f"?s {shape.path} ?v"
        tests = [constraint for constraint in shape.constraints if constraint.ok]
        all_good = " && ".join(constraint.ok for constraint in tests)
        # Without the limit the engine would test each triple before it takes the distinct values.
        distinct = f"{{ SELECT DISTINCT ?v {{ {value} }} LIMIT {_EVERY} }}"
        if tests and self._any(f"{distinct} FILTER(!({all_good}))"):
            for test in tests:
                # The values first: few of them are bad.
                bad = f"{distinct} FILTER(!{test.ok})"
                yield from self._found(shape, test, f"{{ SELECT ?v {{ {bad} }} }} {value} . {node}", "?s ?v")
        for constraint in shape.constraints:
            if not constraint.ok:
                query = self._together(constraint, node, value)
                if query:
                    yield from self._found(shape, constraint, *query)

    def _together(self, constraint: Constraint, node: str, value: str) -> tuple[str, str] | None:  # noqa: PLR0911
        """The pattern and the columns that find the violations of a constraint on all values of a node together."""
        term = constraint.term
        match constraint.name:
            case "minCount" if int(term) == 0:
                return None
            case "minCount" if int(term) == 1:
                # No node is without a value if those that have one are no more with the class's nodes added.
                having = self._number(f"COUNT(DISTINCT ?s) AS ?n) {{ {value} }}")
                if having == self._number(f"COUNT(DISTINCT ?s) AS ?n) {{ {{ {value} }} UNION {{ {node} }} }}"):
                    return None
                return f"{node} MINUS {{ {value} }}", "?s"
            case "maxCount" if int(term) == 1 and self._number(f"COUNT(*) AS ?n) {{ {value} }}") == self._number(
                f"COUNT(DISTINCT ?s) AS ?n) {{ {value} }}"
            ):
                return None
            case "minCount" | "maxCount":
                sign = "<" if constraint.name == "minCount" else ">"
                group = f"GROUP BY ?s HAVING (COUNT(DISTINCT ?v) {sign} {term})"
                return f"{{ SELECT ?s {{ {node} OPTIONAL {{ {value} }} }} {group} }}", "?s"
            case "uniqueLang":
                other = value.replace("?v", "?w")
                told = "?v != ?w && LANG(?v) != '' && LCASE(LANG(?v)) = LCASE(LANG(?w))"
                return f"{node} . {value} . {other} FILTER({told}) BIND(LCASE(LANG(?v)) AS ?l)", "?s ?l"
            case "disjoint":
                return f"{node} . {value} . ?s {term} ?v", "?s ?v"
            case _:
                return f"{node} FILTER NOT EXISTS {{ {value.replace('?v', term)} }}", "?s"

    def _found(self, shape: PropertyShape, constraint: Constraint, pattern: str, columns: str) -> Iterator[Violation]:
        count, first = 0, []
        for row in self._query(f"SELECT DISTINCT {columns} {{ {pattern} }}"):
            count += 1
            if count <= _EXAMPLES:
                first.append(" -> ".join(readable(row[n])[:200] for n in range(len(columns.split()))))
        if count:
            yield Violation(shape.shape, shape.label, constraint.said, count, tuple(first))

    def _any(self, pattern: str) -> bool:
        if pattern not in self._known:
            self._known[pattern] = bool(self._query(f"ASK {{ {pattern} }}"))
        return bool(self._known[pattern])

    def _number(self, query: str) -> int:
        if query not in self._known:
            self._known[query] = int(next(self._query(f"SELECT ({query}"))[0].value)
        return self._known[query]

    def _query(self, query: str) -> Any:  # noqa: ANN401
        return self.store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
