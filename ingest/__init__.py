"""Readers of real sources into typed records, and the corpus that merges them."""

from importlib import import_module
from typing import TYPE_CHECKING

from rulings.ingest.archive import Archive, cards_digest, write_archive
from rulings.ingest.corpus import Corpus, Edition, Name, PublishedRuling, Statement
from rulings.ingest.errors import ArchiveError, IngestError, LimitError, RulingsError, SourceError, UnknownKindError
from rulings.ingest.records import (
    Card,
    Face,
    GlossaryEntry,
    Place,
    Printing,
    Problem,
    Record,
    Report,
    Rule,
    Ruling,
    SavedPage,
)
from rulings.ingest.text import fold, fold_name, key

if TYPE_CHECKING:
    from rulings.ingest.merge import CorpusBuilder
    from rulings.ingest.merge_cards import whole
    from rulings.ingest.read import build_corpus, read_sources, sample_paths

# what reads sources takes a third of the time of importing all, and who asks a question needs none of it
_LATER = {"CorpusBuilder": "merge", "whole": "merge_cards"}
_LATER |= dict.fromkeys(("build_corpus", "read_sources", "sample_paths"), "read")

__all__ = [
    "Archive",
    "ArchiveError",
    "Card",
    "Corpus",
    "CorpusBuilder",
    "Edition",
    "Face",
    "GlossaryEntry",
    "IngestError",
    "LimitError",
    "Name",
    "Place",
    "Printing",
    "Problem",
    "PublishedRuling",
    "Record",
    "Report",
    "Rule",
    "Ruling",
    "RulingsError",
    "SavedPage",
    "SourceError",
    "Statement",
    "UnknownKindError",
    "build_corpus",
    "cards_digest",
    "fold",
    "fold_name",
    "key",
    "read_sources",
    "sample_paths",
    "whole",
    "write_archive",
]


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
    return found
