"""Servers for the pages' tests: on the sample (from the folder above), and on house rulings that mean no good."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rulings.app.build import build

NEW, OLD = "2026-02-27", "2021-04-19"
SCRIPT = "<script>alert(1)</script>"
IMAGE = '<img src=x onerror=alert(2)> & "quotes"'
SPLIT = "aaaaaaaa-0000-0000-0000-000000000002"
HOSTILE = "aaaaaaaa-0000-0000-0000-000000000001"


def _face(name: str, cost: str, text: str) -> dict[str, str]:
    return {"name": name, "mana_cost": cost, "type_line": "Instant", "text": text}


RECORDS = [
    {"kind": "card", "name": SCRIPT, "oracle_id": HOSTILE, "layout": "normal", "faces": [_face(SCRIPT, "{1}", IMAGE)]},
    {
        "kind": "card",
        "name": "Left // Right",
        "oracle_id": SPLIT,
        "layout": "split",
        "faces": [_face("Left", "{R}", "2 damage to any target."), _face("Right", "{U}", "Draw a card.")],
    },
    {"kind": "ruling", "card": SCRIPT, "published": "2020-01-01", "source": "<b>house</b>"}
    | {"text": f"The copy {SCRIPT} isn't cast. See rule 707.2."},
    {"kind": "ruling", "card": "Left // Right", "face": "Left", "published": "2021-01-01", "source": "house"}
    | {"text": "Left's half stays Left when it is copied."},
    {"kind": "ruling", "card": "Left // Right", "published": "2020-01-01", "source": "house"}
    | {"text": "Its converted mana cost is that of both halves together."},
    {"kind": "ruling", "card": "Left // Right", "published": "2022-01-01", "source": "house"}
    | {"text": "Its mana value is that of both halves together."},
    *({"kind": "rule", "number": "7", "text": "More rules", "edition": day} for day in (OLD, NEW)),
    {"kind": "rule", "number": "706", "text": "Copying Objects", "edition": OLD},
    {"kind": "rule", "number": "706.2", "edition": OLD}
    | {"text": "A copy takes over the values that can be copied of the object that it is a copy of, all of them."},
    {"kind": "rule", "number": "707", "text": "Copying Objects", "edition": NEW},
    {"kind": "rule", "number": "707.2", "edition": NEW}
    | {"text": "A copy takes over the values that can be copied of the object that it is a copy of. See rule 707.3."},
    {"kind": "rule", "number": "702", "text": "Keyword Abilities", "edition": NEW},
    {"kind": "rule", "number": "702.1", "text": "Fuse", "edition": NEW},
    {"kind": "rule", "number": "702.1a", "text": "Both halves may be cast together.", "edition": NEW},
    {"kind": "glossary", "term": "Fuse", "text": "A keyword ability. See rule 702.1, “Fuse.”", "edition": NEW},
    {"kind": "rule", "number": "707.3", "text": "A copy of a copy is a copy of the same.", "edition": NEW},
    {
        "kind": "glossary",
        "term": "Copy",
        "text": f"To make another of an object. See rule 707. {SCRIPT}",
        "edition": NEW,
    },
    {"kind": "glossary", "term": "Mana Value", "text": "What an object costs. See rule 707.3.", "edition": NEW},
    {"kind": "glossary", "term": "Converted Mana Cost (Obsolete)", "text": "See mana value.", "edition": NEW},
]


@pytest.fixture(scope="session")
def odd(tmp_path_factory: pytest.TempPathFactory, start: Callable[..., object]) -> Iterator[object]:
    """A server on a small home: a card with a script for a name, one of two faces, two editions, an outdated ruling."""
    folder = tmp_path_factory.mktemp("odd")
    source = folder / "house.jsonl"
    source.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    home: Path = folder / "home"
    build([source], home, tell=lambda _: None)
    with start(home, "--rate", "0", "--query-workers", "2") as server:
        yield server
