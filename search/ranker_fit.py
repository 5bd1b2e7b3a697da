"""The ranker and the confidence fitted to questions on an index, the way the shipped ones were made."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from rulings.search.candidates import scored_candidates
from rulings.search.confidence import read_cues
from rulings.search.encoder import Encoder
from rulings.search.index import Index
from rulings.search.question import QuestionReader
from rulings.search.ranker import Ranker
from rulings.search.ranker_training import ADDED, Lesson, average_rankers, lesson, train_confidence, train_ranker
from rulings.search.ranking import rank
from rulings.search.signals import signals
from rulings.search.threads import one_thread
from rulings.search.training_data import TrainingQuestion, read_questions, set_aside

Floats = NDArray[np.float32]
Say = Callable[[str], None]

SEED = 4
"""Of the draw of questions."""
NETS = 3
"""So many nets are trained, with seeds from 0 on, and averaged."""
DRAWN = (("named", 350), ("sibling", 250), ("concept", 250))
"""How many English questions of each kind are drawn beside those kept aside from the encoder."""
DRAWN_FOREIGN = 150
"""How many in other languages."""
TWO_CARDS = 3
"""Every so many rulings that the shipped questions about two cards are on, in order of their keys, one goes aside."""
TIMES = 5
"""So often a question about two cards counts, for there are few."""
REAL = 700
"""So many questions stand for those that a ruling answers."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted.

    ``confidence`` is as in ``confidence.json``. ``figures`` are shares: ``hit@1`` and ``hit@5`` on the questions the
    encoder wasn't tuned on (the ranker was, so they flatter it), ``two-card hit@1`` and ``two-card hit@5`` on those
    about two cards that nothing was fitted to, ``answers_declined`` and ``others_declined`` of those that the
    confidence was fitted on.
    """

    ranker: Ranker
    confidence: dict[str, object]
    figures: dict[str, float]


class RankerFit:
    """Reads and scores questions on an index, and fits to them."""

    def __init__(self, index: Index, encoder: Encoder, say: Say = lambda _: None) -> None:
        """Take an index, the encoder that its vectors were made with, and what takes a line of progress."""
        self.index, self.encoder, self.say = index, encoder, say
        self.reader = QuestionReader(index)

    def fit(self, questions: Sequence[TrainingQuestion]) -> Fitted:
        """Fit the ranker, then the confidence on what it ranks; needs PyTorch.

        Args:
            questions: as `rulings.search.training_data.read_questions` reads them for the index's ``keys``.

        Raises:
            ValueError: no question has its answer among its candidates, or all of them are examples of the index.
        """
        import torch

        torch.set_num_threads(1)  # sums in the same order on every machine
        with one_thread():
            return self._fit(questions)

    def _fit(self, questions: Sequence[TrainingQuestion]) -> Fitted:
        aside, drawn = drawn_questions(questions)
        two_cards, kept = two_card_questions(self.index.keys)
        vectors = [self._vector(question.text) for question in (*aside, *drawn)]
        lessons = [self._lesson(q, vector) for q, vector in zip((*aside, *drawn), vectors, strict=True)]
        about_two, about_two_kept = (
            [self._lesson(q, self._vector(q.text)) for q in some] for some in (two_cards, kept)
        )
        # Those aside count twice: on the others the encoder's vectors are better than they will be in use.
        learned = [one for one in (*lessons, *lessons[: len(aside)], *(about_two * TIMES)) if one is not None]
        if not learned:
            raise ValueError("no question has its answer among its candidates")
        found = sum(one is not None for one in lessons)
        self.say(f"ranker: {len(lessons)} questions, {len(aside)} aside, {found} with their answer among candidates")
        ranker = average_rankers([train_ranker(learned, seed=seed) for seed in range(NETS)], ADDED)
        figures = _hits(lessons[: len(aside)] or lessons, ranker)
        figures |= {f"two-card {name}": value for name, value in _hits(about_two_kept, ranker).items()}
        confidence = self._confidence([q.text for q in (*aside, *drawn)], vectors, ranker, figures)
        return Fitted(ranker, confidence, {name: round(value, 4) for name, value in figures.items()})

    def _vector(self, question: str) -> Floats:
        return self.encoder.encode_question(self.reader.read(question).english)

    def _lesson(self, question: TrainingQuestion, vector: Floats) -> Lesson | None:
        read = self.reader.read(question.text)
        rows, scores = scored_candidates(self.index, read, vector)
        return lesson(self.index, rows, signals(self.index, read, scores, rows), question.answer)

    def _confidence(
        self, questions: Sequence[str], vectors: Sequence[Floats], ranker: Ranker, figures: dict[str, float]
    ) -> dict[str, object]:
        examples = set(shipped_examples("on_topic"))
        real = [(q, vector) for q, vector in zip(questions, vectors, strict=True) if q not in examples][:REAL]
        if not real:
            raise ValueError("no question that isn't an example of the index")
        real += [(q.text, self._vector(q.text)) for q in short_questions(self.index.keys)]
        other = shipped_examples("off_topic")
        answered = np.array([self._cues(question, vector, ranker) for question, vector in real])
        declined = np.array([self._cues(q, self._vector(q), ranker, n) for n, q in enumerate(other)])
        self.say(f"confidence: {len(answered)} questions that rulings answer, {len(declined)} that none does")
        model = train_confidence(answered, declined)
        below = [_share_below(model, cues) for cues in (answered, declined)]
        figures["answers_declined"], figures["others_declined"] = below
        return model

    def _cues(self, question: str, vector: Floats, ranker: Ranker, own: int | None = None) -> Floats:
        """The cues of a question; ``own`` is its place among the off-topic examples, where it must not find itself."""
        index, read = self.index, self.reader.read(question)
        ranked = rank(index, read, vector, ranker)
        strengths = ranked.scores.card_strength
        named = strengths[index.about.columns(int(ranked.rows[0]))] if len(ranked.rows) else strengths[:0]
        examples = index.off_topic
        try:
            if own is not None:
                index.off_topic = np.delete(examples, own, 0)
            return read_cues(index, read, ranked.scores, ranked.values, float(named.max(initial=0)))
        finally:
            index.off_topic = examples


def drawn_questions(
    questions: Sequence[TrainingQuestion],
) -> tuple[list[TrainingQuestion], list[TrainingQuestion]]:
    """All questions, in any language, on rulings kept aside from the encoder's training, and a draw of the others."""
    others, _ = set_aside(questions)
    left = set(others)
    draw = random.Random(SEED)  # noqa: S311

    def some(english: bool, kinds: tuple[str, ...], count: int) -> list[int]:
        fit = [i for i in others if (questions[i].language == "en") == english and questions[i].kind in kinds]
        return draw.sample(fit, min(count, len(fit)))

    drawn = [i for kind, count in DRAWN for i in some(True, (kind,), count)]
    drawn += some(False, ("named", "concept"), DRAWN_FOREIGN)
    return [q for i, q in enumerate(questions) if i not in left], [questions[i] for i in drawn]


