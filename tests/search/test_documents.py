"""The texts that an encoder sees, and statements that answer nothing."""

import pytest

from rulings.search.documents import is_heading


@pytest.mark.parametrize(
    "text",
    [
        "---------- What comes next is about the keyword “hush” ----------",
        "For more information on hushed cards, see the article on hush.",
        "This is the timeshifted version of Old Hush.",
        "Hush means three things:",
    ],
)
def test_a_heading_or_a_pointer_answers_nothing(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize("text", ["Hush counts once: at the end.", "You may hush it. For more information, ask."])
def test_a_ruling_with_a_colon_or_a_pointer_in_it_answers(text: str) -> None:
    assert not is_heading(text)
