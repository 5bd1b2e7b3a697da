"""``rulings show``: a node with its neighbours."""

import argparse
from collections.abc import Iterator
from typing import Any

import msgspec

from rulings.app.home import generation_of
from rulings.app.output import say, wrapped
from rulings.graph.describe import Describer
from rulings.graph.lookup import find


def run(args: argparse.Namespace) -> None:
    """Show every node that the name stands for; as JSON only the likeliest."""
    made = generation_of(args)
    nodes = find(" ".join(args.name), made.archive, made.analyses, made.iris)
    describer = Describer(made.archive, made.analyses, made.iris, limit=args.k)
    if args.json:
        others = [node.iri(made.iris) for node in nodes[1:]]
        say(msgspec.json.encode({**describer.describe(nodes[0]), "also": others}).decode())
        return
    say("\n\n".join("\n".join(readable(describer.describe(node))) for node in nodes[:3]))
    if len(nodes) > 3:
        say(
            f"\n{len(nodes) - 3} more are called so; show one by its IRI: "
            + ", ".join(n.iri(made.iris) for n in nodes[3:8])
        )


def readable(described: dict[str, Any]) -> Iterator[str]:
    """A described node as lines for a person: its head, its facts, then its neighbours by relation."""
    head = described.get("name") or described.get("label") or described.get("number") or described.get("key")
    yield f"{head or described.get('effective')}  [{described['kind']}]"
    yield described["id"]
    for field in ("mana_cost", "type_line", "text", "definition", "concept_kind", "outdated"):
        if described.get(field):
            yield wrapped(f"{field.replace('_', ' ')}: {described[field]}" if field != "text" else described[field])
    for field, found in described.items():
        if isinstance(found, dict) and found:
            yield f"{field.replace('_', ' ')}: " + "; ".join(
                f"{name}: {', '.join(each)}" for name, each in sorted(found.items())
            )
        elif isinstance(found, list) and found:
            yield from _list(field, found)


def _list(field: str, found: list[Any]) -> Iterator[str]:
    title = field.replace("_", " ")
    if all(isinstance(each, str) for each in found):
        yield wrapped(f"{title}: " + ", ".join(found))
        return
    yield f"{title}:"
    for each in found:
        yield wrapped(_line(each), "  ")


def _line(each: dict[str, Any]) -> str:
    """One neighbour on one line: what it is called, its text, then what else is known."""
    head = (
        each.get("name") or each.get("number") or each.get("published") or each.get("key") or each.get("copied") or ""
    )
    parts = [str(head)]
    parts += [
        str(each[field]) for field in ("score", "edition", "published") if each.get(field) and each[field] != head
    ]
    line = " ".join(parts)
    if each.get("text"):
        line += f"  {each['text']}"
    if each.get("cards"):
        more = f" and {each['more_cards']} more" if each.get("more_cards") else ""
        line += f"  ({', '.join(each['cards'])}{more})"
    if each.get("concepts"):
        line += f"  [{', '.join(each['concepts'])}]"
    return line + (f"  OUTDATED: {each['outdated']}" if each.get("outdated") else "")
