"""The scheme of concepts of the loaded rules, with every surface form that names one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from rulings.graph.concept_data import Entry, curated
from rulings.graph.concept_forms import WORD, find_key, forms
from rulings.graph.concept_sources import read_edition
from rulings.graph.concept_terms import Found, folded, parts, slug
from rulings.graph.concept_tree import broader, related, terms
from rulings.graph.records import Concept
from rulings.ingest import Corpus, Edition

WEIGHTS = {"label": 1.0, "alias": 0.95, "inflection": 0.9, "name": 0.9, "synonym": 0.8}
WEAK = 0.3
"""What a surface's weight is multiplied by where it is also an everyday word ("if", "deal", "night")."""


class Surface(NamedTuple):
    """A form of words that names a concept.

    ``text`` is lower case with straight quotes; ``method`` is "label", "alias", "inflection", "synonym" or "name" (a
    word in another language); ``weight`` in 0..1 is how surely the words alone mean the concept.
    """

    text: str
    concept: str
    language: str
    method: str
    weight: float


class ConceptScheme:
    """The concepts of the newest rules loaded, by slug, and the surface forms that name them."""

    def __init__(
        self, concepts: Mapping[str, Concept], surfaces: tuple[Surface, ...], unresolved: tuple[Entry, ...] = ()
    ) -> None:
        self.concepts = concepts
        self.unresolved = unresolved
        """Curated entries whose concept the loaded rules don't have."""
        self._surfaces = surfaces
        self._by_label = {folded(concept.label): concept.slug for concept in concepts.values()}
        self._index: dict[str, list[Surface]] = defaultdict(list)
        for surface in surfaces:
            self._index[find_key(surface.text)].append(surface)
        for found in self._index.values():
            found.sort(key=lambda s: (-s.weight, s.concept))

    @classmethod
    def from_corpus(cls, corpus: Corpus) -> "ConceptScheme":
        """Build the scheme from the newest rules, the curated vocabulary and the cards' keywords.

        With no rules loaded, or only rules that name no term, the concepts are those that the curated vocabulary and
        the cards' keywords name.
        """
        edition = corpus.newest
        found: dict[str, Found] = {}
        heads = list(read_edition(edition)) if edition else []
        for one in heads or _without_rules(corpus):
            base = slug(one.label)
            found[base if base not in found else _free(base, one, found)] = one
        by_term = terms(found)
        if edition:
            for one in _card_keywords(corpus, by_term):
                found.setdefault(slug(one.label), one)
            by_term = terms(found)
        entries = [(entry, by_term.get(folded(entry.concept))) for entry in curated()]
        surfaces = _surfaces(found, edition, corpus, [(entry, one) for entry, one in entries if one])
        tree = broader(found)
        spelled = _labels(found, surfaces, [(entry, one) for entry, one in entries if one])
        concepts = _concepts(found, tree, related(found, tree, edition), spelled)
        return cls(concepts, surfaces, tuple(entry for entry, one in entries if one is None))

    def surfaces(self) -> Iterator[Surface]:
        """Yield every surface form, by text and then by falling weight. A text can name several concepts."""
        yield from self._surfaces

    def find(self, text_surface: str, language: str | None = None) -> tuple[str, ...]:
        """Return the slugs of the concepts that some words name, the surest first; () where they name none.

        ``language`` (ISO 639) keeps to the words of one language. Case, quotes and hyphens make no difference.
        """
        exact = self._by_label.get(folded(text_surface)) if language in (None, "en") else None
        hits = self._index.get(find_key(text_surface), ())
        slugs = [exact] if exact else []
        return tuple(dict.fromkeys(slugs + [s.concept for s in hits if language in (None, s.language)]))

    def by_label(self, label: str) -> Concept | None:
        """Return the concept of exactly this label (case and quotes apart), None where there is none."""
        found = self._by_label.get(folded(label))
        return self.concepts[found] if found else None


def _without_rules(corpus: Corpus) -> list[Found]:
    keywords = {folded(k): k for card in corpus.cards.values() for k in card.keywords}
    labels = dict.fromkeys((*(e.concept for e in curated()), *sorted(keywords.values())))
    found: dict[str, Found] = {}
    for label in labels:
        kind = "keyword ability" if any(folded(part) in keywords for part in parts(label)) else "other"
        if label not in found and not (
            label in keywords.values() and any(folded(label) in map(folded, parts(o)) for o in found)
        ):
            found[label] = Found(label, kind)
    return list({slug(one.label): one for one in reversed(found.values())}.values())[::-1]


def _card_keywords(corpus: Corpus, by_term: Mapping[str, str]) -> Iterator[Found]:
    """Keywords of cards that the rules loaded don't have yet (cards newer than the rules)."""
    counts = Counter(k for card in corpus.cards.values() for k in card.keywords)
    for keyword in sorted(counts):
        first, _, rest = keyword.rpartition(" ")
        if folded(keyword) not in by_term and not (rest == "from" and folded(first) in by_term):
            yield Found(keyword, "keyword")


