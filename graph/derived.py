"""The derived graph: what the program worked out, each edge with the evidence for it, as N-Quads lines."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from rulings.graph.nquads import LABEL, RDF_TYPE, decimal, integer, iri, quads, rul, term, text
from rulings.graph.records import Alike, Analysis, CardLinks, CardUse, Concept, Derived, Outdating
from rulings.graph.vocabulary import DERIVED, Iris
from rulings.ingest import Corpus

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
    for edge in _use_edges([use for use in links.uses if use.relation != "copies"], corpus, iris):
        yield edge_lines(edge, iris)
    for oracle_id, alikes in links.works_like.items():
        for edge in _likeness_edges(iris.card(oracle_id), alikes, iris):
            yield edge_lines(edge, iris)


def statement_lines(
    corpus: Corpus, derived: Derived, counts: Mapping[str, tuple[int, int]], iris: Iris
) -> Iterator[str]:
    """Yield the lines of concepts and of all edges but those of `card_lines`.

    What cards copy is among them: a statement and the card's own text may say the same, and the statement goes first.
    """
    yield from _concepts(corpus, derived.concepts, counts, iris)
    seen: set[tuple[str, str, str]] = set()
    for edge in _edges(corpus, derived, iris):
        new = tuple(target for target in edge.objects if (edge.subject, edge.relation, target) not in seen)
        seen.update((edge.subject, edge.relation, target) for target in new)
        if new:
            yield edge_lines(replace(edge, objects=new), iris)


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
        target = (iris.statement(pair.object),)
        yield Edge(iris.statement(pair.subject), pair.relation, target, pair.method, pair.confidence)
    for same in derived.same_rules:
        if same.object_number is not None:
            target = (iris.rule(same.object_edition, same.object_number),)
            yield Edge(iris.rule(same.edition, same.number), "sameRuleAs", target, same.method, same.confidence)
    yield from _use_edges([use for use in derived.card_uses if use.relation == "copies"], corpus, iris)


def _likeness_edges(subject: str, alikes: Sequence[Alike], iris: Iris) -> Iterator[Edge]:
    """The nearest cards; those of one score, in steps of a tenth, share a link node, to keep the store small."""
    steps: dict[int, list[str]] = {}
    for alike in alikes[:LIKE]:
        steps.setdefault(int(alike.score * 10 + 1e-9), []).append(iris.card(alike.oracle_id))
    for step, objects in steps.items():
        yield Edge(subject, "worksLike", tuple(objects), "rules text", step / 10)


def _statement_edges(subject: str, analysis: Analysis, newest: date | None, iris: Iris) -> Iterator[Edge]:
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
    if newest is None:
        return
    for cite in analysis.cites:
        if cite.number is not None:
            target, evidence = (iris.rule(newest, cite.number),), f"written {cite.written}, read in {cite.edition}"
            yield Edge(subject, "cites", target, "written number", cite.confidence, cite.start, cite.end, evidence)
    for rule in analysis.rules[:RULES]:
        target = (iris.rule(newest, rule.number),)
        yield Edge(subject, "clarifies", target, rule.method, rule.confidence, evidence=rule.evidence)
    for out in analysis.outdated:
        target = (_outdater(out, newest, iris),)
        yield Edge(subject, "outdatedBy", target, out.method, out.confidence, out.start, out.end, out.reason)


def _copy_edges(corpus: Corpus, key: str, analysis: Analysis, derived: Derived, iris: Iris) -> Iterator[Edge]:
    """`copies` runs from each card that the statement stands on, the statement being the evidence."""
    for copy in analysis.copies:
        slug = copy.copied.replace(" ", "-")
        if copy.copier != "this card" or slug not in derived.concepts:
            continue
        target = (iris.concept(slug),)
        for oracle_id in corpus.statements[key].oracle_ids:
            subject = iris.card(oracle_id)
            yield Edge(subject, "copies", target, copy.method, copy.confidence, source=iris.statement(key))
    subject = iris.statement(key)
    for carried in analysis.carried:
        if carried.concept is not None:
            relation = "carriesOver" if carried.carried else "leavesOut"
            target = (iris.concept(carried.concept),)
            yield Edge(subject, relation, target, carried.what, carried.confidence, carried.start, carried.end)


def _outdater(out: Outdating, newest: date, iris: Iris) -> str:
    if out.replaced_by:
        return iris.statement(out.replaced_by)
    return iris.rule(newest, out.rule) if out.rule else iris.edition(out.edition or newest)


def _use_edges(uses: Sequence[CardUse], corpus: Corpus, iris: Iris) -> Iterator[Edge]:
    """What cards and faces use; all of one face and relation share a link node, whose evidence lists the places."""
    grouped: dict[tuple[str, str | None, str], list[CardUse]] = {}
    for use in uses:
        grouped.setdefault((use.oracle_id, use.face, use.relation), []).append(use)
    for (oracle_id, face, relation), group in grouped.items():
        faces = corpus.cards[oracle_id].faces
        n = next((n for n, one in enumerate(faces) if one.name == face and len(faces) > 1), None)
        subject = iris.card(oracle_id) if n is None else iris.face(oracle_id, n)
        targets = tuple(dict.fromkeys(iris.concept(use.concept) for use in group))
        places = "; ".join(f"{use.concept} {use.start}-{use.end}" for use in group if use.start is not None)
        method = "keyword" if relation == "hasKeyword" else "rules text"
        yield Edge(subject, relation, targets, method, 1.0, evidence=places or None)
