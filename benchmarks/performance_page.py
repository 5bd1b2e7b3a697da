"""The tables of `performance`: figures by size, the exponent of growth, and what is missing."""

import json
import math
from pathlib import Path
from typing import Any

from sections import markdown_table, put_section

STAGES = ("read", "records", "embed", "derive", "links", "index", "graph")
ROWS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("cards", "build", ("counts", "cards")),
    ("wordings", "build", ("counts", "statements")),
    ("quads", "build", ("counts", "quads")),
    ("build, whole, s", "build", ("seconds", "whole")),
    *((f"build, {stage}, s", "build", ("seconds", stage)) for stage in STAGES),
    ("build, CPU s", "build", ("cpu s",)),
    ("texts encoded in it", "build", ("encoded",)),
    ("build, most memory, MB", "build", ("peak MB",)),
    ("on disk, MB", "build", ("disk MB",)),
    ("the graph of that, MB", "build", ("disk MB graph",)),
    ("the same sources again, s", "update", ("the same again s",)),
    ("one ruling more, s", "update", ("one ruling more s",)),
    ("import rulings.search, CPU s", "ask", ("import rulings.search, cpu s",)),
    ("open a home, s", "ask", ("open s",)),
    ("open it with the index, s", "ask", ("open with the index s",)),
    ("cold question, s", "ask", ("cold ask s",)),
    ("warm question p50, ms", "ask", ("warm ask ms p50",)),
    ("warm question p95, ms", "ask", ("warm ask ms p95",)),
    ("of that the encoder alone p50, ms", "ask", ("encoder alone ms p50",)),
    ("batch, questions a second", "ask", ("batch, questions a second",)),
    ("memory of asking, MB", "ask", ("memory MB",)),
    ("served, questions a second", "serve", ("questions, as many as come", "a second")),
    ("served at 40 a second, p95, ms", "serve", ("questions, 40 a second", "p95 ms")),
    ("floor: reading the sources' bytes, s", "floor", ("reading them s",)),
    ("floor: bare encoder, texts a second", "floor", ("bare encoder, texts a second",)),
    ("ours, texts a second", "floor", ("encoding, texts a second",)),
    ("floor: bare store loads the quads, s", "floor", ("bare store, load s",)),
)
"""What each row is called, the part that has it, and its place there."""


def write_page(out: Path, page: Path, times: list[float]) -> None:
    """Write all tables from the files in ``out`` into a page."""
    found = {
        (path.stem.partition("@")[0], float(path.stem.partition("@")[2])): json.loads(path.read_text())
        for path in sorted(out.glob("*@*.json"))
    }
    put_section(page, "what it costs by size", _sizes(found, times))
    put_section(page, "SPARQL by size", _sparql(found, times))
    put_section(page, "peers", _peers(found, times))


def exponent(points: list[tuple[float, float]]) -> float | None:
    """The slope of a straight line through the logarithms, by least squares; None for fewer than two points."""
    logs = [(math.log(x), math.log(y)) for x, y in points if x > 0 and y > 0]
    if len(logs) < 2:
        return None
    x0, y0 = (sum(values) / len(logs) for values in zip(*logs, strict=True))
    return sum((x - x0) * (y - y0) for x, y in logs) / sum((x - x0) ** 2 for x, _ in logs)


def _sizes(found: dict[tuple[str, float], Any], times: list[float]) -> str:
    rows = []
    for label, part, place in ROWS:
        values = [_at(found.get((part, size)), place) for size in times]
        slope = exponent([(_wordings(found, size), value) for size, value in zip(times, values, strict=True) if value])
        shown = [_number(value) for value in values]
        rows.append([label, *shown, f"{slope:.2f}" if slope is not None and "floor: bare enc" not in label else ""])
    table = markdown_table(["", *(f"{size:g} times" for size in times), "exponent"], rows)
    return "\n\n".join([table, *_notes(found, times)])


def _notes(found: dict[tuple[str, float], Any], times: list[float]) -> list[str]:
    notes = ["An exponent is fitted by least squares over the wordings; 1 is linear. A dash was not measured."]
    for size in times:
        build, floor = found.get(("build", size), {}), found.get(("floor", size), {})
        pace = floor.get("encoding, texts a second")
        if build.get("filled") and pace:
            notes.append(
                f"At {size:g} times {build['filled']:,} vectors were made up, not encoded: encoding them would have "
                f"taken {build['filled'] / pace:,.0f} s more at the pace measured on a slice ({pace:g} texts a second)."
            )
        elif build.get("texts", 0) > build.get("encoded", 0) and pace:
            known = build["texts"] - build["encoded"]
            notes.append(f"At {size:g} times {known:,} of {build['texts']:,} texts had vectors from an earlier build.")
    lacking = [f"{p} at {s:g} times" for s in times for p in dict.fromkeys(r[1] for r in ROWS) if (p, s) not in found]
    return [*notes, *([f"Missing: {', '.join(lacking)}."] if lacking else [])]


def _sparql(found: dict[tuple[str, float], Any], times: list[float]) -> str:
    rows = []
    for size in times:
        for kind, took in found.get(("sparql", size), {}).items():
            if isinstance(took, dict):
                rows.append([f"{size:g} times: {kind}", *(_number(took.get(name)) for name in _ENGINES)])
    return markdown_table(["ms, best of several", *_ENGINES], rows) if rows else "Not measured."


_ENGINES = ("ours", "pyoxigraph", "oxigraph HTTP", "our /sparql")


def _peers(found: dict[tuple[str, float], Any], times: list[float]) -> str:
    parts = []
    for size in times:
        peers = found.get(("peers", size))
        if not peers:
            continue
        plain = [[name, _number(value)] for name, value in peers.items() if isinstance(value, int | float)]
        parts.append(f"At {size:g} times:\n\n{markdown_table(['', 's'], plain)}")
        names = ("ours", "pyoxigraph", "oxigraph HTTP", "rdflib")
        rows = [[kind, *(_number(took.get(name)) for name in names)] for kind, took in peers["sparql"].items()]
        parts.append(f"On a part that rdflib's own store can hold, ms:\n\n{markdown_table(['', *names], rows)}")
        if peers.get("searches"):
            parts.append("\n".join(peers["searches"]))
    return "\n\n".join(parts) or "Not measured."


def _at(figures: Any, place: tuple[str, ...]) -> float | None:  # noqa: ANN401 - JSON
    for name in place:
        figures = figures.get(name) if isinstance(figures, dict) else None
    return figures if isinstance(figures, int | float) else None


def _wordings(found: dict[tuple[str, float], Any], size: float) -> float:
    return _at(found.get(("build", size)), ("counts", "statements")) or size


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
