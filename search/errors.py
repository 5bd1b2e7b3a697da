"""Errors of search.

::

    RulingsError (ingest)
    └── SearchError
        ├── GenerationError (also OSError)    a generation that is gone, damaged or of another format
        │   ├── OtherFormatError              one of another format
        │   └── NoGenerationError (also LookupError)  nothing was built in this home yet
        ├── IndexFormatError (also OSError)   an index that is not there, of another version or without its vectors
        ├── EngineError (also OSError)        an engine of vectors that can't be reached, or lacks the vectors
        │   ├── EngineAddressError (also ValueError)  no engine is called so
        │   └── EngineKeyError (also ValueError)      a key that can't be sent
        ├── QuestionError (also ValueError)   a question, or a file of questions, that can't be read
        └── ModelError (also ValueError)      an encoder or ranker that can't be loaded

Each message names the place and the remedy.
"""

from rulings.ingest import RulingsError


class SearchError(RulingsError):
    """The root of the errors of search."""


class GenerationError(SearchError, OSError):
    """A generation is gone, damaged or of another format."""


class OtherFormatError(GenerationError):
    """A generation was written by an older or a newer version."""


class NoGenerationError(GenerationError, LookupError):
    """Nothing was built in this home yet."""


class IndexFormatError(SearchError, OSError):
    """The index is not there, was written by another version, or lacks its vectors."""


class EngineError(SearchError, OSError):
    """An engine of vectors can't be reached in time, or lacks the vectors of the generation."""


class EngineAddressError(EngineError, ValueError):
    """No engine is called so, or the address of a server is malformed."""


class EngineKeyError(EngineError, ValueError):
    """A server's key has signs that can't be sent."""


class QuestionError(SearchError, ValueError):
    """A question or a file of questions can't be read."""


class ModelError(SearchError, ValueError):
    """An encoder or a ranker can't be loaded."""
