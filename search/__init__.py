"""Question reading, indexes, ranking and answers."""

from rulings.search.answer import Answer, Result
from rulings.search.rulings import Rulings

__all__ = ["Answer", "Result", "Rulings"]
