"""A node with its neighbours as plain data, ready for JSON: what `show` prints and the servers answer."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from rulings.graph.archive import Analyses
from rulings.graph.lookup import Node
from rulings.graph.records import Outdating
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, Rule


class Describer:
    """Describes nodes; ``limit`` bounds each list of neighbours, and ``more`` then counts what was left out."""

    def __init__(self, archive: Archive, analyses: Analyses, iris: Iris, limit: int = 20) -> None:
        self.archive, self.analyses, self.iris, self.limit = archive, analyses, iris, limit

    def describe(self, node: Node) -> dict[str, Any]:
        """Give the node's own facts and its neighbours by relation; ``kind`` and ``id`` (the IRI) first."""
        parts = {
            "card": self._card,
            "concept": self._concept,
            "rule": self._rule,
            "statement": self._statement,
            "edition": self._edition,
        }
        return {"kind": node.kind, "id": node.iri(self.iris), **parts[node.kind](node)}

    def _printed_names(self, oracle_id: str, english: set[str]) -> dict[str, list[str]]:
        """The names in other languages, without those printed in English there; a face's only where no whole has it."""
        found: dict[str, list[str]] = {}
        for printing in self.archive.printings(oracle_id):
            name = printing.printed_name
            if name not in english and name not in found.setdefault(printing.language, []):
                found[printing.language].append(name)
        names = {}
        for language, printed in found.items():
            halves = {half for name in printed if " // " in name for half in name.split(" // ")}
            names[language] = [name for name in printed if name not in halves]
        return {language: printed for language, printed in names.items() if printed}

    def _card(self, node: Node) -> dict[str, Any]:
        card = self.archive.card(node.name)
        if card is None:
            return {}
        uses = self.analyses.card_uses(node.name)
        faces = [
            {"name": f.name, "mana_cost": f.mana_cost, "type_line": f.type_line, "text": f.text} for f in card.faces
        ]
        return {
            "name": card.name,
            "oracle_id": node.name,
            "layout": card.layout,
            "mana_cost": card.mana_cost,
            "type_line": card.type_line,
            "text": card.text,
            "faces": faces if len(faces) > 1 else [],
            "names": self._printed_names(node.name, {card.name, *(face.name for face in card.faces)}),
            "keywords": list(card.keywords),
            "uses": self._labels(use.concept for use in uses if use.relation == "uses"),
            "rulings": [self._published(day, key) for day, key in self.archive.rulings(node.name)],
            "mentioned_in": self._pointing("card", node.name),
            "works_like": [
                {"name": self._name(a.oracle_id), "oracle_id": a.oracle_id, "score": round(a.score, 3)}
                for a in self.analyses.alike(node.name)[: self.limit]
            ],
        }

    def _published(self, day: date, key: str) -> dict[str, Any]:
        statement = self.archive.statement(key)
        analysis = self.analyses.analysis(key)
        return {
            "published": day.isoformat(),
            "key": key,
            "text": statement.text if statement else "",
            "concepts": self._labels(about.concept for about in analysis.clarifies),
            "outdated": outdated_reason(analysis.outdated),
        }

    def _concept(self, node: Node) -> dict[str, Any]:
        concept = self.analyses.concept(node.name)
        if concept is None:
            return {}
        labels: dict[str, list[str]] = {}
        for language, _, text in concept.labels:
            labels.setdefault(language, []).append(text)
        statements, cards = self.analyses.concept_size(node.name)
        return {
            "label": concept.label,
            "concept_kind": concept.kind,
            "labels": labels,
            "definition": concept.definition,
            "rules": [self._rule_line(number) for number in concept.rules[: self.limit]],
            "broader": self._labels(concept.broader),
            "narrower": self._labels(self.analyses.narrower(node.name)),
            "related": self._labels(concept.related),
            "statements": statements,
            "cards": cards,
            "rulings": self._pointing("concept", node.name),
        }

    def _rule(self, node: Node) -> dict[str, Any]:
        rule = self.archive.rule(node.name, node.edition)
        if rule is None:
            return {}
        history = [
            {"edition": s.edition.isoformat(), "number": s.number}
            if s.object_number == node.name and s.object_edition == rule.edition
            else {"edition": s.object_edition.isoformat(), "number": s.object_number}
            for s in self.analyses.same_rules(node.name)
            if (s.object_number == node.name and s.object_edition == rule.edition)
            or (s.number == node.name and s.edition == rule.edition)
        ]
        return {
            "number": rule.number,
            "edition": rule.edition.isoformat(),
            "text": rule.text,
            "examples": list(rule.examples),
            "part_of": self._heading(rule),
            "below": [{"number": r.number, "text": r.text} for r in self.archive.below(rule.number, rule.edition)],
            "refers_to": [n for n in rule.see if n != rule.number],
            "same_rule": history,
            "rulings": self._pointing("rule", rule.number) if rule.edition == self.archive.editions[-1] else [],
        }

    def _heading(self, rule: Rule) -> list[dict[str, str]]:
        """The rules above a rule, the nearest last."""
        above: list[dict[str, str]] = []
        parent = self.archive.rule(rule.parent, rule.edition) if rule.parent else None
        while parent is not None and len(above) < 5:
            above.insert(0, {"number": parent.number, "text": parent.text})
            parent = self.archive.rule(parent.parent, rule.edition) if parent.parent else None
        return above

    def _statement(self, node: Node) -> dict[str, Any]:
        statement = self.archive.statement(node.name)
        if statement is None:
            return {}
        analysis = self.analyses.analysis(node.name)
        group = [key for key in self.analyses.group(node.name) if key != node.name]
        return {
            "key": statement.key,
            "text": statement.text,
            "variants": list(statement.variants[1:]),
            "cards": [
                {
                    "name": self._name(r.oracle_id),
                    "oracle_id": r.oracle_id,
                    "published": r.published.isoformat(),
                    "face": r.face,
                }
                for r in statement.rulings
            ],
            "clarifies": self._labels(about.concept for about in analysis.clarifies),
            "mentions": self._labels(mention.concept for mention in analysis.mentions_concepts),
            "mentions_cards": list(dict.fromkeys(mention.name for mention in analysis.mentions_cards)),
            "copies": [{"copier": c.copier, "copied": c.copied, "result": c.result} for c in analysis.copies],
            "carries_over": [c.what for c in analysis.carried if c.carried],
            "leaves_out": [c.what for c in analysis.carried if not c.carried],
            "rules": [
                self._rule_line(rule.number) | {"confidence": round(rule.confidence, 3)} for rule in analysis.rules
            ],
            "same_as": [self._line(key) for key in group],
            "outdated": outdated_reason(analysis.outdated),
        }

    def _edition(self, node: Node) -> dict[str, Any]:
        if node.edition is None:
            return {}
        sections = [self.archive.rule(str(n), node.edition) for n in range(1, 10)]
        return {
            "effective": node.edition.isoformat(),
            "rules": self.archive.rule_count(node.edition),
            "sections": [{"number": s.number, "text": s.text} for s in sections if s],
        }

    def _pointing(self, kind: str, target: str) -> list[dict[str, Any]]:
        """The statements that point to a node, those that are about it first, restatements folded into one."""
        order = {"clarifies": 0, "cites": 0, "mentions": 1}
        rows = sorted(self.analyses.statements(kind, target), key=lambda row: order.get(row[0], 2))
        shown: dict[str, dict[str, Any]] = {}
        for relation, key, confidence in rows:
            canonical = self.analyses.group(key)[0]
            if canonical not in shown:
                shown[canonical] = {"relation": relation, "confidence": round(confidence, 3), **self._line(key)}
            if len(shown) >= self.limit:
                break
        return list(shown.values())

    def _line(self, key: str) -> dict[str, Any]:
        statement = self.archive.statement(key)
        if statement is None:
            return {"key": key, "text": "", "cards": []}
        cards = [self._name(oracle_id) for oracle_id in statement.oracle_ids]
        return {"key": key, "text": statement.text, "cards": cards[:5], "more_cards": max(0, len(cards) - 5)}

    def _rule_line(self, number: str) -> dict[str, Any]:
        rule = self.archive.rule(number)
        edition = rule.edition.isoformat() if rule else None
        return {"number": number, "text": rule.text if rule else "", "edition": edition}

    def _name(self, oracle_id: str) -> str:
        card = self.archive.card(oracle_id)
        return card.name if card else oracle_id

    def _labels(self, slugs: Iterable[str]) -> list[str]:
        found = (self.analyses.concept(slug) for slug in dict.fromkeys(slugs))
        return [concept.label for concept in found if concept]


def outdated_reason(outdated: tuple[Outdating, ...]) -> str | None:
    """Why a statement is outdated, in one line; None where it is in force."""
    return "; ".join(dict.fromkeys(o.reason for o in outdated)) or None
