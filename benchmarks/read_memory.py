"""Peak memory and time of reading a file like Scryfall's all_cards, made here, and deleted at the end.

Usage: python benchmarks/read_memory.py [MEGABYTES]   (1,000 unless said otherwise)
"""

import json
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from rulings.ingest import Report, read_sources

_LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ja", "ru")
_WORDS = ("whenever", "this", "creature", "attacks", "draw", "a", "card", "then", "counter", "target", "permanent")


def main() -> None:
    """Make the file, read it, and print one line of figures."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "all-cards.json")
        cards = _write(path, size * 10**6)
        before = _peak()
        started, cpu = time.perf_counter(), time.process_time()
        records = sum(1 for _ in read_sources([path], Report()))
        wall, cpu = time.perf_counter() - started, time.process_time() - cpu
        print(
            f"{path.stat().st_size / 1e6:,.0f} MB, {cards:,} objects, {records:,} records: {wall:.1f} s "
            f"({cpu:.1f} s CPU), peak {_peak():,.0f} MB resident ({before:,.0f} MB before)"
        )


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _write(path: Path, size: int) -> int:
    chance = random.Random(1)
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[\n")
        while written < size:
            for language in _LANGUAGES:
                line = json.dumps(
                    _card(number // 3, number, language, chance), ensure_ascii=False, separators=(",", ":")
                )
                written += file.write(line if number == 0 and language == "en" else ",\n" + line)
            number += 1
        file.write("\n]\n")
    return number * len(_LANGUAGES)


def _card(card: int, printing: int, language: str, chance: random.Random) -> dict[str, object]:
    """A card object of about the size of a real one (4 KB), with the fields that are read and some that are not."""
    words = " ".join(chance.choices(_WORDS, k=40))
    made: dict[str, object] = {
        "object": "card",
        "id": f"{printing:08x}-0000-4000-8000-{chance.getrandbits(48):012x}",
        "oracle_id": f"{card:08x}-0000-4000-8000-000000000000",
        "name": f"Made-up Card {card}",
        "lang": language,
        "layout": "normal",
        "mana_cost": "{2}{U}",
        "type_line": "Creature",
        "oracle_text": words,
        "power": "1",
        "toughness": "2",
        "keywords": [],
        "set": f"s{printing % 3}",
        "legalities": {f"format{n}": "not_legal" for n in range(22)},
        "image_uris": {
            kind: f"https://example.org/{kind}/{chance.getrandbits(128):032x}" for kind in ("small", "large")
        },
        "prices": {"usd": "0.10", "eur": None},
        "purchase_uris": {f"shop{n}": f"https://example.org/{chance.getrandbits(400):0100x}" for n in range(12)},
    }
    if language != "en":
        made |= {"printed_name": f"{language} {card}", "printed_text": words, "printed_type_line": "…"}
    return made


if __name__ == "__main__":
    main()
