"""The known kinds of sources, asked in turn which of them a file is."""

from collections.abc import Sequence

from rulings.ingest.mtgjson import MtgjsonReader
from rulings.ingest.own import OwnReader
from rulings.ingest.pages import PageReader
from rulings.ingest.reader import Head, Reader
from rulings.ingest.rules_text import RulesTextReader
from rulings.ingest.scryfall import ScryfallReader
from rulings.ingest.table import TableReader


def readers(card: str | None = None) -> Sequence[Reader]:
    """The readers, most particular kind first; ``card`` names the card of saved pages that don't tell it."""
    return (OwnReader(), ScryfallReader(), MtgjsonReader(), TableReader(), RulesTextReader(), PageReader(card=card))


def reader_of(head: Head, known: Sequence[Reader]) -> Reader | None:
    """The first reader that knows the content, None where none does."""
    return next((reader for reader in known if reader.matches(head)), None)
