"""The graph as two tables, nodes and edges, in Parquet files."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulings.graph.errors import TABLES, MissingExtraError

if TYPE_CHECKING:
    import networkx as nx

NODE_COLUMNS = ("key", "kind", "label", "iri", "text", "date")
EDGE_COLUMNS = ("source", "relation", "target", "derived", "confidence")


def pyarrow() -> Any:  # noqa: ANN401
    """The library that writes Parquet, which only the extra ``tables`` brings.

    Raises:
        MissingExtraError: it isn't installed.
    """
    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise MissingExtraError(f"a Parquet file needs pyarrow; install it with: {TABLES}") from None


def write_tables(graph: "nx.MultiDiGraph", nodes: Path, edges: Path) -> None:
    """Write the nodes (sorted by key) and the edges (by source, relation, target).

    Columns are `NODE_COLUMNS` and `EDGE_COLUMNS`; ``key`` is what ``source`` and ``target`` name.

    Raises:
        MissingExtraError: pyarrow isn't installed.
    """
    arrow = pyarrow()
    all_nodes = sorted(graph.nodes(data=True))
    columns = {"key": [node for node, _ in all_nodes]}
    columns |= {name: [about.get(name) for _, about in all_nodes] for name in NODE_COLUMNS[1:]}
    strings = arrow.schema([(name, arrow.string()) for name in NODE_COLUMNS])
    arrow.parquet.write_table(arrow.table(columns, schema=strings), nodes, compression="zstd")
    all_edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: (edge[0], edge[2], edge[1]))
    columns = {
        "source": [start for start, *_ in all_edges],
        "relation": [name for _, _, name, _ in all_edges],
        "target": [end for _, end, *_ in all_edges],
        "derived": [about["derived"] for *_, about in all_edges],
        "confidence": [about.get("confidence") for *_, about in all_edges],
    }
    kinds = (*[arrow.string()] * 3, arrow.bool_(), arrow.float64())
    schema = arrow.schema(list(zip(EDGE_COLUMNS, kinds, strict=True)))
    arrow.parquet.write_table(arrow.table(columns, schema=schema), edges, compression="zstd")
