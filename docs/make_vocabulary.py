"""Write docs/vocabulary.md from graph/vocabulary.ttl; ``--check`` only says whether it is up to date."""  # noqa: INP001

import sys
from pathlib import Path

from rdflib import OWL, RDF, RDFS, Graph
from rdflib.collection import Collection
from rdflib.term import Node, URIRef

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "graph" / "vocabulary.ttl"
TARGET = ROOT / "docs" / "vocabulary.md"
HEAD = """# The vocabulary

Made from `graph/vocabulary.ttl` by `docs/make_vocabulary.py`. Prefix `rul:` is <https://w3id.org/rulings/vocab#>.
Also used: SKOS (`skos:prefLabel`, `altLabel`, `broader`, `related`, `definition`, `inScheme`), DCTERMS (`issued`,
`source`), RDF reification (`rdf:subject`, `predicate`, `object` of a `rul:Link`).
"""


def page(graph: Graph) -> str:
    """Return the page: a table each of the classes, relations and attributes, in the order of their names."""
    parts = [HEAD, "## Classes\n", "| class | what |", "|---|---|"]
    parts += [f"| `{_name(node)}` | {_comment(graph, node)} |" for node in _of(graph, OWL.Class)]
    for title, kind in (("Relations", OWL.ObjectProperty), ("Attributes", OWL.DatatypeProperty)):
        parts += [f"\n## {title}\n", "| name | from | to | meaning |", "|---|---|---|---|"]
        for node in _of(graph, kind):
            ends = (_names(graph, graph.value(node, end)) for end in (RDFS.domain, RDFS.range))
            parts.append(f"| `{_name(node)}` | {' | '.join(ends)} | {_comment(graph, node)} |")
    return "\n".join(parts) + "\n"


def _of(graph: Graph, kind: URIRef) -> list[URIRef]:
    return sorted(node for node in graph.subjects(RDF.type, kind) if isinstance(node, URIRef))


def _name(node: Node) -> str:
    return str(node).rpartition("#")[2]


def _names(graph: Graph, node: Node | None) -> str:
    union = graph.value(node, OWL.unionOf) if node is not None else None
    nodes = list(Collection(graph, union)) if union is not None else [node]
    return ", ".join(_name(one) for one in nodes if one is not None)


def _comment(graph: Graph, node: Node) -> str:
    return str(graph.value(node, RDFS.comment) or "")


def main() -> int:
    """Write the page, or compare it with the one there; status 1 where it is out of date."""
    text = page(Graph().parse(SOURCE))
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
