"""Blocks of triples in a query: subjects, property paths and objects, written out one triple at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulings.graph.errors import QueryError
from rulings.graph.query_tokens import Token


@dataclass(frozen=True, slots=True)
class Path:
    """A property path: a term ("iri" or "variable"), or an operator over others.

    ``kind`` "negated" keeps its whole text; "more" is ``+``, "any" ``*`` and "maybe" ``?``.
    """

    kind: Literal["iri", "variable", "inverse", "sequence", "choice", "more", "any", "maybe", "negated"]
    text: str = ""
    parts: tuple["Path", ...] = ()

    def __str__(self) -> str:
        match self.kind:
            case "inverse":
                return f"^({self.parts[0]})"
            case "sequence":
                return "(" + " / ".join(map(str, self.parts)) + ")"
            case "choice":
                return "(" + " | ".join(map(str, self.parts)) + ")"
            case "more" | "any" | "maybe":
                return f"({self.parts[0]}){ {'more': '+', 'any': '*', 'maybe': '?'}[self.kind] }"
            case _:
                return self.text

    def terms(self) -> Iterator[str]:
        """The predicates in it; an empty text stands for any."""
        if self.kind in {"variable", "negated"}:
            yield ""
        elif self.kind == "iri":
            yield self.text
        for part in self.parts:
            yield from part.terms()


@dataclass(frozen=True, slots=True)
class Triple:
    """A subject and an object as written, and the path between."""

    subject: str
    path: Path
    object: str


class _Reader:
    def __init__(self, block: Sequence[Token]) -> None:
        self._block, self._at = block, 0

    def next(self) -> str:
        return self._block[self._at].text if self._at < len(self._block) else ""

    def take(self) -> Token:
        if self._at == len(self._block):
            raise QueryError("a triple has no end; the query can't be shared out over several servers")
        self._at += 1
        return self._block[self._at - 1]

    def taken(self, text: str) -> bool:
        found = self.next() == text
        self._at += found
        return found

    def term(self) -> str:
        token = self.take()
        if token.kind == "blank" or token.text in {"[", "("}:
            raise QueryError(
                f"{token.text} can't be shared out over several servers; write variables, not blank nodes or lists"
            )
        if token.text in {"-", "+"}:
            return token.text + self.take().text
        if token.kind == "sign":
            raise QueryError(f"{token.text!r} where a term should be; the query can't be shared out")
        return _plain(token)

    def path(self) -> Path:
        parts = [self._sequence()]
        while self.taken("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else Path("choice", parts=tuple(parts))

    def _sequence(self) -> Path:
        parts = [self._step()]
        while self.taken("/"):
            parts.append(self._step())
        return parts[0] if len(parts) == 1 else Path("sequence", parts=tuple(parts))

    def _step(self) -> Path:
        if self.taken("^"):
            return Path("inverse", parts=(self._step(),))
        if self.taken("!"):
            return Path("negated", "!" + self._negated())
        if self.taken("("):
            found = self.path()
            if not self.taken(")"):
                raise QueryError("a property path has no ')'; the query can't be read")
        else:
            token = self.take()
            if token.kind not in {"iri", "name", "variable"} and token.text != "a":
                raise QueryError(f"{token.text!r} where a relation should be; the query can't be shared out")
            found = Path("variable" if token.kind == "variable" else "iri", _plain(token))
        for sign, kind in (("*", "any"), ("+", "more"), ("?", "maybe")):
            if self.taken(sign):
                return Path(kind, parts=(found,))  # type: ignore[arg-type]
        return found

    def _negated(self) -> str:
        text = self.take().text
        if text != "(":
            return text + (self.take().text if text == "^" else "")
        while not text.endswith(")"):
            text += f" {self.take().text}"
        return text

    def triples(self) -> Iterator[Triple]:
        while self.next():
            subject = self.term()
            while True:
                path = self.path()
                yield Triple(subject, path, self.term())
                while self.taken(","):
                    yield Triple(subject, path, self.term())
                while self.taken(";"):
                    pass
                if self.next() in {".", ""}:
                    break
            while self.taken("."):
                pass


def _plain(token: Token) -> str:
    """The term; a variable begins with ``?``."""
    return f"?{token.text[1:]}" if token.kind == "variable" else token.text


def read_block(block: Sequence[Token]) -> list[Triple]:
    """The triples of a block, with ``;`` and ``,`` written out.

    Raises:
        QueryError: it has blank nodes or lists, or can't be read.
    """
    return list(_Reader(block).triples())


@dataclass(frozen=True, slots=True)
class Alternative:
    """Triples of single relations, and of ``+`` over something.

    ``same`` are pairs of which the second gets the first's value, ``different`` pairs that must not be equal.
    """

    triples: tuple[Triple, ...]
    same: tuple[tuple[str, str], ...] = ()
    different: tuple[tuple[str, str], ...] = ()


def alternatives(triples: Sequence[Triple], fresh: Iterator[int]) -> list[Alternative]:
    """Write out sequences, inverses, choices and walks of length zero, as alternatives that together answer the same.

    A path of any length is a walk of a step or more between two different nodes, or no walk: both ends are the same.

    Args:
        triples: A block.
        fresh: Numbers for variables that are put in (``?_fed1``, ...).

    Raises:
        QueryError: a walk of length zero whose ends the block doesn't tell.
    """
    return _written(Alternative(()), list(triples), fresh)


def _written(done: Alternative, left: list[Triple], fresh: Iterator[int]) -> list[Alternative]:
    while left:
        triple, left = left[0], left[1:]
        path = triple.path
        match path.kind:
            case "sequence":
                ends = [triple.subject, *(f"?_fed{next(fresh)}" for _ in path.parts[1:]), triple.object]
                left = [*map(Triple, ends, path.parts, ends[1:]), *left]
            case "inverse":
                left = [Triple(triple.object, path.parts[0], triple.subject), *left]
            case "choice":
                ways = [[Triple(triple.subject, part, triple.object), *left] for part in path.parts]
                return [found for way in ways for found in _written(done, way, fresh)]
            case "any" | "maybe":
                step = Path("more", parts=path.parts) if path.kind == "any" else path.parts[0]
                apart = replace(done, different=(*done.different, (triple.subject, triple.object)))
                walked = _written(apart, [Triple(triple.subject, step, triple.object), *left], fresh)
                return walked + _written(*_joined(done, triple, left), fresh)
            case _:
                done = replace(done, triples=(*done.triples, triple))
    return [done]


def _joined(done: Alternative, triple: Triple, left: Sequence[Triple]) -> tuple[Alternative, list[Triple]]:
    """The block with one end of a walk put for the other, which gets its value at the end."""
    kept, gone = triple.subject, triple.object
    if not _is_variable(gone) or not _told(kept, [*done.triples, *left]):
        kept, gone = gone, kept
    if not _is_variable(gone) or not _told(kept, [*done.triples, *left]):
        raise QueryError(
            f"{triple.subject} {triple.path} {triple.object} can't be shared out over several servers: name one of its "
            "ends in the same block"
        )

    def put(triples: Sequence[Triple]) -> list[Triple]:
        ends = (
            (kept if t.subject == gone else t.subject, t.path, kept if t.object == gone else t.object) for t in triples
        )
        return [Triple(*each) for each in ends]

    def pairs(some: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple((kept if a == gone else a, kept if b == gone else b) for a, b in some)

    joined = Alternative(tuple(put(done.triples)), (*pairs(done.same), (kept, gone)), pairs(done.different))
    return joined, put(left)


def _is_variable(term: str) -> bool:
    return term.startswith("?")


def _told(term: str, triples: Sequence[Triple]) -> bool:
    """Whether a term has a value in a block: a given one, or a variable of some triple."""
    return not _is_variable(term) or any(term in {t.subject, t.object} for t in triples)
