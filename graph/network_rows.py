"""Every node and edge of the graph as plain rows with readable keys, read from the records and links beside the store.

The store says the same and is the authority on it, but hands out each triple as an object of its own, which for
everything takes ten times as long.
"""

from collections.abc import Collection, Iterator

from rulings.graph import edge_rows
from rulings.graph.asserted import shortened
from rulings.graph.node_keys import Keys
from rulings.graph.records import CardUse, Derived
from rulings.graph.vocabulary import Iris
from rulings.ingest import Corpus

NodeRow = tuple[str, dict[str, str]]
"""A node's key and its attributes: kind, label, iri, and where there are such, text and date."""
EdgeRow = tuple[str, str, str, bool, float | None]
"""The key an edge starts from, its relation, the key it leads to, whether it was derived, how sure it is."""


class NetworkRows:
    """The rows of one generation."""

    def __init__(self, corpus: Corpus, derived: Derived, iris: Iris) -> None:
        self.corpus, self.derived, self.iris = corpus, derived, iris
        self.keys = Keys(corpus, derived, iris)

    def nodes(self, kind: str) -> Iterator[NodeRow]:
        """The nodes of a kind."""
        for key, label, iri, text, day in {
            "Card": self._cards,
            "Face": self._faces,
            "Ruling": self._rulings,
            "Statement": self._statements,
            "Concept": self._concepts,
            "Rule": self._rules,
            "Edition": self._editions,
        }[kind]():
            about = {"kind": kind, "label": label, "iri": iri}
            if text:
                about["text"] = text
            if day:
                about["date"] = day
            if key is not None:
                yield key, about

    _Node = tuple[str | None, str, str, str, str]

    def _cards(self) -> Iterator[_Node]:
        for i, card in self.corpus.cards.items():
            yield self.keys.card(i), card.name, self.iris.card(i), card.text, ""

    def _faces(self) -> Iterator[_Node]:
        for i, card in self.corpus.cards.items():
            for n, face in enumerate(card.faces) if len(card.faces) > 1 else ():
                yield self.keys.face(i, n), face.name, self.iris.face(i, n), face.text, ""

    def _rulings(self) -> Iterator[_Node]:
        for r in self.corpus.rulings:
            day = r.published.isoformat()
            key, iri = (names.ruling(r.oracle_id, r.published, r.key) for names in (self.keys, self.iris))
            yield key, f"{self.corpus.cards[r.oracle_id].name}, {day}", iri or "", "", day

    def _statements(self) -> Iterator[_Node]:
        for key, s in self.corpus.statements.items():
            yield key, shortened(s.text), self.iris.statement(key), s.text, ""

    def _concepts(self) -> Iterator[_Node]:
        for slug, c in self.derived.concepts.items():
            yield self.keys.concept(slug), c.label, self.iris.concept(slug), c.definition, ""

    def _rules(self) -> Iterator[_Node]:
        for day, edition in self.corpus.editions.items():
            for number, rule in edition.rules.items():
                label = f"{number} {rule.text}" if rule.is_heading else number
                yield self.keys.rule(day, number), label, self.iris.rule(day, number), rule.text, ""

    def _editions(self) -> Iterator[_Node]:
        for day in self.corpus.editions:
            label = f"Rules of {day.isoformat()}"
            yield self.keys.edition(day), label, self.iris.edition(day), "", day.isoformat()

    def edges(self, wanted: Collection[str]) -> Iterator[EdgeRow]:
        """The edges of the relations, those asserted first; one that was found several times comes as often."""
        sources = [self._of_cards(), self._of_rulings(), self._of_rules(), self._of_concepts(), self._of_statements()]
        sources += [self._of_uses()]
        if "worksLike" in wanted:
            sources.append(self._of_likeness())
        for source in sources:
            for start, (relation, end, derived, confidence) in source:
                if relation in wanted and start is not None and end is not None:
                    yield start, relation, end, derived, confidence

    _Edges = Iterator[tuple[str | None, edge_rows.Row]]

    def _of_cards(self) -> _Edges:
        kinds = ("keyword", "ability word")
        slugs = {c.label.casefold(): slug for slug, c in self.derived.concepts.items() if c.kind.startswith(kinds)}
        for i, card in self.corpus.cards.items():
            key = self.keys.card(i)
            for slug in filter(None, (slugs.get(keyword.casefold()) for keyword in card.keywords)):
                yield key, ("hasKeyword", self.keys.concept(slug), False, None)
            for n in range(len(card.faces)) if len(card.faces) > 1 else ():
                face = self.keys.face(i, n)
                yield key, ("hasFace", face, False, None)
                yield face, ("faceOf", key, False, None)

    def _of_rulings(self) -> _Edges:
        for r in self.corpus.rulings:
            key = self.keys.ruling(r.oracle_id, r.published, r.key)
            for row in edge_rows.ruling_rows(r, self.corpus.cards[r.oracle_id], self.keys):
                yield key, row

    def _of_rules(self) -> _Edges:
        for day, edition in self.corpus.editions.items():
            for rule in edition.rules.values():
                key = self.keys.rule(day, rule.number)
                for row in edge_rows.rule_rows(rule, edition, self.keys):
                    yield key, row
        for same in self.derived.same_rules:
            yield self.keys.rule(same.edition, same.number), edge_rows.same_rule_row(same, self.keys)

    def _of_concepts(self) -> _Edges:
        newest = self.corpus.newest.effective if self.corpus.newest else None
        for slug, concept in self.derived.concepts.items():
            for row in edge_rows.concept_rows(concept, newest, self.keys):
                yield self.keys.concept(slug), row

    def _of_statements(self) -> _Edges:
        newest = self.corpus.newest.effective if self.corpus.newest else None
        for key, analysis in self.derived.analyses.items():
            for row in edge_rows.statement_rows(analysis, newest, self.keys):
                yield key, row
            for row in edge_rows.copy_rows(analysis, self.keys) if analysis.copies else ():
                for oracle_id in self.corpus.statements[key].oracle_ids:
                    yield self.keys.card(oracle_id), row
        for pair in self.derived.restatements:
            yield self.keys.statement(pair.subject), edge_rows.restatement_row(pair, self.keys)

    def _of_uses(self) -> _Edges:
        for use in self.derived.card_uses:
            for row in edge_rows.use_rows([use], self.keys):
                yield self._user(use), row

    def _user(self, use: CardUse) -> str | None:
        n = edge_rows.face_number(self.corpus.cards[use.oracle_id], use.face) if use.face else None
        return self.keys.card(use.oracle_id) if n is None else self.keys.face(use.oracle_id, n)

    def _of_likeness(self) -> _Edges:
        for oracle_id, alikes in self.derived.works_like.items():
            key = self.keys.card(oracle_id)
            for row in edge_rows.likeness_rows(alikes, self.keys):
                yield key, row
