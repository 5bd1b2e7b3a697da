"""Reading of files and folders of any known kind into records, and into a corpus."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from importlib import resources
from pathlib import Path

from rulings.ingest.corpus import Corpus
from rulings.ingest.errors import SourceError, UnknownKindError
from rulings.ingest.kinds import reader_of, readers
from rulings.ingest.merge import CorpusBuilder
from rulings.ingest.parsed import Parsed
from rulings.ingest.reader import Reader
from rulings.ingest.records import Place, Printing, Record, Report
from rulings.ingest.source import Progress, Source, check_paths, open_sources, shown


def read_sources(
    paths: Sequence[Path],
    report: Report,
    *,
    card: str | None = None,
    progress: Progress | None = None,
    parsed: Parsed | None = None,
) -> Iterator[tuple[Record, Place]]:
    """Yield the records of files and folders, one by one, with their places.

    The kind of each file is found from its content; ``.gz`` and ``.zip`` are unpacked on the way. Files of a folder,
    and members of an archive, come in sorted order; one of no known kind is noted in ``report`` and passed over.

    Args:
        paths: files and folders, read in this order.
        report: takes problems and notes, and counts of the files of each kind.
        card: the name of the card that saved pages are about, where they don't tell it.
        progress: called with a file's name, the bytes of it read so far, and its size in bytes (0 where unknown).
        parsed: has the records of files that were read before; those of others are put there.

    Raises:
        UnknownKindError: a file that was named itself is of no known kind, or no file of an archive or folder is.
        SourceError: a path is missing or holds nothing to read, or a file is cut short or corrupt. An empty file is
            one too where it was named itself; in a folder or archive it is a problem of the report.
        LimitError: a file is over a limit of `rulings.ingest.limits`.
    """
    check_paths(paths)
    known = readers(card)
    for path in paths:
        read = seen = 0
        for source in open_sources([path], report, progress):
            seen += 1
            reader = reader_of(source.head, known)
            if reader is None:
                if source.named:
                    raise UnknownKindError(f"{source.place}: of no known kind; {_KINDS}")
                report.note(source.place, f"passed over: of no known kind; {_KINDS}")
                continue
            read += 1
            report.count(f"file: {reader.kind}")
            if parsed is None:
                yield from reader.read(source.stream, source.place, report)
            else:
                read_source = partial(_read, reader, source)
                yield from parsed.records(source.place, read_source, report)
        if not seen:
            raise SourceError(f"{shown(path)}: there is no file to read in it; name another")
        if not read:
            raise UnknownKindError(f"{shown(path)}: none of its {seen} files is of a known kind; {_KINDS}")


def _read(reader: Reader, source: Source, report: Report) -> Iterator[tuple[Record, Place]]:
    return reader.read(source.stream, source.place, report)


_KINDS = "known are Scryfall and MTGJSON JSON, rules text, saved ruling pages, and JSON lines or CSV of docs/formats.md"


def build_corpus(
    paths: Sequence[Path],
    report: Report | None = None,
    *,
    card: str | None = None,
    progress: Progress | None = None,
    languages: Collection[str] | None = None,
    parsed: Parsed | None = None,
) -> Corpus:
    """Read files and folders and merge their records; see `read_sources` for the other arguments and errors.

    ``languages`` are those whose printed names and texts are taken (None: all).
    """
    report = Report() if report is None else report
    builder = CorpusBuilder(report)
    for record, place in read_sources(paths, report, card=card, progress=progress, parsed=parsed):
        if languages is None or not isinstance(record, Printing) or record.language in languages:
            builder.add(record, place)
    corpus = builder.finish()
    # in an order of their own: not every way to the records counts them in the same turn
    report.counts = dict(sorted(report.counts.items()))
    return corpus


def sample_paths() -> list[Path]:
    """The files of the built-in sample."""
    folder = resources.files("rulings.ingest") / "sample"
    return sorted(Path(str(file)) for file in folder.iterdir() if file.name.endswith(".jsonl"))
