"""The derived graph: what the program worked out, each edge with the evidence for it, as N-Quads lines."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from rulings.graph.nquads import LABEL, RDF_TYPE, decimal, integer, iri, quads, rul, term, text
from rulings.graph.records import Alike, Analysis, CardLinks, CardUse, Concept, Derived, Outdating, Restatement
from rulings.graph.vocabulary import DERIVED, Iris
from rulings.ingest import Card, Corpus, Edition

_GRAPH = iri(DERIVED)
_SCHEME = "scheme"
_SOURCE = term("prov:wasDerivedFrom")
RULES = 3
"""How many of the rules that a statement rests on the graph holds, best first."""
LIKE = 20
"""How many cards that work alike the graph holds for each card; the links beside it hold more."""
_SUBJECT, _PREDICATE, _OBJECT = term("rdf:subject"), term("rdf:predicate"), term("rdf:object")


@dataclass(frozen=True, slots=True)
class Edge:
    """A derived edge with its evidence, or several that share subject, relation and evidence.

    ``subject`` and ``objects`` are IRIs, ``relation`` is a local name of the vocabulary.
    """

    subject: str
    relation: str
    objects: tuple[str, ...]
    method: str
    confidence: float
    start: int | None = None
    end: int | None = None
    evidence: str | None = None
    source: str | None = None
    """The IRI of the statement that the edge was read from, where that is not its subject."""


def edge_lines(edge: Edge, iris: Iris) -> str:
    """Write the edges and their link node."""
    relation, subject = rul(edge.relation), iri(edge.subject)
    targets = [iri(target) for target in edge.objects]
    named = f"{edge.subject} {edge.relation} {edge.objects[0]}"
    digest = hashlib.sha1(named.encode(), usedforsecurity=False).hexdigest()[:16]
    pairs = [(RDF_TYPE, rul("Link")), (_SUBJECT, subject), (_PREDICATE, relation)]
    pairs += [(_OBJECT, target) for target in targets]
    pairs += [(rul("method"), text(edge.method)), (rul("confidence"), decimal(edge.confidence))]
    if edge.start is not None and edge.end is not None:
        pairs += [(rul("start"), integer(edge.start)), (rul("end"), integer(edge.end))]
    if edge.evidence:
        pairs.append((rul("evidence"), text(edge.evidence)))
    if edge.source:
        pairs.append((_SOURCE, iri(edge.source)))
    edges = quads(subject, _GRAPH, [(relation, target) for target in targets])
    return edges + quads(iri(iris.link(digest)), _GRAPH, pairs)


def derived_lines(corpus: Corpus, derived: Derived, counts: Mapping[str, tuple[int, int]], iris: Iris) -> Iterator[str]:
    """Yield the lines of concepts and of every derived edge. ``counts``: statements and cards by concept slug."""
    yield from statement_lines(corpus, derived, counts, iris)
    yield from card_lines(corpus, CardLinks(derived.card_uses, derived.works_like), iris)


def card_lines(corpus: Corpus, links: CardLinks, iris: Iris) -> Iterator[str]:
    """Yield the lines of what cards have and use, and of the cards that work alike."""
    for edge in _use_edges([use for use in links.uses if use.relation != "copies"], corpus.cards, iris):
        yield edge_lines(edge, iris)
    for oracle_id, alikes in links.works_like.items():
        for edge in _likeness_edges(iris.card(oracle_id), alikes, iris):
            yield edge_lines(edge, iris)


def statement_lines(
    corpus: Corpus, derived: Derived, counts: Mapping[str, tuple[int, int]], iris: Iris
) -> Iterator[str]:
    """Yield the lines of concepts and of all edges but those of `card_lines`."""
    yield from told_lines(corpus, derived.analyses.values(), iris)
    yield from linked_lines(corpus, derived, counts, iris)


def told_lines(corpus: Corpus, analyses: Iterable[Analysis], iris: Iris) -> Iterator[str]:
    """Yield the lines of what statements were told of one by one: most of all lines, and known early."""
    newest = _day(corpus.newest)
    for analysis in analyses:
        yield from _distinct(_told_edges(iris.statement(analysis.key), analysis, newest, iris), iris)


def linked_lines(corpus: Corpus, derived: Derived, counts: Mapping[str, tuple[int, int]], iris: Iris) -> Iterator[str]:
    """Yield the lines of concepts and of all edges but those of `told_lines` and `card_lines`.

    What cards copy is among them: a statement and the card's own text may say the same, and the statement goes first.
    """
    yield from concept_lines(corpus.newest, derived.concepts, counts, iris)
    newest = _day(corpus.newest)
    for analysis in derived.analyses.values():
        yield from _distinct(_linked_edges(iris.statement(analysis.key), analysis, newest, iris), iris)
    said = ((a, corpus.statements[key].oracle_ids) for key, a in derived.analyses.items() if a.copies)
    yield from copy_lines(said, derived.card_uses, corpus.cards, derived.concepts, iris)
    for pair in derived.restatements:
        yield pair_line(pair, iris)
    for same in derived.same_rules:
        if same.object_number is not None:
            target = (iris.rule(same.object_edition, same.object_number),)
            subject = iris.rule(same.edition, same.number)
            yield edge_lines(Edge(subject, "sameRuleAs", target, same.method, same.confidence), iris)


def analysis_lines(analysis: Analysis, newest: date | None, iris: Iris) -> Iterator[str]:
    """Yield the lines of the edges that leave a statement, but for `pair_line`; ``newest`` is the day of the rules."""
    subject = iris.statement(analysis.key)
    for edges in (_told_edges, _linked_edges):
        yield from _distinct(edges(subject, analysis, newest, iris), iris)


def copy_lines(
    said: Iterable[tuple[Analysis, Sequence[str]]],
    uses: Sequence[CardUse],
    cards: Mapping[str, Card],
    concepts: Collection[str],
    iris: Iris,
) -> Iterator[str]:
    """Yield the lines of what cards copy.

    Args:
        said: Statements that tell of copying, each with the oracle ids of its cards, in the order of the corpus.
        uses: What the cards' own texts say; only what they copy is taken.
        cards: By oracle id.
        concepts: The slugs that there are.
        iris: What makes IRIs.
    """
    told = (edge for analysis, ids in said for edge in _copy_edges(analysis, ids, concepts, iris))
    own = _use_edges([use for use in uses if use.relation == "copies"], cards, iris)
    return _distinct(chain(told, own), iris)


def pair_line(pair: Restatement, iris: Iris) -> str:
    """The lines of a pair of statements that say the same."""
    target = (iris.statement(pair.object),)
    return edge_lines(Edge(iris.statement(pair.subject), pair.relation, target, pair.method, pair.confidence), iris)


def _distinct(edges: Iterable[Edge], iris: Iris) -> Iterator[str]:
    """The lines of edges, of each edge with the first evidence only."""
    seen: set[tuple[str, str, str]] = set()
    for edge in edges:
        new = tuple(target for target in edge.objects if (edge.subject, edge.relation, target) not in seen)
        seen.update((edge.subject, edge.relation, target) for target in new)
        if new:
            yield edge_lines(replace(edge, objects=new), iris)


def concept_lines(
    newest: Edition | None, concepts: Mapping[str, Concept], counts: Mapping[str, tuple[int, int]], iris: Iris
) -> Iterator[str]:
    """Yield the lines of concepts. ``counts``: statements and cards by slug; ``newest``: the rules that define them."""
    scheme = iri(iris.concept(_SCHEME).replace("/concept/", "/"))
    if concepts:
        about = [(RDF_TYPE, term("skos:ConceptScheme")), (LABEL, text("Concepts of the rules", "en"))]
        yield quads(scheme, _GRAPH, about)
    for slug, concept in concepts.items():
        statements, cards = counts.get(slug, (0, 0))
        pairs = [
            (RDF_TYPE, rul("Concept")),
            (RDF_TYPE, term("skos:Concept")),
            (LABEL, text(concept.label, "en")),
            (term("skos:prefLabel"), text(concept.label, "en")),
            (term("skos:inScheme"), scheme),
            (rul("kind"), text(concept.kind)),
            (rul("statementCount"), integer(statements)),
            (rul("cardCount"), integer(cards)),
        ]
        labels = {
            (f"skos:{kind}Label", language, label)
            for language, kind, label in concept.labels
            if (language, label) != ("en", concept.label)
        }
        pairs += [(term(kind), text(label, language)) for kind, language, label in sorted(labels)]
        pairs += [(term("skos:broader"), iri(iris.concept(other))) for other in concept.broader]
        pairs += [(term("skos:related"), iri(iris.concept(other))) for other in concept.related]
        if concept.definition:
            pairs.append((term("skos:definition"), text(concept.definition, "en")))
        if newest is not None:
            rules = (number for number in concept.rules if number in newest.rules)
            pairs += [(rul("definedBy"), iri(iris.rule(newest.effective, number))) for number in rules]
        if not concept.broader:
            pairs.append((term("skos:topConceptOf"), scheme))
        yield quads(iri(iris.concept(slug)), _GRAPH, pairs)


def _likeness_edges(subject: str, alikes: Sequence[Alike], iris: Iris) -> Iterator[Edge]:
    """The nearest cards; those of one score, in steps of a tenth, share a link node, to keep the store small."""
    steps: dict[int, list[str]] = {}
    for alike in alikes[:LIKE]:
        steps.setdefault(int(alike.score * 10 + 1e-9), []).append(iris.card(alike.oracle_id))
    for step, objects in steps.items():
        yield Edge(subject, "worksLike", tuple(objects), "rules text", step / 10)


def _told_edges(subject: str, analysis: Analysis, newest: date | None, iris: Iris) -> Iterator[Edge]:
    for about in analysis.clarifies:
        target = (iris.concept(about.concept),)
        yield Edge(subject, "clarifies", target, about.method, about.confidence, about.start, about.end)
    clarified = {about.concept for about in analysis.clarifies}
    for card in analysis.mentions_cards:
        target = (iris.card(card.oracle_id),)
        yield Edge(subject, "mentions", target, card.method, card.confidence, card.start, card.end)
    for concept in analysis.mentions_concepts:
        if concept.concept not in clarified:
            target = (iris.concept(concept.concept),)
            yield Edge(subject, "mentions", target, concept.method, concept.confidence, concept.start, concept.end)
    for cite in analysis.cites:
        if newest is not None and cite.number is not None:
            target, evidence = (iris.rule(newest, cite.number),), f"written {cite.written}, read in {cite.edition}"
            yield Edge(subject, "cites", target, "written number", cite.confidence, cite.start, cite.end, evidence)
    yield from _carried_edges(subject, analysis, iris)


def _linked_edges(subject: str, analysis: Analysis, newest: date | None, iris: Iris) -> Iterator[Edge]:
    if newest is None:
        return
    for rule in analysis.rules[:RULES]:
        target = (iris.rule(newest, rule.number),)
        yield Edge(subject, "clarifies", target, rule.method, rule.confidence, evidence=rule.evidence)
    for out in analysis.outdated:
        target = (_outdater(out, newest, iris),)
        yield Edge(subject, "outdatedBy", target, out.method, out.confidence, out.start, out.end, out.reason)


def _copy_edges(analysis: Analysis, oracle_ids: Sequence[str], concepts: Collection[str], iris: Iris) -> Iterator[Edge]:
    """`copies` runs from each card that the statement stands on, the statement being the evidence."""
    for copy in analysis.copies:
        slug = copy.copied.replace(" ", "-")
        if copy.copier == "this card" and slug in concepts:
            target, source = (iris.concept(slug),), iris.statement(analysis.key)
            for oracle_id in oracle_ids:
                yield Edge(iris.card(oracle_id), "copies", target, copy.method, copy.confidence, source=source)


def _carried_edges(subject: str, analysis: Analysis, iris: Iris) -> Iterator[Edge]:
    for carried in analysis.carried:
        if carried.concept is not None:
            relation = "carriesOver" if carried.carried else "leavesOut"
            target = (iris.concept(carried.concept),)
            yield Edge(subject, relation, target, carried.what, carried.confidence, carried.start, carried.end)


def _day(newest: Edition | None) -> date | None:
    return newest.effective if newest else None


def _outdater(out: Outdating, newest: date, iris: Iris) -> str:
    if out.replaced_by:
        return iris.statement(out.replaced_by)
    return iris.rule(newest, out.rule) if out.rule else iris.edition(out.edition or newest)


def _use_edges(uses: Sequence[CardUse], cards: Mapping[str, Card], iris: Iris) -> Iterator[Edge]:
    """What cards and faces use; all of one face and relation share a link node, whose evidence lists the places."""
    grouped: dict[tuple[str, str | None, str], list[CardUse]] = {}
    for use in uses:
        grouped.setdefault((use.oracle_id, use.face, use.relation), []).append(use)
    for (oracle_id, face, relation), group in grouped.items():
        faces = cards[oracle_id].faces
        n = next((n for n, one in enumerate(faces) if one.name == face and len(faces) > 1), None)
        subject = iris.card(oracle_id) if n is None else iris.face(oracle_id, n)
        targets = tuple(dict.fromkeys(iris.concept(use.concept) for use in group))
        places = "; ".join(f"{use.concept} {use.start}-{use.end}" for use in group if use.start is not None)
        method = "keyword" if relation == "hasKeyword" else "rules text"
        yield Edge(subject, relation, targets, method, 1.0, evidence=places or None)
