"""What was told of statements by an earlier build, kept beside the generations, so that only new ones are examined."""

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from rulings.graph.examine import Context, Examined, Examiner
from rulings.graph.records import RuleLink, SameRule
from rulings.graph.runner import Here, Runner, Shared, itself
from rulings.ingest import Corpus, Statement, cards_digest

BATCH = 250
"""Statements examined at a time."""

_HASH = 32
"""Bytes of the hash before what is kept."""


class _Told(msgspec.Struct, frozen=True, array_like=True):
    """A statement's own uses of names in lower case, and what was told of it."""

    uses: dict[str, int]
    examined: Examined


class _File(msgspec.Struct, array_like=True):
    """What is kept. ``basis`` is a hash of the program, the cards and the rules; statements go by a hash of theirs."""

    basis: bytes = b""
    rule_uses: dict[str, int] = {}
    same_rules: tuple[SameRule, ...] = ()
    told: dict[bytes, _Told] = {}
    links: dict[bytes, tuple[RuleLink, ...]] = {}


class Kept:
    """What was told of the statements of the last build.

    It is held by the hash of all that it depends on: of the program, the cards and the rules together, then of each
    statement. A file that is missing or damaged, or of another basis, counts as empty.
    """

    def __init__(self, path: Path, program: str, *, cards: bytes | None = None, anew: bool = False) -> None:
        """Keep in the file ``path``, which is made when first needed.

        Args:
            path: where to keep.
            program: a hash of the program; what another one told isn't taken.
            cards: the `cards_digest` of the corpus, where it is known.
            anew: take nothing of what is there.
        """
        self._path, self._program, self._cards, self._anew = path, program, cards, anew
        self._file = _File()
        self.examined_count = 0
        """How many statements the last build had to examine."""

    def load(self, corpus: Corpus) -> None:
        """Read what is there, if it is of the same program, cards and rules."""
        basis = self._basis(corpus)
        found = _File()
        if not self._anew:
            with suppress(OSError, msgspec.MsgspecError):
                raw = memoryview(self._path.read_bytes())
                # the basis stands first, after a few bytes of the format
                if basis in raw[_HASH : _HASH + 64].tobytes() and hashlib.sha256(raw[_HASH:]).digest() == raw[:_HASH]:
                    found = msgspec.msgpack.decode(raw[_HASH:], type=_File)
        self._file = found if found.basis == basis else _File(basis)

    @property
    def links(self) -> dict[bytes, tuple[RuleLink, ...]]:
        """The rules that statements rest on, by a hash of all that they depend on."""
        return self._file.links

    def same_rules(self, make: Callable[[], tuple[SameRule, ...]]) -> tuple[SameRule, ...]:
        """The matching rules of the editions, which ``make`` finds where they aren't kept."""
        if not self._file.same_rules:
            self._file.same_rules = make()
        return self._file.same_rules

    def examine(self, context: Context, runner: Runner | None = None) -> dict[str, Examined]:
        """Tell of every statement of a corpus, by key, in its order; only what isn't kept is examined."""
        runner = runner or Here()
        statements = context.corpus.statements
        digests = {key: _digest(statement) for key, statement in statements.items()}
        known = {key: told for key, digest in digests.items() if (told := self._file.told.get(digest)) is not None}
        # made when first needed: collecting all names of all cards takes a while
        examiner = Shared(Examiner, context)
        if not self._file.rule_uses:
            (self._file.rule_uses,) = runner.map(_rule_uses, [()], examiner)
        new = [statement for key, statement in statements.items() if key not in known]
        uses = {key: told.uses for key, told in known.items()}
        for batch, counts in zip(_batches(new), runner.map(_uses, _batches(new), examiner), strict=True):
            uses.update(zip((s.key for s in batch), counts, strict=True))
        lower = Counter(self._file.rule_uses)
        for one in uses.values():
            lower.update(one)
        stale = [statements[key] for key, told in known.items() if not _holds(told.examined.asked, lower)]
        examined = {key: told.examined for key, told in known.items()}
        batches = _batches([*new, *stale])
        for batch, found in zip(batches, runner.map(_examine, batches, examiner, Shared(itself, lower)), strict=True):
            examined.update(zip((s.key for s in batch), found, strict=True))
        self.examined_count = len(new) + len(stale)
        self._file.told = {digests[key]: _Told(uses[key], examined[key]) for key in statements}
        return {key: examined[key] for key in statements}

    def save(self) -> None:
        """Write what the next build may take; a full disk or a read-only folder is let pass."""
        part = self._path.with_name(f".{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            raw = msgspec.msgpack.encode(self._file)
            with part.open("wb") as file:
                file.write(hashlib.sha256(raw).digest())
                file.write(raw)
            part.replace(self._path)
        except OSError:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def _basis(self, corpus: Corpus) -> bytes:
        found = hashlib.sha256(self._program.encode())
        found.update(self._cards or cards_digest(corpus))
        newest = corpus.newest
        if newest is None or not newest.rules:
            # the statements tell which words there are
            found.update(msgspec.msgpack.encode(list(corpus.statements)))
        return found.digest()


def _rule_uses(_: Sequence[Statement], examiner: Examiner) -> dict[str, int]:
    return dict(examiner.rule_uses())


def _uses(batch: Sequence[Statement], examiner: Examiner) -> list[dict[str, int]]:
    return examiner.uses(batch)


def _examine(batch: Sequence[Statement], examiner: Examiner, lower: Mapping[str, int]) -> list[Examined]:
    return examiner.examine(batch, lower)


def _holds(asked: Mapping[str, int], lower: Mapping[str, int]) -> bool:
    return all(lower.get(name, 0) == count for name, count in asked.items())


def _digest(statement: Statement) -> bytes:
    return hashlib.sha1(msgspec.msgpack.encode(statement), usedforsecurity=False).digest()


def _batches(statements: list[Statement]) -> list[list[Statement]]:
    return [statements[start : start + BATCH] for start in range(0, len(statements), BATCH)]
