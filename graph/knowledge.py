"""The graph of one generation, as people use it: SPARQL, an rdflib Dataset, NetworkX."""

from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulings.graph import connections, networks, query_library
from rulings.graph.sparql import Result, run
from rulings.graph.store import as_dataset, open_store
from rulings.graph.vocabulary import Iris

if TYPE_CHECKING:
    import networkx as nx
    import pyoxigraph as ox
    import rdflib

    from rulings.graph.picture import Picture


class KnowledgeGraph:
    """A read-only graph. ``store`` is the pyoxigraph store below it, ``dataset`` an rdflib Dataset over that."""

    def __init__(self, folder: Path, iris: Iris | None = None) -> None:
        """Keep the folder; the store is opened when first used.

        A missing or damaged store raises `StoreError` then. ``iris`` makes the data IRIs (None: with the usual base).
        """
        self.folder = folder
        self._iris = iris or Iris()

    @cached_property
    def store(self) -> "ox.Store":
        """The pyoxigraph store."""
        return open_store(self.folder)

    @cached_property
    def dataset(self) -> "rdflib.Dataset":
        """The graph as an rdflib Dataset; its default graph is the union of the named graphs."""
        return as_dataset(self.store)

    def sparql(self, query: str) -> Result:
        """Run a SPARQL query of any form; prefixes are declared.

        Raises:
            QueryError: the query can't be read or run.
        """
        return run(self.store, query)

    def named(self, name: str, /, **values: str | int) -> Result:
        """Run a query of the library (`rulings sparql --list` shows it) with values for its parameters.

        Raises:
            UnknownNameError: no query is called so.
            QueryError: a value goes with no parameter.
        """
        return run(self.store, query_library.named(name).filled(values))

    def networkx(
        self,
        start: str | Iterable[str] | None = None,
        *,
        hops: int = 2,
        kinds: Collection[str] | None = None,
        relations: Collection[str] | None = None,
        limit: int | None = 20,
    ) -> "nx.MultiDiGraph":
        """Give the graph, or what lies around something, for NetworkX.

        Args:
            start: A card, concept, rule number, statement key, node key or IRI, or several; None: the whole graph.
            hops: How far from ``start`` to go.
            kinds: Node kinds to keep (`rulings.graph.node_table.KINDS`); None: all.
            relations: Relations to follow (`rulings.graph.networks.relations`); None: all.
            limit: The most edges of one relation and direction that are followed at a node, the surest first. What was
                left out is in the graph's attribute ``left_out``: counts by node and relation ("of ..." for edges that
                come in). The whole graph has no limit.

        Returns:
            Nodes have readable keys ("Clone", "Copy (concept)", "rule 707.2", a statement's key) and the attributes
            kind, label, iri, and text and date where there are such. Edges have the relation as key and the attributes
            relation, derived, and for derived ones confidence.

        Raises:
            UnknownNameError: nothing is called so.
            QueryError: an unknown kind or relation.
        """
        if start is None:
            return networks.whole(self.store, kinds=kinds, wanted=relations)
        return networks.neighbourhood(self.store, start, hops=hops, kinds=kinds, wanted=relations, limit=limit)

    def networkx_from(self, query: str) -> "nx.MultiDiGraph":
        """Turn the triples of a CONSTRUCT or DESCRIBE into a NetworkX graph; texts and numbers become attributes.

        Raises:
            QueryError: the query can't be run, or gives rows.
        """
        return networks.from_construct(self.store, query)

    def cards_by_shared_concepts(self, *, least: int = 2, most: int = 500) -> "nx.Graph":
        """Join cards by the concepts they share; see `rulings.graph.projections`."""
        from rulings.graph import projections

        return projections.cards_by_shared_concepts(self.store, least=least, most=most)

    def concepts_by_shared_rulings(self, *, least: int = 1, most: int | None = None) -> "nx.Graph":
        """Join concepts by the statements about them; see `rulings.graph.projections`."""
        from rulings.graph import projections

        return projections.concepts_by_shared_rulings(self.store, least=least, most=most)

    def path(self, first: str, second: str) -> connections.Connection:
        """Explain in words how two things hang together: the shortest way that leads through no hub.

        Raises:
            UnknownNameError: a name stands for nothing.
        """
        return connections.connection(self.store, first, second)

    def picture(self, name: str, *, hops: int = 1) -> "Picture":
        """Picture what stands around a card, concept, rule, ruling or edition; a notebook shows it as SVG.

        Raises:
            UnknownNameError: nothing is called so.
            StoreError: the links beside the graph are missing.
        """
        from rulings.graph.archive import Analyses
        from rulings.graph.lookup import find
        from rulings.graph.surroundings import surroundings
        from rulings.ingest import Archive

        archive, analyses = (
            Archive(self.folder.parent / "records.sqlite"),
            Analyses(self.folder.parent / "links.sqlite"),
        )
        node = find(name, archive, analyses, self._iris)[0]
        return surroundings(node, archive, analyses, self._iris, hops=hops)
