"""Question reading, indexes, ranking and answers."""

from rulings.search.answer import Answer, CardRef, Reading, Result, RuleRef, Step
from rulings.search.errors import (
    GenerationError,
    IndexFormatError,
    ModelError,
    NoGenerationError,
    QuestionError,
    SearchError,
)
from rulings.search.rulings import Rulings

__all__ = [
    "Answer",
    "CardRef",
    "GenerationError",
    "IndexFormatError",
    "ModelError",
    "NoGenerationError",
    "QuestionError",
    "Reading",
    "Result",
    "RuleRef",
    "Rulings",
    "SearchError",
    "Step",
]
