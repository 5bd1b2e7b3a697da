"""Errors of the graph.

::

    RulingsError (ingest)
    └── GraphError
        ├── QueryError (also ValueError)    a SPARQL query that can't be read or run
        │   └── UnknownTermError            a term that the vocabulary doesn't have
        ├── BoundError (also ValueError)    a number of hops or edges that there can't be
        ├── UnknownNameError (also LookupError)  nothing in the graph has this name
        ├── MissingExtraError (also ImportError)  a library that an extra brings is not installed
        ├── ShapeError (also ValueError)    a file of shapes that can't be read
        ├── RemoteError (also OSError)      a SPARQL server that can't be reached, refuses or answers nonsense
        │   ├── RemoteAddressError (also ValueError)  no address of a server
        │   └── RemoteCredentialsError (also ValueError)  a user, password or token that can't be sent
        └── StoreError (also OSError)       a store that can't be opened or written
"""

from rulings.ingest import RulingsError

TABLES = "pip install 'rulings-graph[tables]'"
"""What brings pandas and pyarrow."""
NETWORKS = "pip install 'rulings-graph[networks]'"
"""What brings igraph."""


class GraphError(RulingsError):
    """The root of the graph's errors."""


class QueryError(GraphError, ValueError):
    """A query could not be read or run."""


class BoundError(GraphError, ValueError):
    """A number of hops or of edges that there can't be."""


class UnknownTermError(QueryError):
    """A query has a term that the vocabulary doesn't have, so that nothing can match it."""


class MissingExtraError(GraphError, ImportError):
    """A library is needed that only an extra of the distribution brings."""


class ShapeError(GraphError, ValueError):
    """A file of SHACL shapes can't be read or holds what isn't known here."""


class UnknownNameError(GraphError, LookupError):
    """No node has this name, number or IRI."""


class StoreError(GraphError, OSError):
    """The store on disk could not be opened or written."""


class RemoteError(GraphError, OSError):
    """A SPARQL server can't be reached in time, refuses, or answers what can't be read."""


class RemoteAddressError(RemoteError, ValueError):
    """It is no address of a server, or holds a password."""


class RemoteCredentialsError(RemoteError, ValueError):
    """A user, password or token has signs that can't be sent."""
