"""Glossaries: heads told from texts, with blank lines between the blocks and without."""

from rulings.ingest.rules_glossary import glossary

ENTRIES = [
    ("Ability", "1. What an object does.\n2. A thing on the stack.\nSee rule 113, “Abilities.”"),
    ("Bury (Obsolete)", "An old word for destroying without regeneration."),
    ("Control, Controller", "The player whose object it is. See rule 108.4."),
    ("Cost", "What is paid to take an action."),
    ("Untap Step", "The first step. See rule 502."),
]


def read(text: str) -> list[tuple[str, str]]:
    return [(term, meaning) for _, term, meaning in glossary(text.split("\n"))]


def test_blocks_with_blank_lines() -> None:
    assert read("\n\n".join(f"{term}\n{meaning}" for term, meaning in ENTRIES)) == ENTRIES


def test_blocks_without_blank_lines() -> None:
    assert read("\n".join(f"{term}\n{meaning}" for term, meaning in ENTRIES)) == ENTRIES


def test_a_blank_line_after_each_line() -> None:
    assert read("\n\n".join(f"{term}\n\n{meaning}" for term, meaning in ENTRIES)) == ENTRIES


def test_one_missing_blank_line() -> None:
    text = "\n\n".join(f"{term}\n{meaning}" for term, meaning in ENTRIES).replace("108.4.\n\nCost", "108.4.\nCost")
    assert read(text) == ENTRIES


def test_a_paragraph_is_no_head() -> None:
    assert read("Cost\nWhat is paid.\n\nIt may be mana, and most often it is that.\n\nDamage\nWhat is dealt.") == [
        ("Cost", "What is paid.\nIt may be mana, and most often it is that."),
        ("Damage", "What is dealt."),
    ]


def test_a_head_may_cry_out() -> None:
    assert read("Flying\nAn evasion ability.\n\nFor Mirrodin!\nA keyword ability.") == [
        ("Flying", "An evasion ability."),
        ("For Mirrodin!", "A keyword ability."),
    ]


def test_marks_of_emphasis_are_no_part_of_a_head() -> None:
    assert read("_Oracle_\nThe reference for card texts.") == [("Oracle", "The reference for card texts.")]


def test_place_is_the_line_of_the_head() -> None:
    assert [n for n, _, _ in glossary(["", "Cost", "What is paid.", "", "Damage", "What is dealt."])] == [1, 4]
