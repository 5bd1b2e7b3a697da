"""Building a generation: sources in, records, links, graph and index out, and one atomic switch to them."""

import contextlib
import gc
import logging
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import msgspec

from rulings.app.apart import apart, index_corpus
from rulings.app.errors import UsageError
from rulings.app.former import Former, former, sides
from rulings.app.generations import clear_broken, locked, point_to, remove_past, settle, take_away
from rulings.app.manifest import hashes, sources_of, stamps, versions
from rulings.app.output import Progress
from rulings.app.program import program
from rulings.graph.archive import concept_counts, write_links
from rulings.graph.asserted import asserted, slugs_of_keywords
from rulings.graph.concepts import ConceptScheme
from rulings.graph.derive import derive
from rulings.graph.derived import linked_lines, told_lines
from rulings.graph.kept import Kept
from rulings.graph.records import CardLinks, Vectors
from rulings.graph.runner import Runner
from rulings.graph.store import graph_lines, write_dumps
from rulings.graph.store_update import update_store
from rulings.graph.vocabulary import Iris
from rulings.ingest import Corpus, Report, RulingsError, cards_digest, write_archive
from rulings.ingest.parsed import Parsed
from rulings.ingest.read import build_corpus, sample_paths
from rulings.ingest.source import check_paths
from rulings.search.documents import rule_documents, statement_documents
from rulings.search.encoder import Encoder, open_encoder
from rulings.search.engines.address import Address, read_address
from rulings.search.engines.keep import move_vectors, reach
from rulings.search.errors import GenerationError
from rulings.search.generation import Generation, Manifest, current
from rulings.search.index import write_index
from rulings.search.threads import one_thread
from rulings.search.vectors import VectorCache, embed
from rulings.search.whole import sealed, sha256

_LOG = logging.getLogger(__name__)


