"""The search index of a generation: written once by a build, opened memory-mapped."""

import json
from bisect import bisect_left
from collections.abc import Collection, Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rulings.graph.concepts import ConceptScheme
from rulings.graph.likeness import Likeness
from rulings.graph.records import Analysis, Derived, Vectors
from rulings.ingest import Corpus, Statement
from rulings.search.arrays import Rows, mapped, write_matrix
from rulings.search.documents import is_heading
from rulings.search.encoder import Encoder
from rulings.search.engines.keep import open_vectors
from rulings.search.errors import IndexFormatError
from rulings.search.index_parts import take_over
from rulings.search.lexical import LexicalIndex, write_lexical
from rulings.search.name_table import NameTable, read_name_table, write_name_table
from rulings.search.question_concepts import ConceptReader, write_concept_words
from rulings.search.quick_scan import write_quick_scan
from rulings.search.showing import Showing, write_showing
from rulings.search.vectors import VectorCache, embed
from rulings.search.word_table import write_word_table
from rulings.search.words import index_terms, split_words

if TYPE_CHECKING:
    from scipy import sparse

FORMAT = "3"
_MENTIONED = 0.4
"""The weight of a concept that a statement only mentions, against 1 for one that it clarifies."""
_MOST_NAMES = 5


def write_index(
    folder: Path,
    corpus: Corpus,
    derived: Derived,
    encoder: Encoder,
    vectors: Vectors,
    cache: VectorCache | None = None,
    former: Path | None = None,
) -> None:
    """Write the index of a corpus into the new folder ``folder``.

    ``vectors.statements`` must be there; ``vectors.rules`` is needed for showing the rules that bear on a question.
    Both were made by ``encoder``, which questions are then encoded with. ``cache`` may know the vectors of the example
    questions. ``former`` is as for `begin_index`, which is called where the folder isn't there yet. The same input
    gives the same files.

    Raises:
        OSError: a part of ``former`` can't be read, or the folder can't be written.
    """
    if not folder.exists():
        begin_index(folder, corpus, former)
    _write_vectors(folder, corpus, vectors)
    concepts = ConceptReader(folder)
    _write_structure(folder, corpus, derived, concepts)
    if former is None:
        _write_uses(folder, corpus, derived, concepts)
        write_matrix(folder, "alike", _alike(derived, {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}))
    write_showing(folder, corpus, derived, {slug: n for n, slug in enumerate(concepts.slugs)})
    _write_examples(folder, encoder, cache)
    made_by = {"name": encoder.name, "fingerprint": encoder.fingerprint, "dimensions": encoder.dimensions}
    (folder / "encoder.json").write_text(json.dumps(made_by), encoding="utf-8")
    (folder / "format.txt").write_text(FORMAT, encoding="utf-8")


def begin_index(
    folder: Path, corpus: Corpus, former: Path | None = None, listed: Collection[str] | None = None
) -> None:
    """Write what depends on the corpus alone into the new folder ``folder``.

    ``former`` is the index of another corpus with the same cards and printed names: what depends on them alone is taken
    over, of its files those ``listed`` (None: all).

    Raises:
        OSError: a part of ``former`` can't be read, or the folder can't be written.
    """
    folder.mkdir(parents=True)
    if former is not None:
        take_over(former, folder, listed)
    scheme = ConceptScheme.from_corpus(corpus)
    write_concept_words(folder, scheme.surfaces(), {slug: concept.label for slug, concept in scheme.concepts.items()})
    write_name_table(folder, corpus, former)
    if former is None:
        write_word_table(folder, corpus)
    _write_texts(folder, corpus, cards=former is None)


