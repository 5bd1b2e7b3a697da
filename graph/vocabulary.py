"""The names of the graph: namespaces, named graphs, and the IRI of each kind of node (INTERFACES: names)."""

from dataclasses import dataclass
from datetime import date
from urllib.parse import quote

VOCAB = "https://w3id.org/rulings/vocab#"
DATA = "https://w3id.org/rulings/id/"
ASSERTED = "https://w3id.org/rulings/graph/asserted"
DERIVED = "https://w3id.org/rulings/graph/derived"

PREFIXES = {
    "rul": VOCAB,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "dcterms": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "card": DATA + "card/",
    "concept": DATA + "concept/",
    "rule": DATA + "rule/",
    "statement": DATA + "statement/",
    "edition": DATA + "edition/",
}
"""Prefixes declared for every query; the user's own declarations win."""


@dataclass(frozen=True, slots=True)
class Iris:
    """Makes the IRI of each kind of node below a base."""

    base: str = DATA

    def card(self, oracle_id: str) -> str:
        """A card."""
        return f"{self.base}card/{quote(oracle_id)}"

    def face(self, oracle_id: str, n: int) -> str:
        """The n-th face of a card, from 0."""
        return f"{self.base}face/{quote(oracle_id)}/{n}"

    def ruling(self, oracle_id: str, published: date, key: str) -> str:
        """A statement published on a card on a day."""
        return f"{self.base}ruling/{quote(oracle_id)}/{published.isoformat()}/{key}"

    def statement(self, key: str) -> str:
        """A distinct wording."""
        return f"{self.base}statement/{key}"

    def concept(self, slug: str) -> str:
        """A concept."""
        return f"{self.base}concept/{quote(slug)}"

    def rule(self, edition: date, number: str) -> str:
        """A rule of one edition."""
        return f"{self.base}rule/{edition:%Y%m%d}/{quote(number)}"

    def edition(self, edition: date) -> str:
        """An edition of the rules."""
        return f"{self.base}edition/{edition:%Y%m%d}"

    def link(self, digest: str) -> str:
        """The link node that holds the evidence of a derived edge."""
        return f"{self.base}link/{digest}"
