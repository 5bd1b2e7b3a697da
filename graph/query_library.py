"""The library of named queries: a file each, with its question and its parameters, run by name with values.

The first line of a file is its question. A line for each parameter follows: its sort, its name and its default.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from rapidfuzz import process

from rulings.graph import nquads
from rulings.graph.errors import QueryError, UnknownNameError
from rulings.graph.query_terms import masked
from rulings.graph.relations import relations

FOLDER = Path(__file__).with_name("queries")
Sort = Literal["card", "concept", "relation", "rows", "rule", "text"]
Resolve = Callable[[Sort, str], str]
"""Gives a card's full English name, or a concept's preferred English label, for what a person calls it."""
_PARAMETER = re.compile(rf"^# ({'|'.join(get_args(Sort))}): (\w+)=(.*)$", re.MULTILINE)
_CR = re.compile(r"^(?:rule |cr ?)|\.$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the library.

    ``parameters`` gives the default of each ``$name`` in its ``text``, ``sorts`` what each takes: "rows" a number of
    rows, "relation" a relation's local name, "card", "concept" and "rule" what it is called, "text" any text.
    """

    name: str
    question: str
    parameters: Mapping[str, str]
    sorts: Mapping[str, Sort]
    text: str

    def filled(self, values: Mapping[str, str | int] | None = None, resolve: Resolve | None = None) -> str:
        """The query with the values, else the defaults, put in as terms.

        ``resolve`` finds what cards and concepts are called in the graph; without it they must be spelled so.

        Raises:
            QueryError: a value goes with no parameter, or is no number or relation where one is wanted.
            UnknownNameError: a value that was given is the name of no card or concept.
        """
        values = values or {}
        for name in values:
            if name not in self.parameters:
                known = ", ".join(f"{n}={default}" for n, default in self.parameters.items()) or "none"
                raise QueryError(f"@{self.name} has no parameter {name!r}; it has: {known}")
        terms = {
            name: self._term(name, str(values.get(name, default)), resolve if name in values else None)
            for name, default in self.parameters.items()
        }
        bare, parts, end = masked(self.text), [], 0
        for found in re.finditer(r"\$(\w+)", bare):
            if found[1] in terms:
                parts += [self.text[end : found.start()], terms[found[1]]]
                end = found.end()
        return "".join([*parts, self.text[end:]])

    def _term(self, name: str, value: str, resolve: Resolve | None) -> str:
        match self.sorts[name]:
            case "card":
                return nquads.text(resolve("card", value) if resolve else value)
            case "concept":
                return nquads.text(resolve("concept", value) if resolve else value, "en")
            case "relation":
                if value not in relations():
                    raise QueryError(
                        f"@{self.name}: no relation is called {value!r}; take one of {', '.join(relations())}"
                    )
                return nquads.iri(relations()[value])
            case "rows":
                if not (value.isascii() and value.isdecimal()):
                    given = f"@{self.name}: {name}={value} is no number"
                    raise QueryError(f"{given}; give one such as {self.parameters[name]}")
                return value
            case "rule":
                return nquads.text(_CR.sub("", value.strip()).lower())
        return nquads.text(value)


@cache
def library() -> Mapping[str, NamedQuery]:
    """All named queries by name, in the order of their names."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.rq"))}


def _read(path: Path) -> NamedQuery:
    text = path.read_text(encoding="utf-8")
    found = _PARAMETER.findall(text)
    sorts: dict[str, Sort] = {name: sort for sort, name, _ in found}
    return NamedQuery(path.stem, text.split("\n", 1)[0].lstrip("# "), {n: value for _, n, value in found}, sorts, text)


def named(name: str) -> NamedQuery:
    """The query of this name, with or without its ``@``.

    Raises:
        UnknownNameError: there is none; the message names the nearest.
    """
    wanted = name.removeprefix("@")
    found = library().get(wanted)
    if found is None:
        near = process.extractOne(wanted, list(library()), score_cutoff=50)
        hint = f"did you mean @{near[0]}?" if near else "see `rulings sparql --list`"
        raise UnknownNameError(f"no query is called @{wanted}; {hint}")
    return found
