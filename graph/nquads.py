"""Writing of N-Quads lines (https://www.w3.org/TR/n-quads/) quickly: terms as strings, a line a quad."""

import re
from collections.abc import Iterable
from datetime import date

from rulings.graph.vocabulary import PREFIXES, VOCAB

_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    | {c: f"\\u{ord(c):04X}" for c in map(chr, [*range(9), 11, 12, *range(14, 32), 127])}
)
_SURROGATES = re.compile("[\ud800-\udfff]")

RDF_TYPE = f"<{PREFIXES['rdf']}type>"
LABEL = f"<{PREFIXES['rdfs']}label>"
_INTEGER = f"<{PREFIXES['xsd']}integer>"
_DECIMAL = f"<{PREFIXES['xsd']}decimal>"
_DATE = f"<{PREFIXES['xsd']}date>"


def iri(value: str) -> str:
    """An IRI term. ``value`` must be free of blanks and angle brackets; `Iris` sees to that."""
    return f"<{value}>"


def rul(name: str) -> str:
    """A term of the project's vocabulary."""
    return f"<{VOCAB}{name}>"


def term(prefixed: str) -> str:
    """A term given as ``prefix:name`` with one of the declared prefixes."""
    prefix, name = prefixed.split(":", 1)
    return f"<{PREFIXES[prefix]}{name}>"


def text(value: str, language: str = "") -> str:
    """A string literal, with a language tag where one is given. Lone surrogates become U+FFFD."""
    if not value.isascii():
        value = _SURROGATES.sub("\ufffd", value)
    return f'"{value.translate(_ESCAPES)}"@{language}' if language else f'"{value.translate(_ESCAPES)}"'


def integer(value: int) -> str:
    """An xsd:integer literal."""
    return f'"{value}"^^{_INTEGER}'


def decimal(value: float) -> str:
    """An xsd:decimal literal of at most three digits after the point, in canonical form."""
    short = f"{value:.3f}".rstrip("0")
    return f'"{short}0"^^{_DECIMAL}' if short.endswith(".") else f'"{short}"^^{_DECIMAL}'


def day(value: date) -> str:
    """An xsd:date literal."""
    return f'"{value.isoformat()}"^^{_DATE}'


def quads(subject: str, graph: str, pairs: Iterable[tuple[str, str]]) -> str:
    """The lines of one subject in one graph: a predicate and an object a pair, all terms already written."""
    end = f" {graph} .\n"
    return "".join([f"{subject} {predicate} {obj}{end}" for predicate, obj in pairs])
