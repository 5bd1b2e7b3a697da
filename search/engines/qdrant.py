"""Vectors in Qdrant, one collection a generation, found through its HNSW index; a cluster shares the collection out.

https://qdrant.tech/documentation/. A key is taken from the environment variable ``QDRANT_API_KEY``.
"""

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np

from rulings.search.engines.address import Address
from rulings.search.engines.engine import Floats, Kept, Rows
from rulings.search.engines.extras import qdrant
from rulings.search.engines.in_time import InTime
from rulings.search.errors import EngineError, EngineKeyError

SECONDS = 10
"""For a request."""
BUILD_SECONDS = 60
"""For a request that writes."""
MOST = 1000
_PIECE = 1000
"""Vectors of a request."""
_STRANGE = "what answers there isn't Qdrant, or its answer was cut; correct the address, or look at the server's log"


def client_of(address: Address, seconds: int = SECONDS) -> Any:  # noqa: ANN401
    """A client of a server, with the key from the environment; it connects when first used."""
    return qdrant().QdrantClient(
        url=address.full.removeprefix("qdrant+"),
        api_key=_key(),
        timeout=seconds,
        transport=InTime(seconds),
        check_compatibility=False,  # else it prints warnings
    )


def _key() -> str | None:
    key = os.environ.get("QDRANT_API_KEY", "").strip()
    if key and not re.fullmatch(r"[!-~]+", key):  # not told: it is a secret, even if mistyped
        raise EngineKeyError(
            "QDRANT_API_KEY: holds blanks, control characters or signs beyond ASCII; set it to the key alone"
        )
    return key or None


def reach_qdrant(address: Address, client: Any = None) -> None:  # noqa: ANN401
    """Ask something small.

    Raises:
        EngineError: as `write_qdrant`.
    """
    with _told(address):
        (client or client_of(address)).get_collections()


def write_qdrant(address: Address, name: str, vectors: Floats, client: Any = None) -> None:  # noqa: ANN401
    """Write unit rows to a new collection; ``client`` is used where one is given.

    Raises:
        EngineError: the server can't be reached, doesn't let us or is too slow.
    """
    models = qdrant().models
    client = client or client_of(address, BUILD_SECONDS)
    rows = np.asarray(vectors, np.float32)
    with _told(address, name):
        client.create_collection(
            name, vectors_config=models.VectorParams(size=rows.shape[1], distance=models.Distance.DOT)
        )
        for start in range(0, len(rows), _PIECE):
            some = rows[start : start + _PIECE]
            batch = models.Batch(ids=list(range(start, start + len(some))), vectors=some.tolist())
            client.upsert(name, batch, wait=True)


def drop_qdrant(address: Address, name: str, client: Any = None) -> None:  # noqa: ANN401
    """Drop a collection; one that is gone already is fine.

    Raises:
        EngineError: as `write_qdrant`.
    """
    with _told(address, name):
        (client or client_of(address)).delete_collection(name)


class QdrantEngine:
    """The vectors of one collection; ``client`` is used where one is given."""

    def __init__(self, address: Address, kept: Kept, client: Any = None) -> None:  # noqa: ANN401
        self._address, self._kept, self._given = address, kept, client

    def nearest(self, questions: Floats, k: int) -> tuple[Rows, Floats]:
        """As `Engine.nearest`; ``k`` is `MOST` at most."""
        models = qdrant().models
        k = min(k, MOST, self._kept.rows)
        rows, cosines = np.full((len(questions), k), -1, np.intp), np.full((len(questions), k), -1, np.float32)
        if not k or not len(questions):
            return rows, cosines
        wanted = [
            models.QueryRequest(query=question.tolist(), limit=k, params=models.SearchParams(hnsw_ef=MOST))
            for question in np.asarray(questions, np.float32)
        ]
        with _told(self._address, self._kept.name):
            answers = self._client.query_batch_points(self._kept.name, wanted)
        for n, answer in enumerate(answers):
            found = sorted((-point.score, point.id) for point in answer.points)
            rows[n, : len(found)] = [row for _, row in found]
            cosines[n, : len(found)] = [-score for score, _ in found]
        return rows, cosines

    def of(self, rows: Rows) -> Floats:
        """As `Engine.of`."""
        wanted = np.asarray(rows)
        ids = [int(row) for row in np.unique(wanted)]
        with _told(self._address, self._kept.name):
            points = self._client.retrieve(self._kept.name, ids, with_payload=False, with_vectors=True)
        found = {point.id: point.vector for point in points}
        vectors = np.empty((len(wanted), self._kept.dimensions), np.float32)
        for n, row in enumerate(wanted.tolist()):
            if row not in found:
                place = f"{self._address.told}, collection {self._kept.name}"
                raise EngineError(f"{place}: statement {row} is gone; run `rulings build` again")
            vectors[n] = found[row]
        return vectors

    @cached_property
    def _client(self) -> Any:  # noqa: ANN401
        """The client, once the collection has the right shape."""
        client = self._given or client_of(self._address)
        about = client.get_collection(self._kept.name)
        there = (about.points_count or 0, about.config.params.vectors.size)
        if there != (self._kept.rows, self._kept.dimensions):
            raise EngineError(
                f"{self._address.told}, collection {self._kept.name}: {there[0]:,} vectors of {there[1]} dimensions, "
                f"where the generation has {self._kept.rows:,} of {self._kept.dimensions}; run `rulings build` again"
            )
        return client


@contextmanager
def _told(address: Address, name: str = "") -> Iterator[None]:
    """Turn the client's errors into ours, in one line that names the place and the remedy."""
    from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
    from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

    place = f"{address.told}, collection {name}" if name else address.told
    try:
        yield
    except ResponseHandlingException as error:
        if not isinstance(error.source, (OSError, RuntimeError)) and "httpx" not in type(error.source).__module__:
            raise EngineError(f"{place}: {_STRANGE}") from None
        reason = " ".join(str(error).split())
        raise EngineError(f"{place}: no answer ({reason}); start the server, or look at its load") from None
    except ResourceExhaustedResponse:
        raise EngineError(f"{place}: the server asks for less; ask again later") from None
    except UnexpectedResponse as error:
        raise EngineError(f"{place}: {_answered(error.status_code, error.reason_phrase)}") from None
    except ApiException as error:
        raise EngineError(f"{place}: {' '.join(str(error).split())}") from None
    except (AssertionError, AttributeError, KeyError, TypeError):  # the client takes an answer's form for granted
        raise EngineError(f"{place}: {_STRANGE}") from None
    except EngineError:
        raise
    except ValueError as error:  # the client's own, without a server
        gone, strange = "not found" in str(error), isinstance(error, (UnicodeDecodeError, json.JSONDecodeError))
        text = _answered(404, "") if gone else _STRANGE if strange else " ".join(str(error).split())
        raise EngineError(f"{place}: {text}") from None


def _answered(status: int | None, phrase: str) -> str:
    match status:
        case 404:
            return "the collection is gone; run `rulings build` again, or `rulings use` another generation"
        case 401 | 403:
            return f"the server refuses us ({status}); give its key by QDRANT_API_KEY"
        case 409:
            return "a collection of this name is there already; run `rulings build` again"
        case _:
            return f"the server answered {status} {phrase}; look at its log"
