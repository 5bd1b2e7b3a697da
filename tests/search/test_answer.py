"""Answers as JSON and in a notebook."""

from rulings.search.answer import Answer, CardRef, Reading, Result, RuleRef, Step

RESULT = Result(
    1, 0.9, "https://example.org/statement/0a", "0a", "A <b>copy</b>.", ("Another copy.",),
    (CardRef("Clone", "id", "2012-07-01"),),
    ("Copy",), (RuleRef("707.2", "2026-02-27"),), None,
    (Step("question", "names", "Clone"), Step("Clone", "about", "0a")),
)  # fmt: skip
ANSWER = Answer(
    "Is <it>?",
    "en",
    True,
    0.83,
    Reading(("Clone",), ("Copy",)),
    (RESULT,),
    (RuleRef("707.2", "2026-02-27", "Text."),),
    14.2,
)


def test_to_json_has_the_names_and_order_that_others_rely_on() -> None:
    record = ANSWER.to_json()
    assert list(record) == ["question", "language", "answered", "confidence", "reading", "results", "rules", "took_ms"]
    assert list(record["results"][0]) == [
        "rank", "score", "id", "key", "text", "same_as", "cards", "concepts", "rules", "outdated", "why",
    ]  # fmt: skip
    assert record["results"][0]["why"][0] == {"from": "question", "relation": "names", "to": "Clone"}
    assert record["results"][0]["rules"] == [{"number": "707.2", "edition": "2026-02-27"}]
    assert record["rules"] == [{"number": "707.2", "text": "Text.", "edition": "2026-02-27"}]
    assert list(record["reading"].items())[:3] == [("cards", ["Clone"]), ("concepts", ["Copy"]), ("rules", [])]
    assert list(record["reading"].items())[3:] == [("negated", []), ("intent", "whether")]


def test_html_escapes_every_text() -> None:
    page = ANSWER._repr_html_()
    assert "&lt;b&gt;copy&lt;/b&gt;" in page
    assert "Is &lt;it&gt;?" in page
    assert "<b>copy" not in page
