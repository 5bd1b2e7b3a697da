"""Keeping numpy's linear algebra to one thread while a question is answered.

The products are small: several threads of BLAS wait for each other longer than they compute, and take the encoder's
cores.
"""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> Any:  # noqa: ANN401 - the library has no types
    return ThreadpoolController().select(user_api="blas")


def one_thread() -> AbstractContextManager[Any]:
    """Limit BLAS to one thread inside a ``with`` block."""
    limited: AbstractContextManager[Any] = _controller().limit(limits=1)
    return limited
