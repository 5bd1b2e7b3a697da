"""The exported statements have every field of the format, and groups in full."""

import json

from rulings.graph.statement_lines import statement_lines

FIELDS = [
    "key",
    "text",
    "variants",
    "cards",
    "dates",
    "clarifies",
    "mentions_concepts",
    "mentions_cards",
    "self_reference",
    "copies",
    "carries_over",
    "leaves_out",
    "cites_rules",
    "rules",
    "outdated",
    "restates",
    "rewords",
]


def test_a_line_a_statement(small, small_links):
    lines = [json.loads(line) for line in statement_lines(small, small_links)]
    assert [line["key"] for line in lines] == list(small.statements)
    assert all(list(line) == FIELDS for line in lines)
    by_key = {line["key"]: line for line in lines}
    new, old = small_links.groups[0]
    assert by_key[new]["rewords"] == [old]
    assert by_key[old]["rewords"] == [new]
    assert by_key[old]["restates"] == []
    assert by_key[old]["outdated"] == "converted mana cost is now mana value"
    assert by_key[new]["mentions_cards"] == [{"name": "Mimic", "face": None, "start": 0, "end": 3, "confidence": 0.5}]
    assert by_key[new]["clarifies"] == ["Mana Value"]
    copier = next(line for line in lines if line["copies"])
    assert copier["copies"] == [{"copier": "this card", "copied": "creature", "result": "becomes a copy"}]
    assert copier["rules"] == ["707.2"]
