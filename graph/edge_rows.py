"""The edges that leave a record, as rows: from the record itself, and from what was worked out about it.

They are the edges of the RDF graph. A row has the relation, the name of the other end, whether the edge was derived and
how sure it is (None: it isn't said). The other end is None where it is no node; then there is no such edge.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rulings.graph.asserted import referred
from rulings.graph.derived import LIKE, RULES
from rulings.graph.node_keys import NodeNames
from rulings.graph.records import Alike, Analysis, CardUse, Concept, Restatement, SameRule
from rulings.ingest import Card, Edition, PublishedRuling, Rule

Row = tuple[str, str | None, bool, float | None]


def face_number(card: Card, face: str | None) -> int | None:
    """The place of the face of this name, from 0; None on a card of one face."""
    return next((n for n, one in enumerate(card.faces) if one.name == face and len(card.faces) > 1), None)


def ruling_rows(ruling: PublishedRuling, card: Card, names: NodeNames) -> Iterator[Row]:
    """What a ruling is about, and what it states."""
    yield "about", names.card(ruling.oracle_id), False, None
    yield "states", names.statement(ruling.key), False, None
    n = face_number(card, ruling.face) if ruling.face else None
    if n is not None:
        yield "onFace", names.face(ruling.oracle_id, n), False, None


def rule_rows(rule: Rule, edition: Edition, names: NodeNames) -> Iterator[Row]:
    """The edition of a rule, the rule above it and those that it refers to."""
    day = edition.effective
    yield "inEdition", names.edition(day), False, None
    if rule.parent is not None:
        yield "partOf", names.rule(day, rule.parent), False, None
    for number in referred(rule, edition):
        yield "refersTo", names.rule(day, number), False, None


def concept_rows(concept: Concept, newest: date | None, names: NodeNames) -> Iterator[Row]:
    """The concepts above and beside a concept, and the rules that define it."""
    for other in concept.broader:
        yield "broader", names.concept(other), True, None
    for other in concept.related:
        yield "related", names.concept(other), True, None
    for number in concept.rules if newest else ():
        yield "definedBy", names.rule(newest or date.min, number), True, None


def statement_rows(analysis: Analysis, newest: date | None, names: NodeNames) -> Iterator[Row]:
    """What a statement clarifies, names, cites and says of copies, and what outdates it."""
    clarified = {about.concept for about in analysis.clarifies}
    for about in analysis.clarifies:
        yield "clarifies", names.concept(about.concept), True, about.confidence
    for card in analysis.mentions_cards:
        yield "mentions", names.card(card.oracle_id), True, card.confidence
    for mention in analysis.mentions_concepts:
        if mention.concept not in clarified:
            yield "mentions", names.concept(mention.concept), True, mention.confidence
    for carried in analysis.carried:
        if carried.concept is not None:
            relation = "carriesOver" if carried.carried else "leavesOut"
            yield relation, names.concept(carried.concept), True, carried.confidence
    if newest is not None:
        yield from _rule_rows(analysis, newest, names)


def _rule_rows(analysis: Analysis, newest: date, names: NodeNames) -> Iterator[Row]:
    for cite in analysis.cites:
        if cite.number is not None:
            yield "cites", names.rule(newest, cite.number), True, cite.confidence
    for rule in analysis.rules[:RULES]:
        yield "clarifies", names.rule(newest, rule.number), True, rule.confidence
    for out in analysis.outdated:
        if out.replaced_by:
            end = names.statement(out.replaced_by)
        else:
            end = names.rule(newest, out.rule) if out.rule else names.edition(out.edition or newest)
        yield "outdatedBy", end, True, out.confidence


def copy_rows(analysis: Analysis, names: NodeNames) -> Iterator[Row]:
    """What the cards that a statement stands on copy, as it says."""
    for copy in analysis.copies:
        if copy.copier == "this card":
            yield "copies", names.concept(copy.copied.replace(" ", "-")), True, copy.confidence


def use_rows(uses: Iterable[CardUse], names: NodeNames) -> Iterator[Row]:
    """What a card, or one face of it, has, uses and copies, as its text says."""
    for use in uses:
        yield use.relation, names.concept(use.concept), True, 1.0


def likeness_rows(alikes: Sequence[Alike], names: NodeNames) -> Iterator[Row]:
    """The cards that work like a card; how alike, in whole tenths, as the links of the graph have it."""
    for alike in alikes[:LIKE]:
        yield "worksLike", names.card(alike.oracle_id), True, int(alike.score * 10 + 1e-9) / 10


def restatement_row(pair: Restatement, names: NodeNames) -> Row:
    """The statement that another one restates or rewords."""
    return pair.relation, names.statement(pair.object), True, pair.confidence


def same_rule_row(same: SameRule, names: NodeNames) -> Row:
    """The same rule in another edition."""
    end = None if same.object_number is None else names.rule(same.object_edition, same.object_number)
    return "sameRuleAs", end, True, same.confidence
