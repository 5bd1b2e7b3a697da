"""Goes through a query from group to group, so that its blocks of triples can be written anew."""

from collections.abc import Callable, Sequence

from rulings.graph.errors import QueryError
from rulings.graph.query_tokens import Token
from rulings.graph.vocabulary import ASSERTED, DERIVED

GRAPHS = (ASSERTED, DERIVED)


class Walk:
    """Goes through a query and gives each block of triples to ``block``, with the graphs that it may be about."""

    def __init__(self, query: list[Token], block: Callable[[list[Token], Sequence[str]], str]) -> None:
        self._query, self._block, self._at = query, block, 0

    def whole(self) -> tuple[str, str]:
        """The prologue, and the rest as rewritten."""
        start = 0
        while self._at < len(self._query) and self._query[self._at].word in {"PREFIX", "BASE"}:
            self._at += 3 if self._query[self._at].word == "PREFIX" else 2
        prologue = " ".join(token.text for token in self._query[start : self._at])
        return prologue, self._query_form(top=True)

    def _take(self) -> Token:
        if self._at == len(self._query):
            raise QueryError("the query ends within a group; close its braces")
        self._at += 1
        return self._query[self._at - 1]

    def _next(self) -> Token:
        return self._query[self._at] if self._at < len(self._query) else Token("sign", "")

    def _query_form(self, *, top: bool) -> str:
        """A query, or a sub-query within a group, without its prologue."""
        out: list[str] = []
        word = self._next().word
        if word == "DESCRIBE":
            raise QueryError("DESCRIBE can't be shared out over several servers; ask with CONSTRUCT")
        if word == "CONSTRUCT":
            out.append(self._take().text)
            if self._next().text != "{":
                raise QueryError("CONSTRUCT WHERE can't be shared out over several servers; write the template too")
            out.append(self._copied("{", "}"))
        while self._next().text != "{":
            token = self._take()
            if token.word == "FROM":
                raise QueryError("FROM can't be shared out over several servers; leave it out")
            out.append(self._parenthesis() if token.text == "(" else token.text)
        out.append(self._group(GRAPHS))
        while self._at < len(self._query) and (top or self._next().text != "}"):
            if self._next().word == "VALUES":
                out.append(self._values())
                continue
            token = self._take()
            out.append(self._parenthesis() if token.text == "(" else token.text)
        return " ".join(out)

    def _group(self, graphs: Sequence[str]) -> str:
        """A group in braces."""
        self._take()
        if self._next().word == "SELECT":
            inner = self._query_form(top=False)
            self._take()
            return "{ " + inner + " }"
        out: list[str] = []
        block: list[Token] = []
        while True:
            token = self._next()
            part = "" if token.text == "}" else self._part(graphs)
            if token.text != "}" and not part:
                block.append(self._take())
                continue
            if any(each.text != "." for each in block):
                out.append(self._block(block, graphs))
            block = []
            if token.text == "}":
                self._take()
                return "{ " + " ".join(out) + " }"
            out.append(part)

    def _part(self, graphs: Sequence[str]) -> str:
        """What comes next in a group, if that isn't triples; nothing is taken then."""
        token = self._next()
        match token.word or token.text:
            case "{":
                return self._group(graphs)
            case "FILTER" | "BIND":
                return self._constraint(graphs)
            case "VALUES":
                return self._values()
            case "GRAPH":
                self._take()
                return self._group(self._named(graphs))
            case "OPTIONAL" | "UNION" | "MINUS":
                return self._take().text
            case "SERVICE":
                raise QueryError("a query over several servers can't have a SERVICE of its own; ask one server")
        return ""

    def _named(self, graphs: Sequence[str]) -> Sequence[str]:
        term = self._take()
        if term.kind != "iri":
            raise QueryError(f"GRAPH {term.text} can't be shared out over several servers; write the graph's IRI in <>")
        return [graph for graph in graphs if f"<{graph}>" == term.text]

    def _constraint(self, graphs: Sequence[str]) -> str:
        """FILTER or BIND with its expression."""
        out = [self._take().text]
        while self._next().text not in {"(", "{"}:
            out.append(self._take().text)
        if self._next().text == "{":  # EXISTS
            return " ".join([*out, self._group(graphs)])
        self._take()
        return " ".join([*out, self._parenthesis(graphs)])

    def _parenthesis(self, graphs: Sequence[str] = GRAPHS) -> str:
        """What follows a ``(`` up to its end, with the groups of EXISTS in it rewritten."""
        out = ["("]
        while self._next().text != ")":
            if self._next().text == "{":
                out.append(self._group(graphs))
                continue
            token = self._take()
            out.append(self._parenthesis(graphs) if token.text == "(" else token.text)
        self._take()
        return " ".join([*out, ")"])

    def _values(self) -> str:
        out = []
        while self._next().text != "{":
            out.append(self._take().text)
        return " ".join([*out, self._copied("{", "}")])

    def _copied(self, opening: str, closing: str) -> str:
        """What stands between two signs, as it is."""
        out, depth = [], 0
        while True:
            token = self._take()
            out.append(token.text)
            depth += (token.text == opening) - (token.text == closing)
            if depth == 0:
                return " ".join(out)
