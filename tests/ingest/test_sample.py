"""Tests of the built-in sample: its size, its references, and that none of it is official text."""

import gzip
import json
import re
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import rulings.ingest
from rulings.ingest.text import fold

Entry = dict[str, Any]
SAMPLE = Path(rulings.ingest.__file__).parent / "sample"
TOPICS = (
    "combat", "commander", "copying", "costs", "counters", "faces",
    "layers", "linked", "mana", "replacement", "targets", "triggers",
)  # fmt: skip
SHINGLE = 5
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_RULE = re.compile(r"(\d{1,3}(?:\.\d+[a-z]?)?)\.? (.+)")


@pytest.fixture(scope="module")
def sample() -> dict[str, list[Entry]]:
    """All entries by file name without suffix."""
    files = sorted(SAMPLE.glob("*.jsonl"))
    return {file.stem: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for file in files}


def of_kind(sample: dict[str, list[Entry]], kind: str) -> list[Entry]:
    return [entry for entries in sample.values() for entry in entries if entry["kind"] == kind]


def card_texts(card: Entry) -> list[str]:
    return [face["text"] for face in card.get("faces", [card])]


def test_it_is_big_enough(sample: dict[str, list[Entry]]) -> None:
    assert len(of_kind(sample, "card")) >= 150
    assert len({ruling["text"] for ruling in of_kind(sample, "ruling")}) >= 400
    assert len(of_kind(sample, "rule")) + len(of_kind(sample, "glossary")) >= 200


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_cards_and_rulings(sample: dict[str, list[Entry]], topic: str) -> None:
    kinds = [entry["kind"] for entry in sample[topic]]
    assert kinds.count("card") >= 10
    assert kinds.count("ruling") >= 30


def test_cards_are_complete_and_stand_once(sample: dict[str, list[Entry]]) -> None:
    cards = of_kind(sample, "card")
    assert len({card["name"] for card in cards}) == len({card["oracle_id"] for card in cards}) == len(cards)
    for card in cards:
        if " // " in card["name"]:
            assert [face["name"] for face in card["faces"]] == card["name"].split(" // ")
        assert all(card_texts(card)), card["name"]
    assert sum({"de", "fr"} <= card.get("names", {}).keys() for card in cards) >= 100


def test_every_ruling_is_on_a_known_card_and_face(sample: dict[str, list[Entry]]) -> None:
    cards = {card["name"]: card for card in of_kind(sample, "card")}
    for ruling in of_kind(sample, "ruling"):
        card = cards[ruling["card"]]
        if "face" in ruling:
            assert ruling["face"] in [face["name"] for face in card["faces"]]
        assert ruling["source"] == "sample"
    assert {ruling["card"] for ruling in of_kind(sample, "ruling")} == set(cards)


def test_dates_are_days_between_the_first_rulings_and_the_edition(sample: dict[str, list[Entry]]) -> None:
    editions = {entry["edition"] for entry in of_kind(sample, "rule") + of_kind(sample, "glossary")}
    assert len(editions) == 1
    newest = date.fromisoformat(editions.pop())
    for ruling in of_kind(sample, "ruling"):
        assert date(2004, 1, 1) <= date.fromisoformat(ruling["published"]) <= newest


def test_no_card_carries_the_same_ruling_twice(sample: dict[str, list[Entry]]) -> None:
    seen = [(ruling["card"], fold(ruling["text"])) for ruling in of_kind(sample, "ruling")]
    assert len(set(seen)) == len(seen)


def test_many_rulings_are_shared_and_some_speak_old_terms(sample: dict[str, list[Entry]]) -> None:
    on = defaultdict(set)
    for ruling in of_kind(sample, "ruling"):
        on[ruling["text"]].add(ruling["card"])
    assert sum(len(cards) > 1 for cards in on.values()) >= 60
    assert sum("converted mana cost" in text.lower() for text in on) >= 8