class Stages:
    """Times the stages of a build and says on stderr what goes on."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.seconds: dict[str, float] = {}

    @contextlib.contextmanager
    def inner(self, name: str) -> Iterator[None]:
        """Time a part of a stage, silently."""
        start = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - start, 3)
        _LOG.info("%s: %.3f s", name, self.seconds[name])

    @contextlib.contextmanager
    def __call__(self, name: str, words: str) -> Iterator[None]:
        """Run one stage."""
        with self.inner(name):
            yield
        self.tell(f"{words} ({self.seconds[name]:.1f} s)")


def build(
    sources: Sequence[Path],
    home: Path,
    *,
    tell: Callable[[str], None],
    card: str | None = None,
    model: str | None = None,
    iris: Iris | None = None,
    languages: Collection[str] | None = None,
    anew: bool = False,
    runner: Runner | None = None,
    vectors: Address | None = None,
) -> Generation:
    """Build a generation from files or folders (none: the built-in sample) and switch to it.

    The former generation stays in use until the new one is whole, and stays on disk after that. What it has in common
    with the new one is taken over, unless ``anew`` is set; the outcome is the same, whatever ``runner`` links and
    encodes (None: this process). ``languages`` are those whose
    printed names and texts are taken beside English (None: all). ``vectors`` is the engine that is to have the
    statements' vectors (None: the index itself).

    Raises:
        IngestError: a source can't be read.
        UsageError: the sources hold no ruling at all.
        BusyError: another build is running in this home.
        GenerationError: the home can't be written.
        EngineError: the engine of vectors can't be reached.
    """
    with locked(home), _uncollected():
        return _build(
            sources, home, tell=tell, card=card, model=model, iris=iris or Iris(), languages=languages, anew=anew,
            runner=runner,
            vectors=vectors or read_address("numpy"),
        )  # fmt: skip


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Search for no cycles meanwhile: among millions of records that takes a third of the time, and there are none."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()


def _build(
    sources: Sequence[Path],
    home: Path,
    *,
    tell: Callable[[str], None],
    card: str | None,
    model: str | None,
    iris: Iris,
    languages: Collection[str] | None,
    anew: bool,
    runner: Runner | None,
    vectors: Address,
) -> Generation:
    stages = Stages(tell)
    clear_broken(home)
    reach(vectors)
    paths = [path.expanduser() for path in sources] or sample_paths()
    check_paths(paths)
    # before they are read: what changes from now on is then seen as changed by the next update
    made_of = tuple(sources_of(paths))
    report = Report()
    known = {source.path: source.sha256 for source in made_of}
    parsed = Parsed(home / "cache" / "sources", f"{program()} {card}", known, sha256, anew=anew)
    before, reason = (None, None) if anew else former(home, base=iris.base)
    with ThreadPoolExecutor(1) as beside:
        damage = beside.submit(before.damage) if before else None
        with stages("read", "read the sources"):
            corpus = build_corpus(paths, report, card=card, languages=languages, parsed=parsed)
            parsed.tidy()
    _tell_report(report, tell)
    if not corpus.statements:
        names = ", ".join(map(str, sources))
        raise UsageError(
            f"{names}: no ruling of a known card in there; name a file that has rulings and one that has cards"
        )
    tell(
        f"{len(corpus.cards):,} cards, {len(corpus.rulings):,} rulings in {len(corpus.statements):,} wordings, "
        f"{len(corpus.editions)} editions of the rules"
    )
    encoder = open_encoder(model, home / "cache")
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.urandom(3).hex()}"
    part = home / "generations" / f".part-{name}"
    part.mkdir()
    try:
        made_by = {"name": encoder.name, "fingerprint": encoder.fingerprint, "dimensions": encoder.dimensions}
        if before and damage:
            reason = before.other_model(made_by) or damage.result()
        if reason:
            tell(f"building anew: {reason}")
            before = None
        counts, before = _write(part, corpus, encoder, home, iris, stages, before, anew=anew, runner=runner)
        if vectors.engine != "numpy":
            with stages("vectors", f"moved the vectors to {vectors.told}"):
                move_vectors(part / "index", vectors, name)
        manifest = Manifest(
            name=name,
            created=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=made_of,
            sample=not sources,
            encoder=made_by,
            versions=versions(),
            program=program(),
            updates=before.manifest.updates + 1 if before else 0,
            counts=counts,
            problems=len(report.problems),
            seconds=stages.seconds,
            base=iris.base,
            languages=tuple(languages or ()),
            vectors=vectors.told,
            files=dict(hashes(part, before.hashes if before else {}, before.path if before else None)),
            stamps=dict(stamps(part)),
        )
        (part / "manifest.json").write_bytes(sealed(msgspec.json.format(msgspec.json.encode(manifest), indent=1)))
        settle(part)
        return _switch(home, part, name)
    except OSError as error:
        if isinstance(error, RulingsError):
            raise
        raise GenerationError(
            f"{part}: the generation could not be written ({error}); is there room on the disk?"
        ) from error
    finally:
        take_away(part, vectors)


def _tell_report(report: Report, tell: Callable[[str], None]) -> None:
    for problem in report.problems[:10]:
        tell(f"passed over: {problem.place}: {problem.reason}")
    if len(report.problems) > 10:
        tell(f"... and {len(report.problems) - 10:,} more records; `rulings info --problems` lists them")
    for remark in report.notes[:5]:
        tell(f"note: {remark.place}: {remark.reason}")
    if len(report.notes) > 5:
        tell(f"... and {len(report.notes) - 5:,} more notes")


def _embed(corpus: Corpus, encoder: Encoder, home: Path, runner: Runner | None) -> Vectors:
    cache = VectorCache(home / "cache")
    statements, rules = statement_documents(corpus), rule_documents(corpus)
    progress = Progress("embedding", len(statements) + len(rules))
    found = embed(encoder, [*statements, *rules], cache, progress, runner)
    progress.close()
    return Vectors(statements=found[: len(statements)], rules=found[len(statements) :] if rules else None)


def _write(
    part: Path,
    corpus: Corpus,
    encoder: Encoder,
    home: Path,
    iris: Iris,
    stages: Stages,
    before: Former | None,
    *,
    anew: bool,
    runner: Runner | None,
) -> tuple[dict[str, int], Former | None]:
    """Write all parts of a generation, and give the counts and the former one where parts of it were taken over.

    What needs no statement goes on apart, while the statements are linked.
    """
    records, graph = part / "records.sqlite", part / "graph"
    with stages("records", "wrote the records"):
        digest = cards_digest(corpus)
        if before and (reason := before.differs(digest)):
            stages.tell(f"linking and indexing anew: {reason}")
            before = None
        write_archive(corpus, records, digest, before.sides.records if before else None)
    with stages("embed", "embedded the wordings and the rules"):
        vectors = _embed(corpus, encoder, home, runner)
    kept = Kept(home / "cache" / "statements.kept", program(), cards=digest, anew=anew)
    with apart(len(corpus.cards) + len(corpus.statements)) as worker:

        def give(name: str, lines: Iterable[str]) -> None:
            """Have lines loaded; the store takes longest, and is given what there is as early as may be."""
            for dump in write_dumps(part, name, lines):
                worker.give(dump)

        if before is None:
            cards = worker.link_cards(records, part, iris)
            worker.load(graph)
            with stages("asserted", "wrote what the sources say"):
                scheme = ConceptScheme.from_corpus(corpus)
                give("asserted", asserted(corpus, iris, slugs_of_keywords(scheme.concepts)))
        else:
            scheme = None
            begun = worker.submit(index_corpus, records, part / "index", before.index, before.listed("index"))
        # threads of linear algebra would wait for each other while the other process has the core
        with stages("derive", "worked out the links"), one_thread():
            derived = derive(
                corpus,
                vectors,
                scheme,
                timer=stages.inner,
                cards=CardLinks if before else cards.result,
                kept=kept,
                runner=runner,
                told=None if before else lambda analyses: give("told", told_lines(corpus, analyses, iris)),
            )
        with stages("links", "wrote the links"):
            sizes = concept_counts(derived, {key: s.oracle_ids for key, s in corpus.statements.items()})
            if before is None:
                give("links", chain(linked_lines(corpus, derived, sizes, iris), [graph_lines()]))
                worker.all_given()
            write_links(derived, sizes, part / "links.sqlite", before.sides.links if before else None)
        if before is not None:
            grown = worker.submit(
                update_store, before.graph, graph, before.sides, sides(part), iris, before.listed("graph")
            )
        with stages("index", "wrote the index"):
            cache = VectorCache(home / "cache")
            if before is not None:
                begun.result()
            write_index(part / "index", corpus, derived, encoder, vectors, cache, before.index if before else None)
        with stages("graph", "loaded the rest of the graph"):
            kept.save()
            loaded = worker.loaded() if before is None else grown.result() + before.manifest.counts["quads"]
    return {
        "cards": len(corpus.cards),
        "rulings": len(corpus.rulings),
        "statements": len(corpus.statements),
        "concepts": len(derived.concepts),
        "rules": sum(len(edition.rules) for edition in corpus.editions.values()),
        "editions": len(corpus.editions),
        "quads": loaded,
    }, before


def _switch(home: Path, part: Path, name: str) -> Generation:
    """Move the finished folder to its place and point to it; then drop generations beyond the kept ones."""
    part.rename(home / "generations" / name)
    point_to(home, name)
    remove_past(home)
    return current(home)
