"""The language of a question."""

import pytest

from rulings.search.language import detect_language


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Can I copy half of a split card?", "en"),
        ("if I Fork a Time Stretch who takes the turns", "en"),
        ("Darf ich die Kopie auch neu ausrichten?", "de"),
        ("Wenn ich mit Doubling Season zwei Token mache, krieg ich dann vier?", "de"),
        ("est-ce que je peux payer le kick deux fois ?", "fr"),
        ("J'attaque avec Kaalia of the Vast, elle trigger ?", "fr"),
        ("Clone", "en"),
        ("", "en"),
    ],
)
def test_detect_language(question: str, language: str) -> None:
    assert detect_language(question) == language
