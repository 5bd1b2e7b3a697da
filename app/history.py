"""``rulings history``: the life of a card, a rule or a concept over the generations and editions of a home."""

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from rulings.app.errors import UsageError
from rulings.app.generations import every
from rulings.app.home import home_of
from rulings.app.output import note, say, wrapped
from rulings.app.word_marks import marked
from rulings.graph.describe import Describer
from rulings.graph.history import Event, Loaded, history
from rulings.graph.lookup import Node, called, find
from rulings.search.errors import GenerationError
from rulings.search.generation import Generation, current

_RULE = re.compile(r"(?:rule\s+|cr\s*)?(\d{1,3}(?:\.\d+[a-z]?)?)\.?", re.IGNORECASE)
_TOLD = ("card", "concept", "rule")


def run(args: argparse.Namespace) -> None:
    """Tell the life of every node that the name stands for; as JSON only of the likeliest."""
    home, name = home_of(args), " ".join(args.name)
    used = current(home)
    with ExitStack() as stack:
        made = list(_opened(home, used, stack))
        nodes = _nodes(name, made, used)
        loaded = [each for _, each in made]
        if args.json:
            say(msgspec.json.encode(_facts(nodes[0], made, nodes[1:])).decode())
        else:
            say("\n\n".join("\n".join(_lines(node, made, history(node, loaded))) for node in nodes[:3]))


_Made = tuple[Generation, Loaded]


def _opened(home: Path, used: Generation, stack: ExitStack) -> Iterator[_Made]:
    """All generations that can be read, the oldest first; one that can't is told, but not the one in use."""
    for path in every(home):
        try:
            made = used if path.name == used.path.name else Generation(path)
            archive, analyses = stack.enter_context(made.archive), stack.enter_context(made.analyses)
        except OSError as error:
            if path.name == used.path.name:
                raise
            note(f"passed over: {error}")
            continue
        day = datetime.fromisoformat(made.manifest.created).date()
        yield made, Loaded(made.manifest.name, day, archive, analyses)


def _nodes(name: str, made: Sequence[_Made], used: Generation) -> list[Node]:
    """What the name stands for: in the generation in use, else in the newest one that knows it, else a former number.

    Raises:
        UnknownNameError: nothing is called so in any.
        UsageError: what is called so has no history.
    """
    for each in [used, *(each for each, _ in reversed(made))]:
        nodes = called(name, each.archive, each.analyses, each.iris)
        told = [node for node in nodes if node.kind in _TOLD]
        if told:
            return told
        if nodes:
            raise UsageError(f"history: {name!r} is {_a(nodes[0].kind)}; name a card, a rule or a concept")
    if number := _RULE.fullmatch(name.strip()):
        days = {day: loaded for _, loaded in made for day in loaded.archive.editions}
        for day in sorted(days, reverse=True):
            if days[day].archive.rule(number[1].lower(), day):
                return [Node("rule", number[1].lower(), day)]
    find(name, used.archive, used.analyses, used.iris)
    raise GenerationError(f"{used.path}: changed while it was read; ask again")


def _a(kind: str) -> str:
    return {"statement": "a ruling", "edition": "an edition"}.get(kind, kind)


def _head(node: Node, made: Sequence[_Made]) -> dict[str, Any]:
    """The node as the newest generation that has it describes it."""
    for each, _ in reversed(made):
        described = Describer(each.archive, each.analyses, each.iris, limit=1).describe(node)
        if len(described) > 2:
            return described
    return {"id": node.iri(made[-1][0].iris), "kind": node.kind, "name": node.name}


def _facts(node: Node, made: Sequence[_Made], others: Sequence[Node]) -> dict[str, Any]:
    head = _head(node, made)
    name = head.get("name") or head.get("label") or head.get("number")
    return {
        "id": head["id"],
        "kind": node.kind,
        "name": name,
        "generations": [{"name": each.name, "day": each.day} for _, each in made],
        "editions": sorted({day for _, each in made for day in each.archive.editions}),
        "events": [asdict(event) for event in history(node, [each for _, each in made])],
        "also": [other.iri(made[-1][0].iris) for other in others],
    }


def _lines(node: Node, made: Sequence[_Made], events: Sequence[Event]) -> Iterator[str]:
    head = _head(node, made)
    yield f"{head.get('name') or head.get('label') or head.get('number')}  [{node.kind}]"
    yield str(head["id"])
    editions = sorted({day.isoformat() for _, each in made for day in each.archive.editions})
    count = len(made)
    rules = f"; rules of {', '.join(editions)}" if editions else ""
    yield wrapped(f"over {count} generation{'s' if count > 1 else ''}{rules}")
    for event in events:
        yield wrapped(_line(event), "  ")
    if not events:
        yield "  nothing is known of it but that it is there"


def _line(event: Event) -> str:
    where = {"ruling": "", "rules": " (rules)"}.get(event.place, f" ({event.place})")
    text = ""
    if event.old and event.new:
        text = marked(event.old, event.new) if event.old != event.new else event.new
    elif (event.old or event.new) and event.kind != "moved":
        sign = "" if event.kind in ("known", "published", "outdated", "other rule") else "-" if event.old else "+"
        text = f"{sign} {event.old or event.new}".strip()
    reason = f"[{event.reason}]" if event.reason else ""
    parts = (f"{event.day.isoformat()}{where} {event.kind}:", event.what, text, reason)
    return " ".join(" ".join(part.split()) for part in parts if part)
