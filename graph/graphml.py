"""A NetworkX graph of ours as GraphML, written line by line: NetworkX's writer holds it all in memory."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    import networkx as nx

_NODE = {"kind": "string", "label": "string", "iri": "string", "text": "string", "date": "string"}
_EDGE = {"relation": "string", "derived": "boolean", "confidence": "double"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml_lines(graph: "nx.MultiDiGraph") -> Iterator[str]:
    """Yield the document, nodes and edges sorted, so that one graph always gives the same bytes."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for of, names in (("node", _NODE), ("edge", _EDGE)):
        for name, kind in names.items():
            yield f'<key id="{of}_{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for node, about in sorted(graph.nodes(data=True)):
        yield f"<node id={_attribute(node)}>{_data('node', about)}</node>\n"
    for n, (start, end, _, about) in enumerate(sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[:3])):
        ends = f"source={_attribute(start)} target={_attribute(end)}"
        yield f'<edge id="e{n}" {ends}>{_data("edge", about)}</edge>\n'
    yield "</graph>\n</graphml>\n"


def _data(of: str, about: dict[str, object]) -> str:
    kinds = _NODE if of == "node" else _EDGE
    return "".join(f'<data key="{of}_{name}">{_text(about[name])}</data>' for name in kinds if name in about)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    # A bare carriage return would be read back as a line end.
    return escape(_NOT_XML.sub("\ufffd", str(value)), {"\r": "&#13;"})


def _attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", value), {"\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})
