"""Time of builds that take over what didn't change, beside a build from nothing.

    python benchmarks/update.py FOLDER [--work DIR] [--vectors HOME] [--embedding SECONDS] [--check]

FOLDER holds a large corpus: Scryfall's rulings in ``rulings.json.gz``, cards, several editions of the rules as text.
Changed copies of it are built one after the other, each by the command in a process of its own: the same again, 1 % of
the rulings reworded, one ruling more, one removed, and the newest edition of the rules (the first build lacks it).
``--vectors`` takes the vectors that another home knows, so that the first build embeds nothing; ``--embedding`` adds
the seconds that it would have taken. ``--check`` compares the last generation of each with a build from nothing.
"""

import argparse
import gzip
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RULINGS = "rulings.json.gz"


def run(sources: Path, home: Path, *options: str) -> tuple[float, dict[str, float]]:
    """Build once; give the seconds of the whole command and those of its stages."""
    start = time.perf_counter()
    words = [sys.executable, "-m", "rulings.app.command", "build", "--home", str(home), *options, str(sources)]
    subprocess.run(words, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    name = (home / "current").read_text().strip()
    return seconds, json.loads((home / "generations" / name / "manifest.json").read_text())["seconds"]


def changed(rulings: list[dict[str, str]], kind: str) -> list[dict[str, str]]:
    """The rulings after a change of a kind."""
    chance = random.Random(kind)
    texts = sorted({ruling["comment"] for ruling in rulings if ruling.get("comment")})
    if kind == "1 % reworded":
        some = set(chance.sample(texts, len(texts) // 100))
        return [
            r | {"comment": f"{r['comment']} This holds here too."} if r.get("comment") in some else r for r in rulings
        ]
    if kind == "one more":
        one = chance.choice(rulings)
        return [*rulings, one | {"comment": "A ruling that was never published before.", "published_at": "2026-03-01"}]
    if kind == "one removed":
        gone = chance.choice(texts)
        return [r for r in rulings if r.get("comment") != gone]
    return rulings


def main() -> None:
    """Build the copies in turn and print the seconds of each, and their share of the whole build's."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--embedding", type=float, default=0.0)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.work) as folder:
        measure(args, Path(folder))


def measure(args: argparse.Namespace, work: Path) -> None:
    """Build the copies of a corpus in a folder for the purpose."""
    sources, home = work / "sources", work / "home"
    shutil.copytree(args.folder, sources, copy_function=shutil.copyfile)
    sources.chmod(0o755)
    newest = max(sources.glob("MagicCompRules*"))
    aside = newest.rename(work / newest.name)
    home.mkdir()
    if args.vectors:
        shutil.copytree(args.vectors / "cache", home / "cache", ignore=shutil.ignore_patterns("statements.kept"))
    whole, stages = run(sources, home)
    whole += args.embedding
    print(json.dumps({"build": "from nothing", "seconds": round(whole, 1), "stages": stages}), flush=True)
    rulings = json.loads(gzip.decompress((sources / RULINGS).read_bytes()))
    for kind in ("the same", "1 % reworded", "one more", "one removed", "new edition"):
        if kind == "new edition":
            aside.rename(sources / newest.name)
        rulings = changed(rulings, kind)
        (sources / RULINGS).write_bytes(gzip.compress(json.dumps(rulings).encode(), 1))
        seconds, stages = run(sources, home)
        share = round(seconds / whole, 3)
        line = {"build": kind, "seconds": round(seconds, 1), "share": share, "stages": stages}
        if args.check:
            line["as from nothing"] = as_from_nothing(sources, home)
        print(json.dumps(line), flush=True)


def as_from_nothing(sources: Path, home: Path) -> bool:
    """Build from nothing beside the last generation, and compare records, links, index and graph."""
    from rulings.search.generation import current

    made = current(home)
    run(sources, home, "--anew")
    anew = current(home)
    files = sorted(path.name for path in anew.path.glob("*.sqlite"))
    names = [*files, *(f"index/{p.relative_to(anew.index)}" for p in anew.index.rglob("*.*"))]
    same = all((made.path / name).read_bytes() == (anew.path / name).read_bytes() for name in names)
    here, there = set(made.graph.store), set(anew.graph.store)
    (home / "current").write_text(made.manifest.name)
    return same and here == there


if __name__ == "__main__":
    main()