def _free(base: str, one: Found, taken: Mapping[str, Found]) -> str:
    options = [base + "-obsolete"] if one.obsolete else []
    options += [f"{base}-{one.kind.replace(' ', '-')}", *(f"{base}-{n}" for n in range(2, 99))]
    return next(option for option in options if option not in taken)


def _surfaces(
    found: Mapping[str, Found], edition: Edition | None, corpus: Corpus, entries: list[tuple[Entry, str]]
) -> tuple[Surface, ...]:
    texts = (
        {n: r.text for n, r in edition.rules.items()} if edition else {k: s.text for k, s in corpus.statements.items()}
    )
    words = {number: set(WORD.findall(text.lower().replace("’", "'"))) for number, text in texts.items()}
    used: set[str] = set().union(*words.values())
    own_words = _own_words(found, edition, words) if edition else {}
    whole = {folded(one.label) for one in found.values()}
    labels = {folded(part) for one in found.values() for part in parts(one.label)}
    best: dict[tuple[str, str, str], Surface] = {}

    def put(text: str, concept: str, language: str, method: str, weight: float) -> None:
        old = best.get((text, concept, language))
        if text and (old is None or old.weight < weight):
            best[text, concept, language] = Surface(text, concept, language, method, weight)

    for concept, one in found.items():
        for text, method in forms(one, used, own_words.get(concept, used), whole):
            clash = method != "label" and folded(text) in labels
            put(
                text,
                concept,
                "en",
                method,
                WEIGHTS[method] * (0.5 if clash or (one.obsolete and method != "label") else 1.0),
            )
    weak = set()
    for entry, concept in entries:
        text = folded(entry.surface)
        if entry.note == "weak":
            weak.add((text, entry.language))
        method = "synonym" if entry.language == "en" else "name"
        put(text, concept, entry.language, method, WEIGHTS[method])
    ordered = sorted(best.values(), key=lambda s: (s.text, -s.weight, s.concept, s.language))
    return tuple(s._replace(weight=s.weight * WEAK) if (s.text, s.language) in weak else s for s in ordered)


def _own_words(found: Mapping[str, Found], edition: Edition, words: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The words of the rules that define each keyword, with the rules below them, and of its glossary entry."""
    below: dict[str, list[str]] = defaultdict(list)
    for rule in edition.rules.values():
        if rule.parent:
            below[rule.parent].append(rule.number)

    def under(number: str) -> set[str]:
        return words[number].union(*(under(child) for child in below[number]))

    keywords = {concept: one for concept, one in found.items() if one.kind in ("keyword ability", "ability word")}
    return {
        concept: set(WORD.findall(one.definition.lower())).union(*(under(n) for n in one.rules if n != "207.2c"))
        for concept, one in keywords.items()
    }


Labels = tuple[tuple[str, Literal["pref", "alt"], str], ...]


def _labels(
    found: Mapping[str, Found], surfaces: Iterable[Surface], entries: Iterable[tuple[Entry, str]]
) -> dict[str, Labels]:
    """The labels of each concept: its head, aliases of the rules, curated words as spelled there; no inflections."""
    spelled: dict[str, dict[tuple[str, str], Literal["pref", "alt"]]] = {
        concept: {("en", one.label): "pref"} for concept, one in found.items()
    }
    for surface in surfaces:
        if surface.method in ("label", "alias") and surface.text != folded(found[surface.concept].label):
            spelled[surface.concept].setdefault(("en", surface.text), "alt")
    named = {(concept, "en") for concept in found}
    for entry, concept in entries:
        if (concept, entry.language) not in named:
            named.add((concept, entry.language))
            spelled[concept][entry.language, entry.surface] = "pref"
        elif folded(entry.surface) not in (word.casefold() for _, word in spelled[concept]):
            spelled[concept].setdefault((entry.language, entry.surface), "alt")
    return {
        concept: tuple(
            (language, kind, text)
            for (language, text), kind in sorted(own.items(), key=lambda i: (i[0][0], i[1] == "alt"))
        )
        for concept, own in spelled.items()
    }


def _concepts(
    found: Mapping[str, Found],
    tree: Mapping[str, tuple[str, ...]],
    links: Mapping[str, tuple[str, ...]],
    spelled: Mapping[str, Labels],
) -> dict[str, Concept]:
    return {
        concept: Concept(
            concept,
            one.label,
            one.kind,
            spelled[concept],
            tree.get(concept, ()),
            links.get(concept, ()),
            tuple(one.rules),
            one.definition,
            obsolete=one.obsolete,
        )
        for concept, one in found.items()
    }
