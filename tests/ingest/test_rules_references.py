"""Cross references as rules books write them."""

import pytest

from rulings.ingest.rules_references import order, references, resolve


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("See rule 702.19b.", ["702.19b"]),
        ("(see rule 104.3a)", ["104.3a"]),
        ("as in rules 613.1-613.7", ["613.1-613.7"]),
        ("as in rules 613.1 through 613.7.", ["613.1-613.7"]),
        ("rules 601.2b and 601.2f–h.", ["601.2b", "601.2f-601.2h"]),
        ("rules 119.7–8).", ["119.7-119.8"]),
        ("rules 701.27a–f, 712.9–10, and 712.18.", ["701.27a-701.27f", "712.9-712.10", "712.18"]),
        ("rules 608.3a and b are first", ["608.3a", "608.3b"]),
        ("rule 608.3a or a player", ["608.3a"]),
        ("rule 704.5s/t", ["704.5s", "704.5t"]),
        ("rules 702.109, “Dash,” 702.152, “Blitz,” and 702.185, “Warp.”", ["702.109", "702.152", "702.185"]),
        ("See rule 113, “Abilities,” and section 6, “Spells.”", ["113", "6"]),
        ('sections 5 and 6, and rule 502.19, "Cycling."', ["5", "6", "502.19"]),
        ("the steps in 616.1a–f are taken", ["616.1a-616.1f"]),
        ("rule 104.3a, rule 104.3a", ["104.3a"]),
        ("rule 1 of section 2.3 costs 100 life, or 1.500", []),
    ],
)
def test_references(text: str, written: list[str]) -> None:
    assert references(text) == written


def test_ranges_hold_the_rules_of_the_book_at_their_depth() -> None:
    book = dict.fromkeys(["613", "613.1", "613.1a", "613.2", "613.3", "613.4"])
    assert resolve(["613.1-613.3", "613"], book) == ("613.1", "613.2", "613.3", "613")
    assert resolve(["704.5k-704.5n"], dict.fromkeys(["704.5k", "704.5m", "704.5n"])) == ("704.5k", "704.5m", "704.5n")


def test_a_range_that_the_book_lacks_keeps_its_ends() -> None:
    assert resolve(["510.1c-510.1d"], {}) == ("510.1c", "510.1d")


def test_order_is_that_of_the_book() -> None:
    numbers = ["100", "100.1", "100.1a", "100.2", "100.10", "100.10b", "101", "101.1"]
    assert sorted(sorted(numbers, key=len), key=order) == numbers
