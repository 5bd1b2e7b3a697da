"""The graph of one generation, as people use it: SPARQL, an rdflib Dataset, NetworkX."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulings.graph import queries
from rulings.graph.sparql import Result, run
from rulings.graph.store import as_dataset, open_store

if TYPE_CHECKING:
    import pyoxigraph as ox
    import rdflib


class KnowledgeGraph:
    """A read-only graph. ``store`` is the pyoxigraph store below it, ``dataset`` an rdflib Dataset over that."""

    def __init__(self, folder: Path) -> None:
        """Keep the folder; the store is opened when first used.

        A missing or damaged store raises `StoreError` then.
        """
        self.folder = folder

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

    def named(self, name: str, **values: str | int) -> Result:
        """Run a query of the library (`rulings.graph.queries.library`) with values for its parameters.

        Raises:
            UnknownNameError: no query is called so.
            QueryError: a value goes with no parameter.
        """
        return run(self.store, queries.named(name).filled(values))