def _write_texts(folder: Path, corpus: Corpus, *, cards: bool) -> None:
    statements = corpus.statements.values()
    texts = [index_terms(statement.text) for statement in statements]
    names = {oracle_id: index_terms(card.name) for oracle_id, card in corpus.cards.items()}
    named = [
        [term for i in s.oracle_ids[:_MOST_NAMES] for term in names[i]] + text
        for s, text in zip(statements, texts, strict=True)
    ]
    write_lexical(folder / "text", texts)
    write_lexical(folder / "named", named)
    if cards:
        types_and_texts = (f"{card.type_line} {card.text.replace(card.name, ' ')}" for card in corpus.cards.values())
        write_lexical(folder / "cards", (index_terms(text) for text in types_and_texts))
    newest = corpus.newest
    (folder / "keys.txt").write_text("\n".join(corpus.statements), encoding="utf-8")
    lines = (f"{oracle_id}\t{card.name}" for oracle_id, card in corpus.cards.items())
    (folder / "cards.tsv").write_text("\n".join(lines), encoding="utf-8")
    (folder / "edition.txt").write_text(newest.effective.isoformat() if newest else "", encoding="utf-8")
    (folder / "rules.txt").write_text("\n".join(newest.rules if newest else ()), encoding="utf-8")


def _write_vectors(folder: Path, corpus: Corpus, vectors: Vectors) -> None:
    if vectors.statements is None or len(vectors.statements) != len(corpus.statements):
        raise IndexFormatError(
            f"{folder}: vectors for {len(corpus.statements)} statements are needed; embed them first"
        )
    np.save(folder / "statements.npy", np.ascontiguousarray(vectors.statements, np.float32))
    write_quick_scan(folder, np.concatenate([vectors.statements, *([] if vectors.rules is None else [vectors.rules])]))
    width = vectors.statements.shape[1]
    for name, rows in (("rules", vectors.rules), ("cards", vectors.cards)):
        np.save(
            folder / f"{name}.npy", np.ascontiguousarray(rows if rows is not None else np.zeros((0, width)), np.float32)
        )


def _write_examples(folder: Path, encoder: Encoder, cache: VectorCache | None) -> None:
    """The vectors of example questions, those that nothing answers and those that a ruling answers."""
    for name in ("off_topic", "on_topic"):
        examples = (resources.files("rulings.search") / "data" / f"{name}.txt").read_text("utf-8").splitlines()
        np.save(folder / f"{name}.npy", embed(encoder, examples, cache))


def _write_structure(folder: Path, corpus: Corpus, derived: Derived, concepts: ConceptReader) -> None:
    cards = {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}
    keys = {key: n for n, key in enumerate(corpus.statements)}
    slugs = {slug: n for n, slug in enumerate(concepts.slugs)}
    statements = list(corpus.statements.values())
    count = len(statements)

    def put(name: str, triples: list[tuple[int, int, float]], shape: tuple[int, int]) -> None:
        write_matrix(folder, name, _matrix(triples, shape))

    about = [(n, cards[i], 1.0) for n, s in enumerate(statements) for i in s.oracle_ids]
    put("about", about, (count, len(cards)))
    put("published", [(card, n, 1.0) for n, card, _ in about], (len(cards), count))
    tags = [(n, slug, w) for n, s in enumerate(statements) for slug, w in _tags(s, derived.analyses, concepts, slugs)]
    put("tags", tags, (count, len(slugs)))
    put("tagged", [(slug, n, w) for n, slug, w in tags], (len(slugs), count))
    mentions = [
        (keys[key], cards[m.oracle_id], m.confidence)
        for key, analysis in derived.analyses.items() if key in keys
        for m in analysis.mentions_cards if m.oracle_id in cards
    ]  # fmt: skip
    put("mentions", _greatest(mentions), (count, len(cards)))
    rules = {number: n for n, number in enumerate(corpus.newest.rules if corpus.newest else ())}
    rests = [
        (keys[key], rules[link.number], link.confidence)
        for key, analysis in derived.analyses.items() if key in keys
        for link in analysis.rules if link.number in rules
    ]  # fmt: skip
    put("rests", _greatest(rests), (count, max(1, len(rules))))
    group = np.arange(count, dtype=np.int32)
    for members in derived.groups:
        places = [keys[key] for key in members if key in keys]
        group[places] = places[0] if places else 0
    outdated = np.array([bool((a := derived.analyses.get(s.key)) and a.outdated) for s in statements], np.bool_)
    np.savez(
        folder / "facts.npz",
        group=group, outdated=outdated,
        days=np.array([s.dates[-1].toordinal() for s in statements], np.int32),
        lengths=np.array([len(split_words(s.text)) for s in statements], np.int32),
        headings=np.array([is_heading(s.text) for s in statements], np.bool_),
    )  # fmt: skip


