"""Larger corpora made from a real one by recombination: new names, new wordings, realistic lengths and links.

A copy of a card gets a name put together from the names of two others and keeps its text with that name in it. A copy
of a statement is its own text under the new name with one sentence of another statement put in place of one of its own,
so that hardly any two are the same wording, and lengths and the things named stay as they are.
"""

import json
import random
import re
import shutil
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

from rulings.ingest import Card, Corpus, CorpusBuilder, Place, Record, Report, Ruling, whole

_SENTENCE = re.compile(r"(?<=[.!?”])\s+")


def enlarged(corpus: Corpus, times: float, seed: int = 7) -> Corpus:
    """Give a corpus of ``times`` the size: below 1 a sample of the cards with their rulings, above 1 recombined copies.

    Printed names and rules are kept as they are.
    """
    builder = CorpusBuilder(Report())
    for record in _records(corpus, times, random.Random(seed)):
        builder.add(record, Place("recombined"))
    return builder.finish()


def _records(corpus: Corpus, times: float, dice: random.Random) -> Iterator[Record]:
    for edition in corpus.editions.values():
        yield from edition.rules.values()
        yield from edition.glossary.values()
    ids = list(corpus.cards)
    kept = set(ids if times >= 1 else dice.sample(ids, max(1, int(times * len(ids)))))
    for oracle_id in ids:
        if oracle_id in kept:
            yield corpus.cards[oracle_id]
            yield from corpus.printings.get(oracle_id, ())
    for statement in corpus.statements.values():
        for ruling in statement.rulings:
            if ruling.oracle_id in kept:
                yield Ruling(statement.text, ruling.published, ruling.sources[0], ruling.oracle_id, face=ruling.face)
    for copy in range(1, int(times) if times > 1 else 1):
        yield from _copies(corpus, copy, dice)


def _copies(corpus: Corpus, copy: int, dice: random.Random) -> Iterator[Record]:
    """Every card once more under a new name, and every ruling on it in a new wording."""
    names = [face.name for card in corpus.cards.values() for face in card.faces]
    texts = [statement.text for statement in corpus.statements.values()]
    renamed = {oracle_id: _twin(card, copy, names, dice) for oracle_id, card in corpus.cards.items()}
    yield from renamed.values()
    for statement in corpus.statements.values():
        text = _mixed(statement.text, dice.choice(texts), dice)
        for ruling in statement.rulings:
            twin = renamed[ruling.oracle_id]
            own = corpus.cards[ruling.oracle_id].name
            day = date.fromordinal(ruling.published.toordinal() + copy)
            yield Ruling(text.replace(own, twin.name), day, ruling.sources[0], twin.oracle_id)


def _twin(card: Card, copy: int, names: list[str], dice: random.Random) -> Card:
    """A copy of a card under a new name."""
    first, second = dice.choice(names).split(" ")[0], dice.choice(names).split(" ")[-1]
    name = f"{first} {second} {dice.choice(names).split(' ')[0]}"
    faces = [
        replace(face, name=name if n == 0 else f"{name} {n}", text=face.text.replace(face.name, name))
        for n, face in enumerate(card.faces)
    ]
    made = str(uuid.UUID(int=dice.getrandbits(128)))
    joined = " // ".join(face.name for face in faces)
    return whole(joined, faces, oracle_id=made, layout=card.layout, keywords=card.keywords, sets=(f"R{copy}",))


def _mixed(text: str, other: str, dice: random.Random) -> str:
    """A text with one of its sentences replaced by one of another text."""
    own, foreign = _SENTENCE.split(text), _SENTENCE.split(other)
    own[dice.randrange(len(own))] = dice.choice(foreign)
    return " ".join(own)


def write_sources(corpus: Corpus, rules: list[Path], folder: Path) -> None:
    """Write a corpus as files that `rulings build` reads: cards and rulings as Scryfall has them; rules are copied."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in rules:
        shutil.copy(path, folder / path.name)
    cards = [
        {
            "object": "card",
            "oracle_id": card.oracle_id,
            "name": card.name,
            "layout": card.layout,
            "keywords": card.keywords,
            "set": next(iter(card.sets), ""),
            "card_faces": [
                {
                    "name": face.name,
                    "mana_cost": face.mana_cost,
                    "type_line": face.type_line,
                    "oracle_text": face.text,
                    "power": face.power,
                    "toughness": face.toughness,
                    "loyalty": face.loyalty,
                    "defense": face.defense,
                }
                for face in card.faces
            ],
        }
        for card in corpus.cards.values()
    ]
    rulings = [
        {
            "object": "ruling",
            "oracle_id": ruling.oracle_id,
            "source": ruling.sources[0],
            "published_at": ruling.published.isoformat(),
            "comment": statement.text,
        }
        for statement in corpus.statements.values()
        for ruling in statement.rulings
    ]
    for name, items in (("oracle-cards", cards), ("rulings", rulings)):
        (folder / f"{name}.json").write_text(json.dumps(items, ensure_ascii=False), encoding="utf-8")
