"""Rule numbers written in text."""

import pytest

from rulings.graph.written_numbers import written_rule_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See rule 702.19b for more.", ["702.19b"]),
        ("(704.5s, 704.5t)", ["704.5s", "704.5t"]),
        ("Rules 702 and 707.2 say so.", ["702", "707.2"]),
        ("See rule 613, “Layers.”", ["613"]),
        ("It deals 100 damage, or 250, and costs 3.5 times that.", []),
        ("It's 702.", []),
    ],
)
def test_numbers(text, numbers):
    found = written_rule_numbers(text)
    assert [number for number, _, _ in found] == numbers
    assert all(text[start:end] == number for number, start, end in found)
