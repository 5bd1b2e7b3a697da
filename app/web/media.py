"""Media types of what a query finds, each with its format in `rulings.graph.sparql`, the preferred ones first."""

from rulings.app.errors import HttpError

ROWS = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
GRAPHS = {
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/ld+json": "jsonld",
    "application/rdf+xml": "xml",
    "application/json": "jsonld",
    "application/x-turtle": "ttl",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/plain": "nt",
}


def content_type(media: str) -> str:
    """The header for a media type: texts say that they are UTF-8."""
    return f"{media}; charset=utf-8" if media.startswith("text/") else media


def unacceptable(kind: str) -> HttpError:
    """The client's Accept header takes no format of this kind of answer ("rows", "boolean" or "graph")."""
    if kind == "graph":
        return HttpError(406, f"a CONSTRUCT or DESCRIBE comes as one of {', '.join(GRAPHS)}; name one in Accept")
    return HttpError(406, f"a SELECT or ASK comes as one of {', '.join(ROWS)}; name one in Accept")
