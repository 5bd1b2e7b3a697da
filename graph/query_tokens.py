"""The tokens of a SPARQL query without its comments (https://www.w3.org/TR/sparql11-query/#sparqlGrammar, 19.8)."""

import re
from dataclasses import dataclass
from typing import Literal

from rulings.graph.errors import QueryError

Kind = Literal["iri", "literal", "variable", "blank", "name", "number", "word", "sign"]

_TOKEN = re.compile(
    r"""
    (?P<skip>\s+|\#[^\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<literal>(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
        (?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?)
    |(?P<variable>[?$]\w+)
    |(?P<blank>_:\w(?:[\w.-]*[\w-])?)
    |(?P<name>(?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:(?:[\w:%-]|\\.)(?:(?:[\w.:%-]|\\.)*(?:[\w:%-]|\\.))?)?)
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign>\^\^|&&|\|\||!=|<=|>=|[-+*/!=<>(){}\[\].,;|^?])
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A token as written."""

    kind: Kind
    text: str

    @property
    def word(self) -> str:
        """The keyword in capitals; empty for what is none."""
        return self.text.upper() if self.kind == "word" else ""


def tokens(query: str) -> list[Token]:
    """Take a query apart; a literal's datatype stays with it.

    Raises:
        QueryError: a sign has no place in a query.
    """
    found: list[Token] = []
    place = 0
    while place < len(query):
        match = _TOKEN.match(query, place)
        if match is None:
            line = query.count("\n", 0, place) + 1
            raise QueryError(f"the query can't be read at line {line}: {query[place : place + 20]!r}")
        place = match.end()
        kind = match.lastgroup
        if kind == "skip":
            continue
        token = Token(kind, match[0])  # type: ignore[arg-type]  # the groups are the kinds
        if len(found) > 1 and found[-1].text == "^^" and found[-2].kind == "literal" and kind in {"iri", "name"}:
            found[-2:] = [Token("literal", f"{found[-2].text}^^{token.text}")]
        else:
            found.append(token)
    return found
