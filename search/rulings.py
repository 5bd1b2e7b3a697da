"""The way in for programs: open a home, ask questions."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from rulings.search.answer import Answer, Reading
from rulings.search.candidates import ByWords, score_words
from rulings.search.confidence import default_confidence, read_cues, word_cues
from rulings.search.encoder import Encoder, Vectors, open_encoder
from rulings.search.errors import IndexFormatError, QuestionError
from rulings.search.generation import Generation, current
from rulings.search.index import Index
from rulings.search.language import detect_language
from rulings.search.present import Presenter
from rulings.search.question import QuestionReader, Understood
from rulings.search.ranker import default_ranker
from rulings.search.ranking import rank
from rulings.search.threads import one_thread, question_threads

if TYPE_CHECKING:
    from rulings.graph.knowledge import KnowledgeGraph

MOST_RESULTS = 100
LONGEST = 10_000
"""Characters of a question; more is no question."""
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
    def graph(self) -> "KnowledgeGraph":
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
        encoder = self._given or open_encoder(self.index.encoder["name"], self._cache, question_threads())
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
            QuestionError: the question has no words, or is no text or over `LONGEST`; ``k`` is not from 1 to
                `MOST_RESULTS`; or ``without`` is no reading.
        """
        start = time.perf_counter()
        question, k = _checked(question), _counted(k)
        if not isinstance(without, Reading):
            raise QuestionError(f"without is {type(without).__name__}; give a Reading, as an answer's `reading` is one")
        with one_thread():
            # a question in another language is encoded by its English, which has to be read first
            language = detect_language(question)
            early = self._beside.submit(self.encoder.encode_question, question) if language == "en" else None
            read = self.reader.without(self.reader.read(question, language), without)
            encoded = early or self._beside.submit(self.encoder.encode_question, read.english)
            asked = _Asked(read, score_words(self.index, read), word_cues(self.index, read))
            answer = self._answer(asked, encoded.result(), k)
        return answer.timed(_since(start))

    def _answer(self, asked: "_Asked", vector: Vectors, k: int, every: Vectors | None = None) -> Answer:
        index, read = self.index, asked.read
        ranked = rank(index, read, vector, self._ranker, asked.words, every)
        strength = (
            float(ranked.scores.card_strength[index.about.columns(int(ranked.rows[0]))].max(initial=0))
            if len(ranked.rows)
            else 0.0
        )
        cues = read_cues(index, read, ranked.scores, ranked.values, strength, asked.cues)
        confidence = self._confidence.of(cues)
        answered = confidence >= self._confidence.threshold and len(ranked.rows) > 0
        return self._presenter.answer(read, ranked, k=k, answered=answered, confidence=confidence)

    def batch(self, questions: Iterable[str], k: int = 10) -> Iterator[Answer]:
        """Answer many questions, in order, each as `ask` does.

        Some are encoded at a time, while those before them are answered.

        Raises:
            QuestionError: as `ask`, when those before it are answered.
        """
        k = _counted(k)
        if isinstance(questions, str):
            raise QuestionError("batch takes several questions, as a list of texts; ask() takes one")
        begun: _Begun | None = None
        waiting: list[str] = []
        wrong: QuestionError | None = None
        for question in questions:
            try:
                waiting.append(_checked(question))
            except QuestionError as error:
                wrong = error
                break
            if len(waiting) == _TOGETHER:
                begun, former, waiting = self._begin(waiting), begun, []
                yield from self._finish(former, k)
        last = self._begin(waiting)
        yield from self._finish(begun, k)
        yield from self._finish(last, k)
        if wrong:
            raise wrong

    def _begin(self, questions: Sequence[str]) -> "_Begun":
        """Read some questions and have them encoded together, beside what else is done."""
        start = time.perf_counter()
        reads = [self.reader.read(question) for question in questions]
        took = _since(start)
        return _Begun(reads, took, self._beside.submit(self._scanned, [read.english for read in reads]))

    def _scanned(self, texts: Sequence[str]) -> tuple[Vectors, list[Vectors], float]:
        """The vectors of some questions, their cosines with everything, and the milliseconds it took."""
        start = time.perf_counter()
        vectors = self.encoder.encode_questions(texts)
        return vectors, list(self.index.quick.all_cosines(vectors)), _since(start)

    def _finish(self, begun: "_Begun | None", k: int) -> list[Answer]:
        """Answer what was begun; each is told an equal share of the time for what was done together."""
        answers: list[Answer] = []
        if begun is None or not begun.reads:
            return answers
        vectors, every, took = begun.scanned.result()
        share = (begun.took_ms + took) / len(begun.reads)
        with one_thread():
            for read, vector, cosines in zip(begun.reads, vectors, every, strict=True):
                start = time.perf_counter()
                asked = _Asked(read, score_words(self.index, read), word_cues(self.index, read))
                answer = self._answer(asked, vector, k, cosines)
                answers.append(answer.timed(round(_since(start) + share, 1)))
        return answers

    _beside = cached_property(lambda _: ThreadPoolExecutor(4, thread_name_prefix="encode"))
    _ranker = cached_property(lambda _: default_ranker())
    _confidence = cached_property(lambda _: default_confidence())


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, and what is known of it without its vector."""

    read: Understood
    words: ByWords
    cues: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Begun:
    """Questions that are being encoded: what was read, how long that took, and what will come of `_scanned`."""

    reads: Sequence[Understood]
    took_ms: float
    scanned: Future[tuple[Vectors, list[Vectors], float]]


def _checked(question: object) -> str:
    """A question that can be read: a text with words, without what no text can hold."""
    if not isinstance(question, str):
        raise QuestionError(f"the question is {type(question).__name__}, not a text; write it in plain words")
    if len(question) > LONGEST:
        raise QuestionError(f"the question has {len(question):,} characters, at most {LONGEST:,} are read; shorten it")
    question = question.encode("utf-8", "replace").decode().replace("\0", " ")
    if not any(sign.isalnum() for sign in question):
        raise QuestionError("the question has no words; write it in plain words")
    return question


def _counted(k: object) -> int:
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MOST_RESULTS:
        raise QuestionError(f"k={k!r}: how many rulings to show is a number from 1 to {MOST_RESULTS}")
    return k


def _since(start: float) -> float:
    """Milliseconds from a moment on, to a tenth."""
    return round((time.perf_counter() - start) * 1000, 1)
