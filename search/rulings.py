"""The way in for programs: open a home, ask questions."""

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Self

from rulings.graph.knowledge import KnowledgeGraph
from rulings.search.answer import Answer, Reading
from rulings.search.confidence import default_confidence, read_cues
from rulings.search.encoder import Encoder, Vectors, open_encoder
from rulings.search.errors import IndexFormatError, QuestionError
from rulings.search.generation import Generation, current
from rulings.search.index import Index
from rulings.search.language import detect_language
from rulings.search.present import Presenter
from rulings.search.question import QuestionReader, Understood
from rulings.search.ranker import default_ranker
from rulings.search.ranking import rank
from rulings.search.signals import WordScores, score_words
from rulings.search.threads import one_thread

MOST_RESULTS = 100
_TOGETHER = 64
"""Questions of a batch that are encoded at a time."""
NOTHING = Reading()


class Rulings:
    """An opened generation that answers questions; safe to share between threads."""

    def __init__(self, generation: Generation, encoder: Encoder | None = None, cache: Path | None = None) -> None:
        """Take a generation; its parts are opened when first used.

        ``encoder`` is opened by the name that the index was written with where it isn't given; ``cache`` is its folder.
        """
        self.generation = generation
        self._given = encoder
        self._cache = cache

    @classmethod
    def open(cls, home: Path | str | None = None) -> Self:
        """Open the generation in use in a home (None: ``$RULINGS_HOME``, else the user's data folder).

        Raises:
            NoGenerationError: nothing was built there yet.
            GenerationError: the generation in use is gone or damaged.
        """
        generation = current(Path(home) if home is not None else None)
        return cls(generation, cache=generation.path.parent.parent / "cache")

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph."""
        return self.generation.graph

    @cached_property
    def index(self) -> Index:
        """The search index."""
        return Index.open(self.generation.index)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder that the index was written with.

        Raises:
            IndexFormatError: it changed since.
        """
        encoder = self._given or open_encoder(self.index.encoder["name"], self._cache)
        if encoder.fingerprint != self.index.encoder["fingerprint"]:
            raise IndexFormatError(
                f"{self.index.folder}: the encoder {encoder.name} changed since; run `rulings build` again"
            )
        return encoder

    @cached_property
    def reader(self) -> QuestionReader:
        """The reader of questions."""
        return QuestionReader(self.index)

    @cached_property
    def _presenter(self) -> Presenter:
        generation = self.generation
        return Presenter(self.index, generation.analyses, generation.iris)

    def ask(self, question: str, k: int = 10, without: Reading = NOTHING) -> Answer:
        """Answer a question in English, German or French with at most ``k`` rulings, best first.

        ``without`` is what a former reading of the question got wrong, by the names in `Answer.reading`: its words then
        count as any other words.

        Raises:
            QuestionError: the question has no words, or is no text.
        """
        start = time.perf_counter()
        question = _checked(question)
        with one_thread():
            read, words, vector = self._read(question, without)
            answer = self._answer(read, words, vector, k)
        return answer.timed(_since(start))

    def _answer(
        self, read: Understood, words: WordScores, vector: Vectors, k: int, every: Vectors | None = None
    ) -> Answer:
        index = self.index
        ranked = rank(index, read, vector, self._ranker, words, every)
        strength = (
            float(ranked.scores.card_strength[index.about.columns(int(ranked.rows[0]))].max(initial=0))
            if len(ranked.rows)
            else 0.0
        )
        cues = read_cues(index, read, ranked.scores, ranked.values, strength)
        confidence = self._confidence.of(cues)
        answered = confidence >= self._confidence.threshold and len(ranked.rows) > 0
        return self._presenter.answer(read, ranked, k=min(k, MOST_RESULTS), answered=answered, confidence=confidence)

    def _read(self, question: str, without: Reading) -> tuple[Understood, WordScores, Vectors]:
        """What a question says, its scores by words, and its vector; an English one is encoded meanwhile."""
        language = detect_language(question)
        encoded = self._beside.submit(self.encoder.encode_question, question) if language == "en" else None
        read = self.reader.without(self.reader.read(question, language), without)
        words = score_words(self.index, read)
        return read, words, encoded.result() if encoded else self.encoder.encode_question(read.english)

    def batch(self, questions: Iterable[str], k: int = 10) -> Iterator[Answer]:
        """Answer many questions, in order, each as `ask` does; encoding some at a time takes half as long.

        Raises:
            QuestionError: as `ask`, when those before it are answered.
        """
        waiting: list[str] = []
        for question in questions:
            try:
                waiting.append(_checked(question))
            except QuestionError:
                yield from self._together(waiting, k)
                raise
            if len(waiting) == _TOGETHER:
                yield from self._together(waiting, k)
                waiting = []
        yield from self._together(waiting, k)

    def _together(self, questions: Sequence[str], k: int) -> list[Answer]:
        """Answer some questions whose vectors are made together; each is told an equal share of the time for that."""
        start = time.perf_counter()
        answers: list[Answer] = []
        if not questions:
            return answers
        with one_thread():
            reads = [self.reader.read(question) for question in questions]
            vectors = self.encoder.encode_questions([read.english for read in reads])
            every = list(self.index.quick.all_cosines(vectors))
            share = _since(start) / max(1, len(reads))
            for read, vector, cosines in zip(reads, vectors, every, strict=True):
                start = time.perf_counter()
                answer = self._answer(read, score_words(self.index, read), vector, k, cosines)
                answers.append(answer.timed(round(_since(start) + share, 1)))
        return answers

    _beside = cached_property(lambda _: ThreadPoolExecutor(4, thread_name_prefix="encode"))
    _ranker = cached_property(lambda _: default_ranker())
    _confidence = cached_property(lambda _: default_confidence())


def _checked(question: object) -> str:
    """A question that can be read: a text with words, without what no text can hold."""
    if not isinstance(question, str):
        raise QuestionError(f"the question is {type(question).__name__}, not a text; write it in plain words")
    question = question.encode("utf-8", "replace").decode().replace("\0", " ")
    if not any(sign.isalnum() for sign in question):
        raise QuestionError("the question has no words; write it in plain words")
    return question


def _since(start: float) -> float:
    """Milliseconds from a moment on, to a tenth."""
    return round((time.perf_counter() - start) * 1000, 1)
