"""The asserted graph: what the sources say, as N-Quads lines."""

from collections.abc import Iterator, Mapping

from rulings.graph.nquads import LABEL, RDF_TYPE, day, iri, quads, rul, term, text
from rulings.graph.records import Concept
from rulings.graph.vocabulary import ASSERTED, Iris
from rulings.ingest import Card, Corpus, Edition, Face, PublishedRuling, Rule, Statement

_GRAPH = iri(ASSERTED)
_ISSUED, _SOURCE = term("dcterms:issued"), term("dcterms:source")
_ALT_LABEL = term("skos:altLabel")
_LANGUAGES = {"zhs": "zh-Hans", "zht": "zh-Hant", "ph": "x-phyrexian", "sp": "es"}


def slugs_of_keywords(concepts: Mapping[str, Concept]) -> dict[str, str]:
    """The concepts (by slug) that cards have as keywords, by their labels in lower case: what `asserted` takes."""
    kinds = ("keyword", "ability word")
    return {c.label.casefold(): slug for slug, c in concepts.items() if c.kind.startswith(kinds)}


def asserted(corpus: Corpus, iris: Iris, keyword_slugs: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of cards, faces, rulings, statements, rules and editions.

    ``keyword_slugs`` gives the concept of a folded keyword of a card; keywords without one become literals only.
    """
    for oracle_id, card in corpus.cards.items():
        yield from _card(oracle_id, card, corpus, iris, keyword_slugs)
    for statement in corpus.statements.values():
        yield statement_line(statement, iris)
    for ruling in corpus.rulings:
        yield ruling_line(ruling, corpus.cards[ruling.oracle_id], iris)
    for edition in corpus.editions.values():
        yield from _edition(edition, iris)


def _card(oracle_id: str, card: Card, corpus: Corpus, iris: Iris, keyword_slugs: Mapping[str, str]) -> Iterator[str]:
    subject = iri(iris.card(oracle_id))
    pairs = [
        (RDF_TYPE, rul("Card")),
        (LABEL, text(card.name)),
        (rul("name"), text(card.name)),
        (rul("oracleId"), text(oracle_id)),
        (rul("layout"), text(card.layout)),
    ]
    pairs += _characteristics(card)
    pairs += [(rul("set"), text(code)) for code in card.sets]
    for keyword in card.keywords:
        pairs.append((rul("keyword"), text(keyword)))
        slug = keyword_slugs.get(keyword.casefold())
        if slug:
            pairs.append((rul("hasKeyword"), iri(iris.concept(slug))))
    names = {(p.language, p.printed_name) for p in corpus.printings.get(oracle_id, ())}
    pairs += [(_ALT_LABEL, text(name, _LANGUAGES.get(language, language))) for language, name in sorted(names)]
    faces = card.faces if len(card.faces) > 1 else ()
    pairs += [(rul("hasFace"), iri(iris.face(oracle_id, n))) for n in range(len(faces))]
    yield quads(subject, _GRAPH, pairs)
    for n, face in enumerate(faces):
        about = [
            (RDF_TYPE, rul("Face")),
            (LABEL, text(face.name)),
            (rul("name"), text(face.name)),
            (rul("faceOf"), subject),
        ]
        yield quads(iri(iris.face(oracle_id, n)), _GRAPH, about + _characteristics(face))


def _characteristics(thing: Card | Face) -> list[tuple[str, str]]:
    fields = [("manaCost", thing.mana_cost), ("typeLine", thing.type_line), ("oracleText", thing.text)]
    if isinstance(thing, Face) or len(thing.faces) == 1:
        face = thing if isinstance(thing, Face) else thing.faces[0]
        fields += [
            ("power", face.power or ""),
            ("toughness", face.toughness or ""),
            ("loyalty", face.loyalty or ""),
            ("defense", face.defense or ""),
        ]
    return [(rul(name), text(value)) for name, value in fields if value]


def shortened(wording: str, length: int = 80) -> str:
    """A wording cut at a word for use as a label."""
    return wording if len(wording) <= length else wording[: length - 1].rsplit(" ", 1)[0] + "…"


def statement_line(statement: Statement, iris: Iris) -> str:
    """The lines of a statement."""
    pairs = [
        (RDF_TYPE, rul("Statement")),
        (LABEL, text(shortened(statement.text))),
        (rul("text"), text(statement.text)),
        (rul("key"), text(statement.key)),
    ]
    pairs += [(rul("variant"), text(variant)) for variant in statement.variants[1:]]
    return quads(iri(iris.statement(statement.key)), _GRAPH, pairs)


def ruling_line(ruling: PublishedRuling, card: Card, iris: Iris) -> str:
    """The lines of a statement's publication on a card."""
    pairs = [
        (RDF_TYPE, rul("Ruling")),
        (LABEL, text(f"{card.name}, {ruling.published.isoformat()}")),
        (rul("about"), iri(iris.card(ruling.oracle_id))),
        (rul("states"), iri(iris.statement(ruling.key))),
        (_ISSUED, day(ruling.published)),
    ]
    pairs += [(_SOURCE, text(source)) for source in ruling.sources]
    face = next((n for n, face in enumerate(card.faces) if face.name == ruling.face and len(card.faces) > 1), None)
    if face is not None:
        pairs.append((rul("onFace"), iri(iris.face(ruling.oracle_id, face))))
    if ruling.restored:
        pairs.append((rul("restored"), text(ruling.restored)))
    return quads(iri(iris.ruling(ruling.oracle_id, ruling.published, ruling.key)), _GRAPH, pairs)


def _edition(edition: Edition, iris: Iris) -> Iterator[str]:
    about = [
        (RDF_TYPE, rul("Edition")),
        (LABEL, text(f"Rules of {edition.effective.isoformat()}")),
        (_ISSUED, day(edition.effective)),
    ]
    yield quads(iri(iris.edition(edition.effective)), _GRAPH, about)
    for rule in edition.rules.values():
        yield _rule(rule, edition, iris)


def _rule(rule: Rule, edition: Edition, iris: Iris) -> str:
    day_ = edition.effective
    pairs = [
        (RDF_TYPE, rul("Rule")),
        (LABEL, text(f"{rule.number} {rule.text}" if rule.is_heading else rule.number)),
        (rul("number"), text(rule.number)),
        (rul("text"), text(rule.text)),
        (rul("inEdition"), iri(iris.edition(day_))),
    ]
    if rule.parent is not None and rule.parent in edition.rules:
        pairs.append((rul("partOf"), iri(iris.rule(day_, rule.parent))))
    pairs += [(rul("refersTo"), iri(iris.rule(day_, number))) for number in referred(rule, edition)]
    pairs += [(rul("example"), text(example)) for example in rule.examples]
    return quads(iri(iris.rule(day_, rule.number)), _GRAPH, pairs)


def referred(rule: Rule, edition: Edition) -> tuple[str, ...]:
    """The numbers that a rule refers to and that its edition has, without itself."""
    return tuple(dict.fromkeys(n for n in rule.see if n in edition.rules and n != rule.number))
