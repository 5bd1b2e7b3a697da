"""``rulings info``: what the generation in use is made of."""

import argparse
from typing import Any

import msgspec

from rulings.app.home import generation_of
from rulings.app.output import say, table


def run(args: argparse.Namespace) -> None:
    """Print counts, sources, model, editions and versions; or the problems of the build."""
    made = generation_of(args)
    if args.problems:
        problems = made.archive.report().problems
        if args.json:
            say(msgspec.json.encode(problems).decode())
        else:
            say(table(["place", "reason"], [[str(p.place), p.reason] for p in problems]))
        return
    manifest = made.manifest
    facts: dict[str, Any] = {
        "generation": manifest.name,
        "path": str(made.path),
        "created": manifest.created,
        "sample": manifest.sample,
        "sources": [msgspec.to_builtins(source) for source in manifest.sources],
        "counts": manifest.counts,
        "relations": made.analyses.relation_counts(),
        "editions": [day.isoformat() for day in made.archive.editions],
        "model": manifest.encoder,
        "vectors": manifest.vectors,
        "versions": manifest.versions,
        "problems": manifest.problems,
        "seconds": manifest.seconds,
    }
    say(msgspec.json.encode(facts).decode() if args.json else _readable(facts))


def _readable(facts: dict[str, Any]) -> str:
    lines = []
    for name, fact in facts.items():
        match fact:
            case dict():
                lines.append(f"{name}:")
                lines += [
                    f"  {key:14s} {value:,}" if isinstance(value, int) else f"  {key:14s} {value}"
                    for key, value in fact.items()
                ]
            case list() if name == "sources":
                lines.append("sources:")
                lines += [f"  {source['path']} ({source['size']:,} bytes)" for source in fact]
            case list():
                lines.append(f"{name}: " + ", ".join(map(str, fact)))
            case _:
                lines.append(f"{name}: {fact}")
    return "\n".join(lines)