def _write_uses(folder: Path, corpus: Corpus, derived: Derived, concepts: ConceptReader) -> None:
    """The concepts that cards have or use."""
    cards = {oracle_id: n for n, oracle_id in enumerate(corpus.cards)}
    slugs = {slug: n for n, slug in enumerate(concepts.slugs)}
    uses = [
        (cards[use.oracle_id], slugs[use.concept], 1.0)
        for use in derived.card_uses
        if use.oracle_id in cards and use.concept in slugs
    ]
    write_matrix(folder, "uses", _matrix(_greatest(uses), (len(cards), len(slugs))))


def _alike(derived: Derived, cards: Mapping[str, int]) -> "sparse.csr_matrix":
    """The likeness of cards, by their positions."""
    from scipy import sparse

    likeness = Likeness.of(derived.works_like)
    place = np.array([cards.get(oracle_id, -1) for oracle_id in likeness.oracle_ids], np.int32)
    rows, columns, scores = likeness.triples()
    known = (place[rows] >= 0) & (place[columns] >= 0)
    entries = (place[rows[known]], place[columns[known]])
    return sparse.csr_matrix((scores[known].astype(np.float32), entries), shape=(len(cards), len(cards)))


def _tags(
    statement: Statement, analyses: Mapping[str, Analysis], concepts: ConceptReader, slugs: Mapping[str, int]
) -> list[tuple[int, float]]:
    """The concepts of a statement with their weights; read from its words where it wasn't analysed."""
    analysis = analyses.get(statement.key)
    weights: dict[int, float] = {}
    if analysis is None:
        for named in concepts.read(split_words(statement.text)):
            weights[slugs[named.concept]] = named.weight * _MENTIONED
    else:
        for mention in analysis.mentions_concepts:
            if mention.concept in slugs:
                place = slugs[mention.concept]
                weights[place] = max(weights.get(place, 0.0), mention.confidence * _MENTIONED)
        for about in analysis.clarifies:
            if about.concept in slugs:
                place = slugs[about.concept]
                weights[place] = max(weights.get(place, 0.0), about.confidence)
    return sorted(weights.items())


