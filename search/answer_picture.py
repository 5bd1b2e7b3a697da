"""A picture of an answer: from the question along its paths to the rulings, then their cards and rules."""

from dataclasses import replace
from typing import Literal

from rulings.graph.archive import Analyses
from rulings.graph.errors import UnknownNameError
from rulings.graph.lookup import Node, find
from rulings.graph.picture import MOST_NODES, LeftOut, Picture, PictureEdge, PictureNode, shortened
from rulings.graph.picture_nodes import LONGEST_LABEL, NodeWords
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive
from rulings.search.answer import Answer, Result

_QUESTION = "question"
_CARDS, _RULES = 2, 2
"""How many cards and rules are drawn with a ruling."""


def answer_picture(
    answer: Answer, archive: Archive, analyses: Analyses, iris: Iris, *, results: int = 6, most: int = MOST_NODES
) -> Picture:
    """Picture how the first ``results`` rulings of an answer were found, with the cards and rules that they go with."""
    shown = answer.results[:results]
    growing = _Growing(answer, archive, analyses, iris, max((len(result.why) for result in shown), default=0), most)
    for result in shown:
        growing.path(result)
    for result in shown:
        growing.company(result)
    left = {"rulings found": len(answer.results) - len(shown), **{w: len(keys) for w, keys in growing.missing.items()}}
    places = {"rulings found": "the question"}
    out = tuple(LeftOut(count, what, places.get(what, "")) for what, count in left.items() if count)
    asked = shortened(answer.question, 90)
    title = f"How “{asked}” was answered" if answer.answered else f"No ruling settles “{asked}”; the nearest"
    return Picture(title, _QUESTION, tuple(growing.nodes.values()), tuple(growing.edges.values()), out)


class _Growing:
    """The picture while it is made; rulings stand in the column ``last``."""

    def __init__(self, answer: Answer, archive: Archive, analyses: Analyses, iris: Iris, last: int, most: int) -> None:
        self.answer, self.archive, self.analyses, self.iris = answer, archive, analyses, iris
        self.words = NodeWords(archive, analyses, iris)
        self.last, self.most = last, most
        asked = PictureNode(
            _QUESTION, "question", "question", shortened(answer.question, LONGEST_LABEL), answer.question
        )
        self.nodes: dict[str, PictureNode] = {_QUESTION: asked}
        self.edges: dict[tuple[str, str, str], PictureEdge] = {}
        self.missing: dict[str, set[str]] = {"cards": set(), "rules": set()}

    def path(self, result: Result) -> None:
        """Take in the steps from the question to a ruling."""
        statement = self._ruling(result)
        here = _QUESTION
        for place, step in enumerate(result.why, 1):
            last = place == len(result.why)
            there = statement if last else self._named(step.to, result.why[place].relation, place)
            self._edge(here, step.relation, there, result)
            here = there

    def company(self, result: Result) -> None:
        """Take in the first cards and rules of a ruling."""
        statement = self.words.key(Node("statement", result.key))
        rules = {link.number: link.confidence for link in self.analyses.analysis(result.key).rules}
        day = self.archive.editions[-1] if self.archive.editions else None
        cards = [Node("card", card.oracle_id) for card in result.cards]
        wanted = [(node, "about", "cards", n < _CARDS) for n, node in enumerate(cards)]
        wanted += [
            (Node("rule", rule.number, day), "clarifies", "rules", n < _RULES) for n, rule in enumerate(result.rules)
        ]
        for node, relation, what, drawn in wanted:
            key = self.words.key(node)
            if key not in self.nodes:
                if not drawn or len(self.nodes) >= self.most:
                    self.missing[what].add(key)
                    continue
                self.nodes[key] = self.words.node(node, self.last + 1)
            sure = round(rules[node.name], 3) if node.kind == "rule" and node.name in rules else None
            self._put(PictureEdge(statement, relation, key, sure))

    def _ruling(self, result: Result) -> str:
        node = self.words.node(Node("statement", result.key), self.last)
        self.nodes[node.key] = replace(node, head=f"{result.rank}. {node.head}")
        return node.key

    def _named(self, name: str, following: str, column: int) -> str:
        """The card or concept that a step leads to, told from the step after it."""
        concept = following == "clarifies" or (following == "mentions" and name not in self.answer.reading.cards)
        kind: Literal["concept", "card"] = "concept" if concept else "card"
        try:
            found = [n for n in find(name, self.archive, self.analyses, self.iris) if n.kind == kind and not n.face]
        except UnknownNameError:
            found = []
        node = self.words.node(found[0], column) if found else PictureNode(name, kind, kind, name, name, "", column)
        self.nodes.setdefault(node.key, node)
        return node.key

    def _edge(self, here: str, relation: str, there: str, result: Result) -> None:
        """An edge of the path: one that tells of a ruling leads from it, whichever way the path goes."""
        if here == _QUESTION:
            self._put(PictureEdge(here, relation, there, result.score if relation == "resembles" else None))
        elif relation in {"about", "mentions", "clarifies"}:
            self._put(PictureEdge(there, relation, here, self._sure(result.key, relation, here)))
        else:
            self._put(PictureEdge(here, relation, there, self._alike(here, there)))

    def _sure(self, key: str, relation: str, target: str) -> float | None:
        """How sure it is that a statement mentions or clarifies something."""
        analysis = self.analyses.analysis(key)
        sure = {self.words.key(Node("card", m.oracle_id)): m.confidence for m in analysis.mentions_cards}
        sure |= {self.words.key(Node("concept", m.concept)): m.confidence for m in analysis.mentions_concepts}
        if relation == "clarifies":
            sure |= {self.words.key(Node("concept", c.concept)): c.confidence for c in analysis.clarifies}
        return round(sure[target], 3) if relation != "about" and target in sure else None

    def _alike(self, here: str, there: str) -> float | None:
        for alike in self.analyses.alike(self.nodes[here].iri.rpartition("/")[2]):
            if self.words.key(Node("card", alike.oracle_id)) == there:
                return round(alike.score, 3)
        return None

    def _put(self, edge: PictureEdge) -> None:
        self.edges.setdefault((edge.start, edge.relation, edge.end), edge)
