"""``rulings update``: fetch what is new, and build where something is."""

import argparse
from pathlib import Path

from rulings.app import build_command, fetch
from rulings.app.errors import FetchError, UsageError
from rulings.app.fetched import fetched_paths, folder_of, read_fetched
from rulings.app.home import home_of
from rulings.app.manifest import sources_of, versions
from rulings.app.output import note
from rulings.app.program import program
from rulings.graph.vocabulary import DATA
from rulings.search.errors import SearchError
from rulings.search.generation import Manifest, current


def run(args: argparse.Namespace) -> None:
    """Fetch, then build unless the generation in use was made from the same files by the same versions.

    Files of one's own, the model, the base of IRIs and the engine of vectors that it was made with are kept. A fetch
    that failed in part is told at the end; what came is built all the same.
    """
    home = home_of(args)
    failed: FetchError | None = None
    try:
        fetch.run(args)
    except FetchError as error:
        if not fetched_paths(home):
            raise
        failed = error
    try:
        manifest = current(home).manifest
    except SearchError:
        manifest = None
    args.sources = [*fetched_paths(home), *_own(home, manifest)]
    reason = _reason(args, home, manifest)
    if reason is None and manifest is not None:
        note(f"nothing changed since {manifest.name}")
    else:
        note(f"building: {reason}")
        if manifest is not None:
            args.model = args.model or manifest.encoder.get("name")
            args.base = manifest.base if manifest.base != DATA else None
            args.vectors = manifest.vectors
        build_command.run(args)
    if failed:
        raise failed


def _own(home: Path, manifest: Manifest | None) -> list[Path]:
    """The files beside the fetched ones that the generation in use was made from.

    Raises:
        UsageError: one is gone.
    """
    if manifest is None or manifest.sample:
        return []
    fetched = folder_of(home).absolute()
    own = [Path(source.path) for source in manifest.sources if fetched not in Path(source.path).parents]
    gone = [path for path in own if not path.is_file()]
    if gone:
        raise UsageError(f"{gone[0]}: the generation in use was made from it, and it is gone; build from what you want")
    return own


def _reason(args: argparse.Namespace, home: Path, manifest: Manifest | None) -> str | None:
    """Why to build; None where there is no need."""
    if manifest is None:
        return "there is no generation yet"
    if manifest.versions != versions() or manifest.program != program():
        return "made by other versions of the program or its libraries"
    if args.model is not None and manifest.encoder.get("name") != args.model:
        return f"another model, {args.model}"
    if manifest.languages != read_fetched(home).languages:
        return "other languages"
    made_of = {(source.path, source.sha256) for source in manifest.sources}
    here = [(source.path, source.sha256) for source in sources_of(args.sources)]
    changed = [path.rsplit("/", 1)[-1] for path, digest in here if (path, digest) not in made_of]
    if changed:
        return f"changed: {', '.join(changed)}"
    return "a source is not wanted any more" if len(made_of) != len(here) else None
