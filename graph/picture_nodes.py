"""What the nodes of a picture are called: a head, a short label, and the whole text for those who point at it."""

from collections.abc import Iterable

from rulings.graph.archive import Analyses
from rulings.graph.describe import outdated_reason
from rulings.graph.lookup import Node
from rulings.graph.picture import PictureNode, shortened
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive

LONGEST_LABEL = 112
"""Characters of a label; the whole text is shown to those who point at the node."""


class NodeWords:
    """Puts the nodes of the graph in words."""

    def __init__(self, archive: Archive, analyses: Analyses, iris: Iris) -> None:
        self.archive, self.analyses, self.iris = archive, analyses, iris
        self._editions = archive.editions

    def key(self, node: Node) -> str:
        """The node's name in a picture: its IRI without the common start."""
        return node.iri(self.iris).removeprefix(self.iris.base)

    def node(self, node: Node, column: int = 0) -> PictureNode:
        """The node as a picture shows it."""
        words = {
            "card": self._card,
            "concept": self._concept,
            "rule": self._rule,
            "statement": self._statement,
            "edition": self._edition,
        }
        head, label, text = words[node.kind](node)
        return PictureNode(
            self.key(node), node.kind, head, shortened(label, LONGEST_LABEL), text, node.iri(self.iris), column
        )

    def day(self, node: Node) -> str:
        """The day that orders wordings and editions through the years (ISO 8601); empty for other nodes."""
        if node.kind == "statement":
            statement = self.archive.statement(node.name)
            return max((ruling.published.isoformat() for ruling in statement.rulings), default="") if statement else ""
        return node.edition.isoformat() if node.edition else ""

    def name(self, node: Node) -> str:
        """What the node is called in a sentence."""
        if node.kind == "rule":
            return f"rule {node.name}"
        if node.kind == "statement":
            return "the ruling"
        return str(self.node(node).label)

    def title(self, node: Node) -> str:
        """What a picture of the node's surroundings shows."""
        name = self.name(node)
        match node.kind:
            case "card":
                return f"{name}: its rulings, and what they are about"
            case "concept":
                return f"{name}: its place among concepts and rules, and the rulings about it"
            case "rule":
                return f"{name[0].upper()}{name[1:]}: the rules around it, and the rulings that rest on it"
            case "statement":
                return f"A ruling on {self._cards(node)}: what it is about, and its wordings through the years"
        return f"The rules of {name}"

    def _card(self, node: Node) -> tuple[str, str, str]:
        card = self.archive.card(node.name)
        if card is None:
            return "card", node.name, node.name
        facts = (card.name, card.mana_cost, card.type_line, card.text)
        return "card", card.name, _lines(facts)

    def _concept(self, node: Node) -> tuple[str, str, str]:
        concept = self.analyses.concept(node.name)
        if concept is None:
            return "concept", node.name, node.name
        statements, cards = self.analyses.concept_size(node.name)
        counted = f"named by {statements:,} rulings on {cards:,} cards"
        return "concept", concept.label, _lines((f"{concept.label} ({concept.kind})", concept.definition, counted))

    def _rule(self, node: Node) -> tuple[str, str, str]:
        rule = self.archive.rule(node.name, node.edition)
        if rule is None:
            return f"rule {node.name}", "", ""
        edition = "" if rule.edition == self._editions[-1] else f" of {rule.edition.isoformat()}"
        whole = _lines((f"{rule.number} (rules of {rule.edition.isoformat()})", rule.text, *rule.examples))
        return f"rule {rule.number}{edition}", rule.text, whole

    def _statement(self, node: Node) -> tuple[str, str, str]:
        statement = self.archive.statement(node.name)
        if statement is None:
            return "ruling", node.name, node.name
        days = sorted({ruling.published.isoformat() for ruling in statement.rulings})
        reason = outdated_reason(self.analyses.analysis(node.name).outdated)
        head = ("outdated ruling " if reason else "ruling ") + (days[-1] if days else "")
        where = f"on {self._cards(node)}" + (f", {days[0]}" if days else "") + (f" to {days[-1]}" if days[1:] else "")
        return head.strip(), statement.text, _lines((statement.text, where, f"Outdated: {reason}" if reason else ""))

    def _edition(self, node: Node) -> tuple[str, str, str]:
        day = node.edition.isoformat() if node.edition else node.name
        return "rules edition", day, f"The Comprehensive Rules in force from {day}"

    def _cards(self, node: Node) -> str:
        """The cards of a statement, at most three by name."""
        statement = self.archive.statement(node.name)
        found = [self.archive.card(oracle_id) for oracle_id in statement.oracle_ids] if statement else []
        names = [card.name for card in found if card]
        more = f" and {len(names) - 3:,} more cards" if len(names) > 3 else ""
        return ", ".join(names[:3]) + more or "no card"


def _lines(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part)
