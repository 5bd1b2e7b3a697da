"""The graph of one generation, as people use it: SPARQL, an rdflib Dataset, NetworkX, communities and centrality."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rulings.graph import connections, networks, query_library
from rulings.graph.archive import Analyses
from rulings.graph.confidences import Confidences
from rulings.graph.errors import BoundError, UnknownNameError
from rulings.graph.lookup import find
from rulings.graph.neighbourhoods import neighbourhood
from rulings.graph.node_table import KINDS, NodeTable
from rulings.graph.relations import relations as known_relations
from rulings.graph.sparql import Result, run
from rulings.graph.store import as_dataset, open_store
from rulings.graph.store_edges import ASIDE, StoreEdges
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive

if TYPE_CHECKING:
    import networkx as nx
    import pyoxigraph as ox
    import rdflib

    from rulings.graph.centrality import Measure
    from rulings.graph.network_source import NetworkSource
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
    def archive(self) -> Archive:
        """The records beside the store."""
        return Archive(self.folder.parent / "records.sqlite")

    @cached_property
    def analyses(self) -> Analyses:
        """The links beside the store."""
        return Analyses(self.folder.parent / "links.sqlite")

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
            UnknownNameError: no query, or no card or concept, is called so.
            QueryError: a value goes with no parameter, or is none of its sort.
        """
        return run(self.store, self.named_text(name, values))

    def named_text(self, name: str, values: Mapping[str, str | int]) -> str:
        """A query of the library with values put in, names of cards and concepts spelled as in the graph.

        Raises:
            UnknownNameError, QueryError: as `named`.
        """
        return query_library.named(name).filled(values, self._spelled)

    def _spelled(self, sort: query_library.Sort, value: str) -> str:
        """How the graph spells the name of a card, or the label of a concept, in any language or spelling."""
        for node in find(value.removesuffix(" (concept)"), self.archive, self.analyses, self._iris):
            if node.kind == sort == "card" and (card := self.archive.card(node.name)):
                return card.name
            if node.kind == sort == "concept" and (concept := self.analyses.concept(node.name)):
                return concept.label
        raise UnknownNameError(f"no {sort} is called {value!r}; `rulings show` finds what is called so")

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
            limit: How many edges of one relation and direction are followed at ``start``, the surest first; a quarter
                of that farther out. None: all. Unless one starts there, a node is not entered by a relation by which
                more than 500 others point to it. The whole graph has no limit.

        Returns:
            Nodes have readable keys ("Clone", "Copy (concept)", "rule 707.2", a statement's key) and the attributes
            kind, label, iri, and text and date where there are such. Edges have the relation as key and the attributes
            relation, derived, and for derived ones confidence.

            A neighbourhood says in the graph's attribute ``left_out`` how many neighbours of each node that was
            entered are not there, by relation ("of ..." for edges that come in), and in ``hubs`` by which relations a
            node was not entered.

        Raises:
            UnknownNameError: nothing is called so.
            QueryError: an unknown kind or relation.
            BoundError: fewer than no hops, or a limit below 1.
            StoreError, ArchiveError: the records or links beside the store are missing.
        """
        whole = all(n is None or (isinstance(n, int) and not isinstance(n, bool)) for n in (hops, limit))
        if not whole or hops < 0 or (limit is not None and limit < 1):
            raise BoundError(
                f"hops={hops!r}, limit={limit!r}: hops are 0 or more, the limit is 1 or more, or None for all"
            )
        if start is None:
            return networks.whole(self._source.rows(), kinds=kinds, wanted=relations)
        if kinds is not None:
            kinds = frozenset(networks.chosen(kinds, KINDS, "kind"))
        names = None if relations is None else networks.chosen(relations, known_relations(), "relation")
        edges = self._edges(names)
        return neighbourhood(self._table(), edges, self._sure, start, hops=hops, kinds=kinds, limit=limit)

    @cached_property
    def _source(self) -> "NetworkSource":
        from rulings.graph.network_source import NetworkSource

        return NetworkSource(self.archive, self.analyses, self._iris)

    def _table(self) -> NodeTable:
        def folded(name: str) -> list[str]:
            return [node.iri(self._iris) for node in find(name, self.archive, self.analyses, self._iris)]

        return NodeTable(self.store, folded)

    def _edges(self, names: Iterable[str] | None = None) -> StoreEdges:
        return StoreEdges(self.store, [n for n in known_relations() if n not in ASIDE] if names is None else names)

    @property
    def _sure(self) -> Confidences:
        return Confidences(self.archive, self.analyses, self._iris)

    def networkx_from(self, query: str) -> "nx.MultiDiGraph":
        """Turn the triples of a CONSTRUCT or DESCRIBE into a NetworkX graph; texts and numbers become attributes.

        Raises:
            QueryError: the query can't be run, or gives rows.
        """
        return networks.from_construct(self.store, self._table(), query)

    def cards_by_shared_concepts(self, *, least: int = 2, most: int = 500) -> "nx.Graph":
        """Join cards by the concepts they share; see `rulings.graph.projections`.

        ``weight`` is the number of concepts shared; the graph's attribute ``left_out`` names the concepts of more than
        ``most`` cards, with their number.
        """
        from rulings.graph import projections

        return projections.cards_by_shared_concepts(self._source.rows(), least=least, most=most).graph()

    def concepts_by_shared_rulings(self, *, least: int = 1, most: int | None = None) -> "nx.Graph":
        """Join concepts by the statements about them; see `rulings.graph.projections`.

        ``weight`` is the number of statements shared.
        """
        from rulings.graph import projections

        return projections.concepts_by_shared_rulings(self._source.rows(), least=least, most=most).graph()

    def communities(
        self, of: "nx.Graph | Literal['concepts', 'cards']" = "concepts", *, resolution: float = 1.0, seed: int = 0
    ) -> tuple[frozenset[str], ...]:
        """Part a network into groups that are joined more within than without; see `rulings.graph.communities`.

        Args:
            of: "concepts" that meet in rulings, "cards" that share concepts, or an undirected graph of your own.
            resolution: Above 1 for more and smaller groups.
            seed: The same seed gives the same groups.

        Returns:
            The groups by their nodes' keys, the largest first.

        Raises:
            MissingExtraError: igraph isn't installed.
            QueryError: the graph is directed, or of an unknown name.
        """
        from rulings.graph.communities import communities

        return communities(self._source.undirected(of), resolution=resolution, seed=seed)

    def centrality(
        self, of: "nx.Graph | Literal['concepts', 'cards']" = "concepts", measure: "Measure" = "betweenness"
    ) -> dict[str, float]:
        """How central each node of a network is, the most central first; see `rulings.graph.centrality`.

        Args:
            of: As for `communities`.
            measure: "degree", "betweenness", "closeness" or "pagerank", each as in NetworkX.

        Raises:
            MissingExtraError: igraph isn't installed.
            QueryError: an unknown measure, or the graph is directed, or of an unknown name.
        """
        from rulings.graph.centrality import centrality

        return centrality(self._source.undirected(of), measure)

    def pagerank(
        self,
        *start: str,
        kinds: Collection[str] | None = None,
        relations: Collection[str] | None = None,
        damping: float = 0.85,
    ) -> dict[str, float]:
        """What is near to something over all ways at once: personalised PageRank over the whole graph.

        Edges are walked in both directions. The first call with some kinds and relations reads the graph, later ones
        take a moment.

        Args:
            start: What the walks begin at, as for `networkx`; nothing: anywhere.
            kinds: Node kinds to keep; None: all.
            relations: Relations to walk; None: all but those that lead to hubs or only back.
            damping: How likely a walk goes on at each step.

        Returns:
            The share of each node by its key, the largest first; together 1.

        Raises:
            UnknownNameError: nothing is called so, or it is of none of the kinds.
            QueryError: an unknown kind or relation.
        """
        from rulings.graph.centrality import pagerank

        some = networks.chosen(kinds, KINDS, "kind")
        walked = networks.chosen(relations, known_relations(), "relation")
        walked = [name for name in walked if relations is not None or name not in ASIDE]
        table = self._table()
        begin = [table.key(table.find(name)) for name in start]
        network = self._source.walked(tuple(some), tuple(walked))
        for key in begin:
            if key not in network.keys:
                raise UnknownNameError(f"{key!r} is of none of the kinds {', '.join(some)}; choose its kind too")
        return pagerank(network, begin or None, damping=damping)

    def path(self, first: str, second: str) -> connections.Connection:
        """Explain in words how two things hang together: the shortest way, through a hub only where no short one is.

        Raises:
            UnknownNameError: a name stands for nothing.
        """
        return connections.connection(self._table(), self._sure, first, second)

    def picture(self, name: str, *, hops: int = 1) -> "Picture":
        """Picture what stands around a card, concept, rule, ruling or edition; a notebook shows it as SVG.

        Raises:
            UnknownNameError: nothing is called so.
            StoreError: the links beside the graph are missing.
        """
        from rulings.graph.surroundings import surroundings

        node = find(name, self.archive, self.analyses, self._iris)[0]
        return surroundings(node, self.archive, self.analyses, self._iris, hops=hops)
