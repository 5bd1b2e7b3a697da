"""Libraries of the engines, each brought by an extra of the distribution and imported when first used."""

from importlib import import_module
from types import ModuleType

from rulings.graph.errors import MissingExtraError


def _needed(extra: str, *names: str) -> ModuleType:
    try:
        for name in names[1:]:
            import_module(name)
        return import_module(names[0])
    except ImportError:
        raise MissingExtraError(
            f"these vectors need {names[0]}; install it with: pip install 'rulings-graph[{extra}]'"
        ) from None


def faiss() -> ModuleType:
    """Faiss.

    Raises:
        MissingExtraError: it isn't installed.
    """
    return _needed("faiss", "faiss")


def psycopg() -> ModuleType:
    """Psycopg 3, with what it needs to send vectors.

    Raises:
        MissingExtraError: it isn't installed.
    """
    return _needed("postgres", "psycopg", "pgvector.psycopg")


def qdrant() -> ModuleType:
    """The client of Qdrant.

    Raises:
        MissingExtraError: it isn't installed.
    """
    return _needed("qdrant", "qdrant_client")
