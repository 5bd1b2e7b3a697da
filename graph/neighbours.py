"""What stands next to a node, group by group, each with its relation, its side in a picture and its full count."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rulings.graph.archive import Analyses
from rulings.graph.lookup import Node
from rulings.ingest import Archive, Rule


@dataclass(frozen=True, slots=True)
class Near:
    """A neighbour. ``outward`` tells that the edge leads from the node to it; else it leads from it to the node."""

    node: Node
    relation: str
    outward: bool = True
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbours of one sort, the most telling first.

    ``what`` names several of them ("rulings"), ``side`` is where they are drawn (-1 left, 1 right, 0 above and below),
    ``most`` how many of them a picture shows around its centre, ``late`` that they come after all others.
    """

    what: str
    side: int
    most: int
    near: tuple[Near, ...]
    late: bool = False


class Neighbours:
    """Reads the neighbours of nodes out of the records and links."""

    def __init__(self, archive: Archive, analyses: Analyses) -> None:
        self.archive, self.analyses = archive, analyses
        self._editions = archive.editions

    def of(self, node: Node) -> tuple[Group, ...]:
        """The groups of a node that hold anything, the most telling first."""
        groups = {
            "card": self._card,
            "concept": self._concept,
            "rule": self._rule,
            "statement": self._statement,
            "edition": self._edition,
        }[node.kind](node)
        return tuple(group for group in groups if group.near)

    def _card(self, node: Node) -> Iterator[Group]:
        rows = [key for _, key in sorted(self.archive.rulings(node.name), key=lambda row: row[0], reverse=True)]
        rows.sort(key=lambda key: bool(self.analyses.analysis(key).outdated))
        own = tuple(Near(Node("statement", key), "about", outward=False) for key in self._folded(rows))
        yield Group("rulings", 1, 9, own)
        alike = self.analyses.alike(node.name)
        yield Group(
            "cards like it",
            -1,
            5,
            tuple(Near(Node("card", a.oracle_id), "worksLike", confidence=round(a.score, 3)) for a in alike),
        )
        yield Group("rulings elsewhere with its name", -1, 3, self._pointing("card", node.name, {"mentions"}))
        uses = {use.concept: use.relation for use in reversed(self.analyses.card_uses(node.name))}
        yield Group(
            "concepts",
            -1,
            3,
            tuple(Near(Node("concept", slug), relation) for slug, relation in reversed(uses.items())),
            late=True,
        )

    def _concept(self, node: Node) -> Iterator[Group]:
        concept = self.analyses.concept(node.name)
        if concept is None:
            return
        main = self._pointing("concept", node.name, {"clarifies"})
        yield Group("rulings about it", 1, 7, main)
        yield Group("concepts above it", -1, 2, _concepts(concept.broader, "broader"))
        yield Group("rules", -1, 3, tuple(self._rules(concept.rules, "definedBy")))
        narrower = self.analyses.narrower(node.name)
        yield Group("concepts below it", -1, 4, _concepts(narrower, "broader", outward=False))
        yield Group("concepts related", -1, 3, _concepts(concept.related, "related"))
        yield Group("rulings with a mention of it", 1, 2, self._pointing("concept", node.name, {"mentions"}))

    def _rule(self, node: Node) -> Iterator[Group]:
        rule = self.archive.rule(node.name, node.edition)
        if rule is None:
            return
        above = [rule.parent] if rule.parent else []
        yield Group("rules above", -1, 1, tuple(self._rules(above, "partOf", rule)))
        below = self.archive.below(rule.number, rule.edition)
        yield Group("rules below", 1, 8, tuple(self._rules([r.number for r in below], "partOf", rule, outward=False)))
        yield Group("other editions", 0, 4, tuple(self._other_editions(rule)))
        see = [number for number in rule.see if number != rule.number]
        yield Group("rules it refers to", 1, 4, tuple(self._rules(see, "refersTo", rule)))
        if rule.edition == self._editions[-1]:
            pointing = self._pointing("rule", rule.number, {"cites", "clarifies"})
            yield Group("rulings resting on it", 1, 6, pointing)

    def _statement(self, node: Node) -> Iterator[Group]:
        statement = self.archive.statement(node.name)
        if statement is None:
            return
        analysis = self.analyses.analysis(node.name)
        cards = tuple(Near(Node("card", oracle_id), "about") for oracle_id in statement.oracle_ids)
        yield Group("cards", -1, 5, cards)
        clarified = {about.concept: about for about in analysis.clarifies}
        about = tuple(
            Near(Node("concept", c.concept), "clarifies", confidence=round(c.confidence, 3)) for c in clarified.values()
        )
        yield Group("concepts", 1, 5, about)
        day = self._editions[-1] if self._editions else None
        rules = tuple(
            Near(Node("rule", link.number, day), "clarifies", confidence=round(link.confidence, 3))
            for link in analysis.rules
        )
        yield Group("rules", 1, 4, rules)
        yield Group("wordings of it", 0, 5, tuple(self._wordings(node.name)))
        outdated = {o.replaced_by: o for o in analysis.outdated if o.replaced_by}
        replaced = (
            Near(Node("statement", key), "outdatedBy", confidence=round(o.confidence, 3)) for key, o in outdated.items()
        )
        yield Group("newer rulings", 0, 2, tuple(replaced))
        named = {mention.oracle_id: mention for mention in reversed(analysis.mentions_cards)}
        yield Group(
            "cards named in it",
            -1,
            2,
            tuple(Near(Node("card", i), "mentions", confidence=round(m.confidence, 3)) for i, m in named.items()),
        )
        mentions = {m.concept: m for m in reversed(analysis.mentions_concepts) if m.concept not in clarified}
        yield Group(
            "concepts named in it",
            1,
            2,
            tuple(Near(Node("concept", s), "mentions", confidence=round(m.confidence, 3)) for s, m in mentions.items()),
        )

    def _edition(self, node: Node) -> Iterator[Group]:
        found = (self.archive.rule(str(n), node.edition) for n in range(1, 10))
        sections = (Node("rule", rule.number, rule.edition) for rule in found if rule)
        yield Group("sections", 1, 10, tuple(Near(section, "inEdition", outward=False) for section in sections))

    def _wordings(self, key: str) -> Iterator[Near]:
        """The pairs that a statement stands in; the others of its group are met from their own pairs."""
        for pair in self.analyses.restatements(key):
            outward = pair.subject == key
            other = pair.object if outward else pair.subject
            yield Near(Node("statement", other), pair.relation, outward, round(pair.confidence, 3))

    def _other_editions(self, rule: Rule) -> Iterator[Near]:
        for same in self.analyses.same_rules(rule.number):
            if (same.number, same.edition) == (rule.number, rule.edition) and same.object_number:
                other = Node("rule", same.object_number, same.object_edition)
                yield Near(other, "sameRuleAs", confidence=round(same.confidence, 3))
            elif (same.object_number, same.object_edition) == (rule.number, rule.edition):
                yield Near(Node("rule", same.number, same.edition), "sameRuleAs", False, round(same.confidence, 3))

    def _rules(
        self, numbers: Iterable[str], relation: str, of: Rule | None = None, *, outward: bool = True
    ) -> Iterator[Near]:
        """The rules with these numbers that exist in the edition of ``of`` (None: the newest)."""
        for number in dict.fromkeys(numbers):
            rule = self.archive.rule(number, of.edition if of else None)
            if rule is not None:
                yield Near(Node("rule", rule.number, rule.edition), relation, outward)

    def _pointing(self, kind: str, target: str, relations: set[str]) -> tuple[Near, ...]:
        """The statements that point to a node by these relations, the surest first, restatements folded into one."""
        found = {
            key: (relation, confidence)
            for relation, key, confidence in reversed(self.analyses.statements(kind, target))
            if relation in relations
        }
        return tuple(
            Near(Node("statement", key), found[key][0], outward=False, confidence=round(found[key][1], 3))
            for key in self._folded(reversed(list(found)))
        )

    def _folded(self, keys: Iterable[str]) -> list[str]:
        """The first key of each group of statements that are the same ruling."""
        shown: dict[str, str] = {}
        for key in keys:
            shown.setdefault(self.analyses.group(key)[0], key)
        return list(shown.values())


def _concepts(slugs: Iterable[str], relation: str, *, outward: bool = True) -> tuple[Near, ...]:
    return tuple(Near(Node("concept", slug), relation, outward) for slug in dict.fromkeys(slugs))
