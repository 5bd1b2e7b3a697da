"""Lost symbols come back only where known rulings show which they were."""

import pytest

from rulings.ingest.restore import SymbolRestorer
from rulings.ingest.text import key

KNOWN = "If the card has {X} in its cost, that number is 0."


def test_a_lost_symbol_is_restored_with_a_note() -> None:
    found = SymbolRestorer([KNOWN, "Another."]).restore("If the card has in its cost, that number is 0.")
    assert found is not None
    assert found.text == KNOWN
    assert found.note == f"{{X}} restored from ruling {key(KNOWN)}"


@pytest.mark.parametrize(
    ("known", "text", "restored"),
    [
        (["It costs {2}{U} to pay, or {T}."], "It costs {2} to pay, or {T}.", "{U}"),
        (["{T}: Add {G}."], ": Add .", "{T} {G}"),
        (["Say “pay {1}” now."], 'Say "pay " now.', "{1}"),
    ],
)
def test_some_or_all_symbols_lost(known: list[str], text: str, restored: str) -> None:
    found = SymbolRestorer(known).restore(text)
    assert found is not None
    assert (found.text, found.note.split(" restored")[0]) == (known[0], restored)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ([KNOWN], "If the card has in its cost, that number is 1."),
        ([KNOWN], KNOWN),
        ([KNOWN.replace("X", "Y"), KNOWN], "If the card has in its cost, that number is 0."),
        (["Pay {1} and {2}."], "Pay {2} and {1}."),
        (["Pay {1} now."], "Pay {2} now."),
        (["No symbol at all."], "No symbol at all."),
    ],
)
def test_what_nothing_shows_stays(known: list[str], text: str) -> None:
    assert SymbolRestorer(known).restore(text) is None


def test_known_wordings_that_differ_in_signs_only_agree() -> None:
    found = SymbolRestorer(["Pay {1}, then draw.", "Pay {1} then draw."]).restore("Pay , then draw.")
    assert found is not None
    assert "{1}" in found.text
