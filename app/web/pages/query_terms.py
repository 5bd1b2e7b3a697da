"""The prefixes and terms that the editor of queries completes."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from rulings.graph.query_terms import terms
from rulings.graph.vocabulary import PREFIXES

_OTHERS = (
    *("rdf:type", "rdfs:label", "skos:prefLabel", "skos:altLabel", "skos:broader", "skos:related", "skos:definition"),
    *("dcterms:issued", "dcterms:source", "xsd:date", "xsd:integer"),
)


async def query_terms(_: Request) -> Response:
    """All prefixes and terms with what they stand for."""
    names = [*(f"rul:{term}" for term in sorted(terms())), *_OTHERS]
    content = {"prefixes": PREFIXES, "terms": names}
    return JSONResponse(content, headers={"Cache-Control": "max-age=3600"})