def test_every_rule_has_its_parent(sample: dict[str, list[Entry]]) -> None:
    numbers = [rule["number"] for rule in of_kind(sample, "rule")]
    assert len(set(numbers)) == len(numbers)
    for number in numbers:
        assert parent_of(number) is None or parent_of(number) in numbers, number


def parent_of(number: str) -> str | None:
    if "." not in number:
        return number[0] if len(number) > 1 else None
    return number[:-1] if number[-1].isalpha() else number.partition(".")[0]


def test_no_text_is_official(sample: dict[str, list[Entry]], data: Path) -> None:
    official = Official(data / "full")
    prose = [
        text
        for entry in of_kind(sample, "ruling") + of_kind(sample, "rule") + of_kind(sample, "glossary")
        for text in [entry["text"], *entry.get("examples", [])]
        if not is_title(entry)
    ]
    cards = [text for card in of_kind(sample, "card") for text in card_texts(card)]
    found = [text for text in prose if len(words(text)) > 6 and official.too_near(text, 0.6)]
    # what a card does can be said in few ways only, and keyword lines in one
    found += [text for text in cards if len(words(text)) > 8 and official.too_near(text, 0.8)]
    assert not found


def test_the_rule_numbers_and_terms_are_those_of_the_edition(sample: dict[str, list[Entry]], data: Path) -> None:
    book = rules_text(newest_rules(data / "full"))
    lines = {line.strip() for line in book.split("\n")}
    numbers = {match[1] for line in lines if (match := _RULE.match(line))}
    for rule in of_kind(sample, "rule"):
        assert rule["number"] in numbers
    for entry in of_kind(sample, "glossary"):
        assert entry["term"] in lines
    for entry in of_kind(sample, "rule") + of_kind(sample, "glossary"):
        assert numbers.issuperset(re.findall(r"rule (\d{3}(?:\.\d+[a-z]?)?)", entry["text"])), entry


def is_title(entry: Entry) -> bool:
    """Whether the entry is a section, chapter or keyword, whose text is a name only."""
    return re.fullmatch(r"\d{1,3}|70[12]\.\d+", entry.get("number", "")) is not None


def newest_rules(folder: Path) -> Path:
    return max(folder.glob("MagicCompRules-*.txt.gz"))


def rules_text(file: Path) -> str:
    with gzip.open(file, "rt", encoding="utf-8-sig") as opened:
        return opened.read()


def words(text: str) -> list[str]:
    return _WORD.findall(fold(text).casefold())


class Official:
    """All official texts by the hashes of their five-word shingles."""

    def __init__(self, folder: Path) -> None:
        self.whole: set[str] = set()
        self._texts_with: dict[int, list[int]] = defaultdict(list)
        self._count = 0
        for text in _official_texts(folder):
            self.whole.add(" ".join(words(text)))
            for shingle in shingles(text):
                self._texts_with[shingle].append(self._count)
            self._count += 1

    def too_near(self, text: str, limit: float) -> bool:
        """Whether the text is an official one, or over `limit` of its shingles stand in a single official text."""
        own = shingles(text)
        shared: dict[int, int] = defaultdict(int)
        for shingle in own:
            for number in self._texts_with.get(shingle, ()):
                shared[number] += 1
        near = max(shared.values(), default=0) > limit * len(own) if own else False
        return near or " ".join(words(text)) in self.whole


def shingles(text: str) -> set[int]:
    found = words(text)
    return {hash(tuple(found[i : i + SHINGLE])) for i in range(len(found) - SHINGLE + 1)}


def _official_texts(folder: Path) -> set[str]:
    texts = {line for file in folder.glob("MagicCompRules-*.txt.gz") for line in rules_text(file).split("\n")}
    with gzip.open(folder / "rulings.json.gz") as file:
        texts |= {ruling["comment"] for ruling in json.load(file)}
    with gzip.open(folder / "oracle-cards.json.gz") as file:
        for card in json.load(file):
            texts |= {face.get("oracle_text", "") for face in card.get("card_faces", [card])}
    return texts - {""}
