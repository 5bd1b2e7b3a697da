"""The derived graph: what the program worked out, each edge with a link node that holds its evidence, as N-Quads lines."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from rulings.graph.nquads import LABEL, RDF_TYPE, decimal, integer, iri, quads, rul, term, text
from rulings.graph.records import Analysis, CardUse, Concept, Derived
from rulings.graph.vocabulary import DERIVED, Iris
from rulings.ingest import Corpus

_GRAPH = iri(DERIVED)
_SCHEME = "scheme"
_SUBJECT, _PREDICATE, _OBJECT = term("rdf:subject"), term("rdf:predicate"), term("rdf:object")


@dataclass(frozen=True, slots=True)
class Edge:
    """One derived edge with its evidence; ``subject`` and ``object`` are IRIs, ``relation`` a local name of the vocabulary."""

    subject: str
    relation: str
    object: str
    method: str
    confidence: float
    start: int | None = None
    end: int | None = None
    evidence: str | None = None


def edge_lines(edge: Edge, iris: Iris) -> str:
    """Write the edge and its link node."""
    relation = rul(edge.relation)
    subject, obj = iri(edge.subject), iri(edge.object)
    digest = hashlib.sha1(f"{edge.subject} {edge.relation} {edge.object}".encode(), usedforsecurity=False).hexdigest()[
        :16
    ]
    pairs = [
        (RDF_TYPE, rul("Link")),
        (_SUBJECT, subject),
        (_PREDICATE, relation),
        (_OBJECT, obj),
        (rul("method"), text(edge.method)),
        (rul("confidence"), decimal(edge.confidence)),
    ]
    if edge.start is not None and edge.end is not None:
        pairs += [(rul("start"), integer(edge.start)), (rul("end"), integer(edge.end))]
    if edge.evidence:
        pairs.append((rul("evidence"), text(edge.evidence)))
    return quads(subject, _GRAPH, [(relation, obj)]) + quads(iri(iris.link(digest)), _GRAPH, pairs)


def derived_lines(corpus: Corpus, derived: Derived, counts: Mapping[str, tuple[int, int]], iris: Iris) -> Iterator[str]:
    """Yield the lines of concepts and of every derived edge. ``counts``: statements and cards by concept slug."""
    yield from _concepts(corpus, derived.concepts, counts, iris)
    seen: set[tuple[str, str, str]] = set()
    for edge in _edges(corpus, derived, iris):
        triple = (edge.subject, edge.relation, edge.object)
        if triple not in seen:
            seen.add(triple)
            yield edge_lines(edge, iris)


def _concepts(
    corpus: Corpus, concepts: Mapping[str, Concept], counts: Mapping[str, tuple[int, int]], iris: Iris
) -> Iterator[str]:
    scheme = iri(iris.concept(_SCHEME).replace("/concept/", "/"))
    if concepts:
        about = [(RDF_TYPE, term("skos:ConceptScheme")), (LABEL, text("Concepts of the rules", "en"))]
        yield quads(scheme, _GRAPH, about)
    newest = corpus.newest
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


def _edges(corpus: Corpus, derived: Derived, iris: Iris) -> Iterator[Edge]:
    newest = corpus.newest.effective if corpus.newest else None
    for key, analysis in derived.analyses.items():
        yield from _statement_edges(iris.statement(key), analysis, newest, iris)
        yield from _copy_edges(corpus, key, analysis, derived, iris)
    for pair in derived.restatements:
        yield Edge(
            iris.statement(pair.subject), pair.relation, iris.statement(pair.object), pair.method, pair.confidence
        )
    for same in derived.same_rules:
        if same.object_number is not None:
            subject, obj = iris.rule(same.edition, same.number), iris.rule(same.object_edition, same.object_number)
            yield Edge(subject, "sameRuleAs", obj, same.method, same.confidence)
    for use in derived.card_uses:
        yield _use_edge(use, corpus, iris)
    for oracle_id, alikes in derived.works_like.items():
        for alike in alikes:
            yield Edge(iris.card(oracle_id), "worksLike", iris.card(alike.oracle_id), "rules text", alike.score)


def _statement_edges(subject: str, analysis: Analysis, newest: date | None, iris: Iris) -> Iterator[Edge]:
    for about in analysis.clarifies:
        yield Edge(
            subject, "clarifies", iris.concept(about.concept), about.method, about.confidence, about.start, about.end
        )
    clarified = {about.concept for about in analysis.clarifies}
    for card in analysis.mentions_cards:
        target = iris.card(card.oracle_id)
        yield Edge(subject, "mentions", target, card.method, card.confidence, card.start, card.end)
    for concept in analysis.mentions_concepts:
        if concept.concept not in clarified:
            target = iris.concept(concept.concept)
            yield Edge(subject, "mentions", target, concept.method, concept.confidence, concept.start, concept.end)
    if newest is None:
        return
    for cite in analysis.cites:
        if cite.number is not None:
            target, evidence = iris.rule(newest, cite.number), f"written {cite.written}, read in {cite.edition}"
            yield Edge(subject, "cites", target, "written number", cite.confidence, cite.start, cite.end, evidence)
    for rule in analysis.rules:
        yield Edge(
            subject, "restsOn", iris.rule(newest, rule.number), rule.method, rule.confidence, evidence=rule.evidence
        )
    for out in analysis.outdated:
        target = (
            iris.statement(out.replaced_by)
            if out.replaced_by
            else iris.rule(newest, out.rule)
            if out.rule
            else iris.edition(out.edition or newest)
        )
        yield Edge(subject, "outdatedBy", target, out.method, out.confidence, out.start, out.end, out.reason)


def _copy_edges(corpus: Corpus, key: str, analysis: Analysis, derived: Derived, iris: Iris) -> Iterator[Edge]:
    """`copies` runs from each card that the statement stands on, the statement being the evidence."""
    for copy in analysis.copies:
        slug = copy.copied.replace(" ", "-")
        if copy.copier != "this card" or slug not in derived.concepts:
            continue
        for oracle_id in corpus.statements[key].oracle_ids:
            yield Edge(
                iris.card(oracle_id),
                "copies",
                iris.concept(slug),
                copy.method,
                copy.confidence,
                evidence=iris.statement(key),
            )
    for carried in analysis.carried:
        if carried.concept is not None:
            relation = "carriesOver" if carried.carried else "leavesOut"
            target = iris.concept(carried.concept)
            yield Edge(
                iris.statement(key), relation, target, carried.what, carried.confidence, carried.start, carried.end
            )


def _use_edge(use: CardUse, corpus: Corpus, iris: Iris) -> Edge:
    faces = corpus.cards[use.oracle_id].faces
    n = next((n for n, face in enumerate(faces) if face.name == use.face and len(faces) > 1), None)
    subject = iris.card(use.oracle_id) if n is None else iris.face(use.oracle_id, n)
    method = "keyword" if use.relation == "hasKeyword" else "rules text"
    return Edge(subject, use.relation, iris.concept(use.concept), method, 1.0, use.start, use.end)
