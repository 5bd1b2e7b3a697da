"""How many threads a question is answered with: numpy's linear algebra has one, the encoder leaves a core free.

The products are small: several threads of BLAS wait for each other longer than they compute, and take the encoder's
cores.
"""

import os
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

_MOST = 4
"""A question is short: more threads than this wait for each other."""


def question_threads() -> int:
    """How many threads encode a question: all cores but one, which reads it meanwhile."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST, cores - 1))


@cache
def _controller() -> Any:  # noqa: ANN401 - the library has no types
    return ThreadpoolController().select(user_api="blas")


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a ``with`` block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1)
    return limited