def two_card_questions(keys: Sequence[str]) -> tuple[list[TrainingQuestion], list[TrainingQuestion]]:
    """The shipped questions that name two cards and whose ruling is among the statements: to fit to, and kept aside."""
    questions = _shipped_questions("two_card", keys)
    aside = set(sorted({question.answer for question in questions})[::TWO_CARDS])
    return [q for q in questions if q.answer not in aside], [q for q in questions if q.answer in aside]


def short_questions(keys: Sequence[str]) -> list[TrainingQuestion]:
    """The shipped questions of few words whose ruling is among the statements."""
    return _shipped_questions("short", keys)


def _shipped_questions(name: str, keys: Sequence[str]) -> list[TrainingQuestion]:
    with resources.as_file(resources.files("rulings.search") / "data" / f"{name}.jsonl") as path:
        return read_questions(path, keys)


def shipped_examples(name: str) -> list[str]:
    """The example questions ``off_topic`` or ``on_topic`` that an index keeps the vectors of, in its order."""
    return (resources.files("rulings.search") / "data" / f"{name}.txt").read_text("utf-8").splitlines()


def _hits(judged: Sequence[Lesson | None], ranker: Ranker) -> dict[str, float]:
    places = np.array([_place(one, ranker) for one in judged if one is not None])
    return {f"hit@{n}": float((places < n).sum() / len(judged)) for n in (1, 5)} if judged else {}


def _place(one: Lesson, ranker: Ranker) -> int:
    """How many candidates stand above the best right one."""
    scores = ranker.scores(one.table)
    return int((scores > scores[one.right].max()).sum())


def _share_below(model: dict[str, object], cues: Floats) -> float:
    weights, offset, threshold = model["weights"], model["offset"], model["threshold"]
    assert isinstance(weights, dict)
    assert isinstance(offset, float)
    assert isinstance(threshold, float)
    chance = 1 / (1 + np.exp(-(cues @ np.array(list(weights.values())) + offset)))
    return float((chance < threshold).mean())
