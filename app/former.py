"""What a build may take over of the generation in use, or the reason why nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulings.app.manifest import versions
from rulings.app.program import program
from rulings.graph.difference import Sides
from rulings.ingest import Archive, RulingsError
from rulings.search.errors import NoGenerationError, OtherFormatError
from rulings.search.generation import Generation, Manifest, current
from rulings.search.whole import sha256

MOST_UPDATES = 20
"""After so many updates the graph is written anew: an update only adds to its files."""


class Former:
    """A generation of the same program whose parts may be taken over. It is only read."""

    def __init__(self, generation: Generation) -> None:
        self.path, self.manifest = generation.path, generation.manifest
        self.graph, self.index = generation.path / "graph", generation.index
        self.sides = sides(generation.path)

    @property
    def hashes(self) -> Mapping[str, str]:
        """The hash of each of its files, by its path in the folder."""
        return self.manifest.files

    def listed(self, folder: str) -> frozenset[str]:
        """The files of one of its folders that its manifest tells, by their paths in that: others are not its own."""
        return frozenset(name.removeprefix(f"{folder}/") for name in self.hashes if name.startswith(f"{folder}/"))

    def damage(self) -> str | None:
        """What is wrong with the first of its files that isn't as its hash tells, whatever its time; None where none.

        What is taken over keeps its hash, so that a byte lost there would be in every generation to come.
        """
        for name, known in self.hashes.items():
            try:
                if sha256(self.path / name) != known:
                    return f"the generation in use is damaged ({name} was changed)"
            except OSError as error:
                return f"the generation in use is damaged ({name} can't be read: {error.strerror})"
        return None

    def other_model(self, encoder: Mapping[str, Any]) -> str | None:
        """Why its vectors are not those of an encoder; None where they are."""
        same = self.manifest.encoder.get("fingerprint") == encoder["fingerprint"]
        return None if same else f"another model, {encoder['name']}"

    def differs(self, digest: bytes) -> str | None:
        """Why nothing may be taken over for cards and rules of a digest (`cards_digest`); None where something may."""
        if not self.manifest.counts.get("editions"):
            return "no rules are loaded"
        try:
            with Archive(self.sides.records) as records:
                return None if records.cards_digest() == digest else "cards, printed names or rules changed"
        except (RulingsError, LookupError) as error:
            return f"the generation in use is damaged ({error})"


def sides(folder: Path) -> Sides:
    """The written records of the generation in a folder."""
    return Sides(folder / "records.sqlite", folder / "links.sqlite")


def former(home: Path, *, base: str) -> tuple[Former | None, str | None]:
    """The generation in use, if parts of it may be taken over; else, where there is one, the reason why not.

    Its model and the hashes of its files are not looked at yet.
    """
    try:
        generation = current(home)
    except NoGenerationError:
        return None, None
    except OtherFormatError:
        return None, "the generation in use is of another version's format"
    except RulingsError as error:
        return None, f"the generation in use is damaged ({error})"
    reason = _reason(generation.manifest, base)
    return (None, reason) if reason else (Former(generation), None)


def _reason(manifest: Manifest, base: str) -> str | None:
    if manifest.program != program() or manifest.versions != versions():
        return "made by another version of the program or its libraries"
    if manifest.base != base:
        return f"another base of IRIs, {base}"
    if manifest.updates >= MOST_UPDATES:
        return f"updated {manifest.updates} times"
    return None
