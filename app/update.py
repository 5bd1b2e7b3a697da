"""``rulings update``: fetch what is new, and build where something is."""

import argparse

from rulings.app import build_command, fetch
from rulings.app.errors import FetchError
from rulings.app.fetched import fetched_paths
from rulings.app.home import home_of
from rulings.app.manifest import sources_of, versions
from rulings.app.output import note
from rulings.search.errors import SearchError
from rulings.search.generation import current


def run(args: argparse.Namespace) -> None:
    """Fetch, then build unless the generation in use was made from the same files by the same versions.

    A fetch that failed in part is told at the end; what came is built all the same.
    """
    failed: FetchError | None = None
    try:
        fetch.run(args)
    except FetchError as error:
        if not fetched_paths(home_of(args)):
            raise
        failed = error
    reason = _reason(args)
    if reason is None:
        note(f"nothing changed since {current(home_of(args)).manifest.name}")
    else:
        note(f"building: {reason}")
        build_command.run(args)
    if failed:
        raise failed


def _reason(args: argparse.Namespace) -> str | None:
    """Why to build; None where there is no need."""
    home = home_of(args)
    try:
        manifest = current(home).manifest
    except SearchError:
        return "there is no generation yet"
    if manifest.versions != versions():
        return "made by other versions of the program or its libraries"
    if args.model is not None and manifest.encoder.get("name") != args.model:
        return f"another model, {args.model}"
    made_of = {(source.path, source.sha256) for source in manifest.sources}
    changed = [source.path for source in sources_of(fetched_paths(home)) if (source.path, source.sha256) not in made_of]
    if changed:
        return f"changed: {', '.join(path.rsplit('/', 1)[-1] for path in changed)}"
    return "other sources than those fetched" if len(made_of) != len(fetched_paths(home)) else None
