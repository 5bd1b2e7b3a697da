"""The library of named queries: a file each, with its question and its parameters, run by name with values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rapidfuzz import process

from rulings.graph import nquads
from rulings.graph.errors import QueryError, UnknownNameError
from rulings.graph.query_terms import masked

FOLDER = Path(__file__).with_name("queries")
_PARAMETER = re.compile(r"# param: (\w+)=(.*)")


@dataclass(frozen=True, slots=True)
class NamedQuery:
    """A query of the library. ``parameters`` gives the default of each ``$name`` in its ``text``.

    The parameter ``limit`` takes a number of rows, any other takes text.
    """

    name: str
    question: str
    parameters: Mapping[str, str]
    text: str

    def filled(self, values: Mapping[str, str | int] | None = None) -> str:
        """The query with the values, else the defaults, put in as literals.

        Raises:
            QueryError: a value goes with no parameter, or is no number where one is wanted.
        """
        values = values or {}
        for name in values:
            if name not in self.parameters:
                known = ", ".join(f"{n}={default}" for n, default in self.parameters.items()) or "none"
                raise QueryError(f"@{self.name} has no parameter {name!r}; it has: {known}")
        terms = {name: self._literal(name, str(values.get(name, default))) for name, default in self.parameters.items()}
        bare, parts, end = masked(self.text), [], 0
        for found in re.finditer(r"\$(\w+)", bare):
            if found[1] in terms:
                parts += [self.text[end : found.start()], terms[found[1]]]
                end = found.end()
        return "".join([*parts, self.text[end:]])

    def _literal(self, name: str, value: str) -> str:
        if name != "limit":
            return nquads.text(value)
        if not (value.isascii() and value.isdecimal()):
            raise QueryError(f"@{self.name}: {name}={value} is no number; give one such as {self.parameters[name]}")
        return value


@cache
def library() -> Mapping[str, NamedQuery]:
    """All named queries by name, in the order of their names."""
    return {path.stem: _read(path) for path in sorted(FOLDER.glob("*.rq"))}


def _read(path: Path) -> NamedQuery:
    text = path.read_text(encoding="utf-8")
    return NamedQuery(path.stem, text.split("\n", 1)[0].lstrip("# "), dict(_PARAMETER.findall(text)), text)


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
