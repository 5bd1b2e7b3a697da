"""What a query may not do: write, or call another server."""

import re

from rulings.graph.errors import QueryError

_FORBIDDEN = re.compile(r"\b(SERVICE|LOAD|INSERT|DELETE|CLEAR|CREATE|DROP|COPY|MOVE|ADD)\b", re.IGNORECASE)
_NAMES = re.compile(r"[?$]\w+|\w*:\w*")


def refuse(query: str, bare: str, *, service: bool = False) -> None:
    """Look for what is not allowed.

    Args:
        query: The query as given.
        bare: The same, as `rulings.graph.query_terms.masked` gives it.
        service: Whether it may call other servers by SERVICE.

    Raises:
        QueryError: it would write or call out, or it speaks of SERVICE and can't be read well enough to tell.
    """
    found = {word.upper() for word in _FORBIDDEN.findall(_NAMES.sub(" ", bare))}
    for word in sorted(found - {"SERVICE"}):
        raise QueryError(f"{word} is refused: the graph is read only; ask with SELECT, ASK, CONSTRUCT or DESCRIBE")
    if not service and "service" in query.lower() and _calls_out(query):
        raise QueryError("SERVICE is refused: a query reads this graph only and calls no other server")


def _calls_out(query: str) -> bool:
    r"""Whether a query has a SERVICE, or might have.

    The engine opens the connection itself, so a mask of texts and comments isn't enough: whether ``<2)#>`` is an IRI or
    a comparison and a comment hangs on the grammar. rdflib has all of it; what it can't read is taken for the worst.
    It puts ``\u`` escapes in before it reads and the engine doesn't, so a query with both words is not trusted either.
    """
    if "\\u" in query.lower():
        return True
    from rdflib.plugins.sparql.parser import parseQuery
    from rdflib.plugins.sparql.parserutils import CompValue

    try:
        left = [parseQuery(query)]
    except Exception:  # noqa: BLE001 - whatever stops the parser, the query wasn't read
        return True
    while left:
        part = left.pop()
        if isinstance(part, CompValue):
            if part.name == "ServiceGraphPattern":
                return True
            left.extend(part.values())
        elif not isinstance(part, str) and hasattr(part, "__iter__"):
            left.extend(part)
    return False
