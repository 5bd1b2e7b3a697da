"""How sure the derived edges at a node are, read from the links beside the store, a few records a node."""

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property
from urllib.parse import unquote

from rulings.graph import edge_rows
from rulings.graph.archive import Analyses
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive


class Confidences:
    """Confidences by relation and other end. Nodes are given by kind and IRI.

    The link nodes of the store say the same, but each is seven triples away.
    """

    def __init__(self, archive: Archive, analyses: Analyses, iris: Iris) -> None:
        self.archive, self.analyses, self.iris = archive, analyses, iris
        self._known: dict[str, dict[tuple[str, str], float]] = {}

    def outward(self, kind: str, node: str) -> dict[tuple[str, str], float]:
        """How sure the edges that leave a node are."""
        known = self._known.get(node)
        if known is None:
            known = self._known[node] = {}
            for relation, end, derived, confidence in self._rows(kind, node):
                if derived and end is not None and confidence is not None:
                    # A float of at most three digits, as the graph has it; of several links the first is in the graph.
                    known.setdefault((relation, end), round(confidence, 3))
        return known

    def inward(self, kind: str, node: str, relation: str, others: Iterable[tuple[str, str]]) -> dict[str, float]:
        """How sure the edges of a relation are that come to a node from others (each a kind and an IRI)."""
        if relation in {"clarifies", "mentions", "cites"}:
            # One look-up turned round; for a rule of an older edition there is none, and none is needed.
            found = self.analyses.statements(kind.lower(), _name(node))
            return {self.iris.statement(key): sure for name, key, sure in reversed(found) if name == relation}
        return {other: self.outward(of, other).get((relation, node), 0.0) for of, other in others}

    def _rows(self, kind: str, node: str) -> Iterator[edge_rows.Row]:
        name = _name(node)
        match kind:
            case "Statement":
                yield from edge_rows.statement_rows(self.analyses.analysis(name), self._newest, self.iris)
                for pair in self.analyses.restatements(name):
                    if pair.subject == name:
                        yield edge_rows.restatement_row(pair, self.iris)
            case "Card":
                for key in dict.fromkeys(key for _, key in self.archive.rulings(name)):
                    yield from edge_rows.copy_rows(self.analyses.analysis(key), self.iris)
                yield from edge_rows.use_rows(self.analyses.card_uses(name), self.iris)
                yield from edge_rows.likeness_rows(self.analyses.alike(name), self.iris)
            case "Face":
                yield from edge_rows.use_rows(self.analyses.card_uses(unquote(node.split("/")[-2])), self.iris)
            case "Rule":
                day = node.split("/")[-2]
                for same in self.analyses.same_rules(name):
                    if same.number == name and f"{same.edition:%Y%m%d}" == day:
                        yield edge_rows.same_rule_row(same, self.iris)

    @cached_property
    def _newest(self) -> date | None:
        """The newest edition, as `Corpus.newest` has it."""
        counts = {day: self.archive.rule_count(day) for day in self.archive.editions}
        return max((day for day, n in counts.items() if n and n * 10 >= max(counts.values())), default=None)


def _name(node: str) -> str:
    return unquote(node.rpartition("/")[2])
