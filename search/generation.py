"""Generations: a home holds one folder a build, and a pointer to the one in use.

HOME/
├── current                 one line: the name of the generation in use, replaced in one step
├── generations/NAME/       manifest.json, records*.sqlite, links*.sqlite, graph/, index/
├── cache/                  vectors and models, safe to delete
└── lock                    held by a build
"""

import logging
import os
import weakref
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rulings.graph.archive import Analyses
from rulings.graph.vocabulary import DATA, Iris
from rulings.ingest import Archive
from rulings.search.errors import GenerationError, NoGenerationError, OtherFormatError
from rulings.search.hold import hold
from rulings.search.whole import Stamp, fault, seal_holds

if TYPE_CHECKING:
    from rulings.graph.knowledge import KnowledgeGraph

_LOG = logging.getLogger(__name__)
FORMAT = 2
"""The layout that this version reads and writes; raised when an older reader would misread a newer folder."""


_REMEDY = "run `rulings build` again, or go back to another by `rulings use`"


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a generation was built from."""

    path: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a generation is made of.

    ``created`` is UTC, ISO 8601. ``files`` gives the sha256 of every file by its path in the folder, ``stamps`` their
    size and time, ``encoder`` the model's name and fingerprint, ``counts`` the number of records by kind, ``seconds``
    the time of each stage of the build, ``base`` the start of all data IRIs, ``languages`` those whose printed names
    were taken (none: all), ``program`` a hash of the program's own files, ``updates`` how often its graph was updated
    since it was written anew, ``vectors`` the engine that has the statements' vectors, without credentials.
    """

    name: str
    created: str
    format: int = FORMAT
    sources: tuple[Source, ...] = ()
    sample: bool = False
    encoder: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    problems: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    base: str = DATA
    languages: tuple[str, ...] = ()
    program: str = ""
    updates: int = 0
    vectors: str = "numpy"
    files: dict[str, str] = field(default_factory=dict)
    stamps: dict[str, Stamp] = field(default_factory=dict)


def default_home() -> Path:
    """The data home: ``$RULINGS_HOME``, else the platform's folder for user data."""
    import platformdirs

    named = os.environ.get("RULINGS_HOME")
    return Path(named).expanduser() if named else Path(platformdirs.user_data_dir("rulings", appauthor=False))


class _Format(msgspec.Struct):
    """What can be read of a manifest of any format."""

    format: int


class Generation:
    """One built generation, its parts opened when first used and then kept; safe to share between threads.

    While it is there nobody takes its folder away: `rulings.app.generations.remove_past` leaves it for later.
    """

    def __init__(self, path: Path, *, check: bool = True) -> None:
        """Read the manifest of the generation in folder ``path``, and see that all its files are there and whole.

        ``check`` False leaves out the files, for who looks at them more closely.

        Raises:
            GenerationError: the manifest is missing or damaged, or of another format, or a file isn't as it was built.
        """
        self.path = path
        try:
            held = hold(path / "manifest.json")
            weakref.finalize(self, os.close, held)
            raw = (path / "manifest.json").read_bytes()
            known = msgspec.json.decode(raw, type=_Format).format
            if known == FORMAT:
                self.manifest = msgspec.json.decode(raw, type=Manifest)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise GenerationError(f"{path}: not a whole generation (manifest.json: {why}); {_REMEDY}") from error
        if known != FORMAT:
            raise OtherFormatError(
                f"{path}: written in format {known}, this version reads format {FORMAT}; "
                "run `rulings build` again, or use the version that wrote it"
            )
        wrong = "the manifest was changed" if not seal_holds(raw) else None
        if check:
            wrong = wrong or fault(path, self.manifest.files, self.manifest.stamps)
        if wrong:
            raise GenerationError(f"{path}: damaged: {wrong}; {_REMEDY}")
        _LOG.info("opened %s of %s", path, self.manifest.created)

    @cached_property
    def archive(self) -> Archive:
        """The records."""
        return Archive(self.path / "records.sqlite")

    @cached_property
    def analyses(self) -> Analyses:
        """What was worked out about the records."""
        return Analyses(self.path / "links.sqlite")

    @cached_property
    def graph(self) -> "KnowledgeGraph":
        """The graph."""
        from rulings.graph.knowledge import KnowledgeGraph

        return KnowledgeGraph(self.path / "graph", self.iris)

    @property
    def iris(self) -> Iris:
        """What makes the IRIs of its nodes."""
        return Iris(self.manifest.base)

    @property
    def index(self) -> Path:
        """The folder of the search index."""
        return self.path / "index"


def current(home: Path | None = None, *, check: bool = True) -> Generation:
    """The generation in use; ``check`` as for `Generation`.

    Raises:
        NoGenerationError: nothing was built in this home yet.
        GenerationError: the generation in use is gone or damaged.
    """
    home = home or default_home()
    name = _pointed(home)
    while True:
        try:
            return Generation(home / "generations" / name, check=check)
        except GenerationError:
            # it may have been replaced, and taken away, since the pointer was read
            former, name = name, _pointed(home)
            if former == name:
                raise


def _pointed(home: Path) -> str:
    """The name that the pointer holds."""
    try:
        name = (home / "current").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        if any((home / "generations").glob("[!.]*/manifest.json")):
            raise GenerationError(
                f"{home / 'current'}: is missing; choose a generation by `rulings use`, or build"
            ) from None
        raise NoGenerationError(f"{home}: nothing was built here yet; run `rulings build`") from None
    except OSError as error:
        raise GenerationError(f"{home / 'current'}: can't be read ({error.strerror}); check its permissions") from error
    except UnicodeDecodeError:
        name = ""
    if not name or Path(name).name != name or name.startswith("."):
        raise GenerationError(
            f"{home / 'current'}: names no generation; run `rulings build`, or choose one by `rulings use`"
        )
    return name