def _greatest(triples: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    best: dict[tuple[int, int], float] = {}
    for row, column, value in triples:
        best[row, column] = max(best.get((row, column), 0.0), value)
    return [(row, column, value) for (row, column), value in best.items()]


def _matrix(triples: list[tuple[int, int, float]], shape: tuple[int, int]) -> "sparse.csr_matrix":
    from scipy import sparse

    table = np.array(triples, np.float64).reshape(-1, 3)
    entries = (table[:, 0].astype(np.int32), table[:, 1].astype(np.int32))
    return sparse.csr_matrix((table[:, 2].astype(np.float32), entries), shape=shape)


class Index:
    """An opened index. Positions of statements, cards and rules are those of the corpus it was written from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = (folder / "format.txt").read_text("utf-8") if (folder / "format.txt").is_file() else "none"
        if found != FORMAT:
            raise IndexFormatError(
                f"{folder}: format {found} of the search index, {FORMAT} is needed; run `rulings build` again"
            )
        self.encoder: dict[str, Any] = json.loads((folder / "encoder.json").read_text("utf-8"))
        self.keys = _lines(folder / "keys.txt")
        cards = [line.partition("\t") for line in _lines(folder / "cards.tsv")]
        self.oracle_ids = tuple(oracle_id for oracle_id, _, _ in cards)
        self.card_names = tuple(name for _, _, name in cards)
        self.rule_numbers = _lines(folder / "rules.txt")
        self.edition = (folder / "edition.txt").read_text("utf-8")
        vectors = open_vectors(folder)
        self.engine, self.quick, self.moments = vectors.engine, vectors.scan, vectors.moments
        self._here = vectors.here
        self.showing = Showing(folder)
        self.rules: NDArray[np.float32] = mapped(folder / "rules.npy")
        self.cards: NDArray[np.float32] = mapped(folder / "cards.npy")
        self.off_topic: NDArray[np.float32] = np.load(folder / "off_topic.npy")
        self.on_topic: NDArray[np.float32] = np.load(folder / "on_topic.npy")
        self.text, self.named = LexicalIndex(folder / "text"), LexicalIndex(folder / "named")
        self.card_text = LexicalIndex(folder / "cards")
        self.names: NameTable = read_name_table(folder)
        self.concepts = ConceptReader(folder)
        self.about, self.published = Rows(folder, "about"), Rows(folder, "published")
        self.alike, self.mentions = Rows(folder, "alike"), Rows(folder, "mentions")
        self.tags, self.tagged = Rows(folder, "tags"), Rows(folder, "tagged")
        self.rests, self.uses = Rows(folder, "rests"), Rows(folder, "uses")
        with np.load(folder / "facts.npz") as facts:
            self.group: NDArray[np.int32] = facts["group"]
            self.outdated: NDArray[np.bool_] = facts["outdated"]
            self.days: NDArray[np.int32] = facts["days"]
            self.lengths: NDArray[np.int32] = facts["lengths"]
            self.headings: NDArray[np.bool_] = (
                facts["headings"] if "headings" in facts else np.zeros(len(self.keys), np.bool_)
            )
        order = np.argsort(self.group, kind="stable").astype(np.int32)
        self._by_group = order
        self._group_starts = np.searchsorted(self.group[order], np.arange(len(self.keys) + 1))
        self.group_sizes = np.diff(self._group_starts)[self.group] if len(self.keys) else np.zeros(0, np.intp)
        self.card_counts = np.diff(self.about.indptr)
        counts = np.diff(self.tagged.indptr)
        self.concept_places = {slug: n for n, slug in enumerate(self.concepts.slugs)}
        self.concept_weights = np.log(1 + len(self.keys) / (1.0 + counts)).astype(np.float32)

    @classmethod
    def open(cls, folder: Path) -> "Index":
        """Open the index in ``folder``.

        Raises:
            IndexFormatError: nothing is there or it was written by another version.
        """
        return cls(folder)

    @cached_property
    def rule_places(self) -> dict[str, int]:
        """The position of each rule by its number."""
        return {number: n for n, number in enumerate(self.rule_numbers)}

    @cached_property
    def is_rule(self) -> NDArray[np.bool_]:
        """Which rules are no headings."""
        return np.array(["." in number for number in self.rule_numbers], np.bool_)

    @property
    def statements(self) -> NDArray[np.float32]:
        """The vectors of all statements, fetched where they are on a server; a question takes a few from ``engine``."""
        return self.engine.of(np.arange(len(self.keys))) if self._here is None else self._here

    def place(self, key: str) -> int | None:
        """The position of the statement with a key, None for an unknown one."""
        found = bisect_left(self.keys, key)
        return found if found < len(self.keys) and self.keys[found] == key else None

    def members(self, statement: int) -> NDArray[np.int32]:
        """All statements of the group that a statement is in, itself included."""
        group = self.group[statement]
        return self._by_group[self._group_starts[group] : self._group_starts[group + 1]]


def _lines(path: Path) -> tuple[str, ...]:
    text = path.read_text("utf-8")
    return tuple(text.split("\n")) if text else ()
