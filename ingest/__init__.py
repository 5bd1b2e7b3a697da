"""Readers of real sources into typed records, and the corpus that merges them."""

from rulings.ingest.archive import Archive, cards_digest, write_archive
from rulings.ingest.corpus import Corpus, Edition, Name, PublishedRuling, Statement
from rulings.ingest.errors import ArchiveError, IngestError, LimitError, RulingsError, SourceError, UnknownKindError
from rulings.ingest.merge import CorpusBuilder
from rulings.ingest.merge_cards import whole
from rulings.ingest.read import build_corpus, read_sources, sample_paths
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
