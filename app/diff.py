"""``rulings diff``: what changed between two generations, two sets of sources, or two days."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import msgspec

from rulings.app.diff_page import diff_page
from rulings.app.diff_text import diff_lines
from rulings.app.errors import UsageError
from rulings.app.home import home_of
from rulings.app.output import note, say
from rulings.graph.changes import Changes
from rulings.graph.compare import as_of, compare
from rulings.graph.records import Analysis
from rulings.ingest import Corpus, Report, build_corpus
from rulings.search.generation import Generation, current

_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two: its corpus, and the analyses of a generation."""

    corpus: Corpus
    analyses: Mapping[str, Analysis] | None = None


def run(args: argparse.Namespace) -> None:
    """Compare, and say what changed."""
    old, new = (_side(name, home_of(args)) for name in (args.old, args.new))
    both = (old.analyses, new.analyses) if old.analyses is not None and new.analyses is not None else None
    changes = compare(old.corpus, new.corpus, both)
    for name, day in zip((args.old, args.new), changes.editions, strict=True):
        if day is None:
            note(f"{name}: no rules were in force there, so rules and concepts are not compared")
    if args.output:
        if args.output.suffix.lower() not in {".html", ".htm"}:
            raise UsageError(f"{args.output}: a page is written; name it FILE.html")
        try:
            args.output.write_text(diff_page(changes, args.old, args.new), encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{args.output}: can't be written ({error.strerror}); choose another place") from error
        note(f"wrote {args.output}")
    elif args.json:
        say(msgspec.json.encode(as_json(changes)).decode())
    else:
        say("\n".join(diff_lines(changes, args.k)).rstrip())


def as_json(changes: Changes) -> dict[str, object]:
    """The changes as plain dicts, each with its kind."""
    return {
        "editions": [day.isoformat() if day else None for day in changes.editions],
        "rulings": [{"kind": each.kind, **asdict(each)} for each in changes.rulings],
        "cards": [{"kind": each.kind, **asdict(each)} for each in changes.cards],
        "rules": [{"kind": each.kind, **asdict(each)} for each in changes.rules],
        "concepts_came": changes.concepts_came,
        "concepts_went": changes.concepts_went,
        "outdated": None if changes.outdated is None else [asdict(each) for each in changes.outdated],
    }


def _side(name: str, home: Path) -> _Side:
    """What a side's name stands for: a generation, a day of the generation in use, or files.

    Raises:
        UsageError: it is none of these.
        IngestError: the files can't be read.
        GenerationError: the generation is damaged.
    """
    if name == "current" or _is_generation(name, home):
        made = current(home) if name == "current" else Generation(home / "generations" / name)
        return _Side(made.archive.corpus(), made.analyses.derived().analyses)
    if name.strip() and Path(name).expanduser().exists():
        report = Report()
        corpus = build_corpus([Path(name).expanduser()], report)
        if report.problems:
            first = report.problems[0]
            note(f"{name}: {len(report.problems):,} records were passed over, as {first.place}: {first.reason}")
        return _Side(corpus)
    if _DAY.fullmatch(name):
        try:
            day = date.fromisoformat(name)
        except ValueError as error:
            raise UsageError(f"diff: {name} is no day ({error}); write YYYY-MM-DD") from error
        return _Side(as_of(current(home).archive.corpus(), day))
    known = sorted(path.name for path in (home / "generations").glob("[!.]*")) if home.is_dir() else []
    raise UsageError(
        f"diff: {name!r} is no file, no day (YYYY-MM-DD) and no generation of {home} "
        f"({', '.join(known) or 'it has none'}, or current)"
    )


def _is_generation(name: str, home: Path) -> bool:
    return (
        Path(name).name == name
        and not name.startswith(".")
        and (home / "generations" / name / "manifest.json").is_file()
    )
