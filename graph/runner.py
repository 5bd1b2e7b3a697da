"""Running a function over batches: what a runner does, and the one that does it in this process."""

from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar

G = TypeVar("G")
T = TypeVar("T")
R = TypeVar("R")
B = TypeVar("B")


class Shared(Generic[T]):
    """What all batches need: sent to each worker once, which makes a tool of it once.

    Args:
        make: makes the tool; a function or class of a module, so that workers find it by its name.
        given: what the tool is made of.
    """

    def __init__(self, make: Callable[[G], T], given: G) -> None:
        self._make: Callable[[Any], T] = make
        self._given = given
        self._tools: list[T] = []
        self._lock = Lock()

    def tool(self) -> T:
        """The tool, made when first asked for."""
        with self._lock:
            if not self._tools:
                self._tools.append(self._make(self._given))
            return self._tools[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return Shared, (self._make, self._given)


class Runner(Protocol):
    """Maps functions over batches, in this process or over many.

    The functions are pure: a batch that is run twice, or elsewhere, gives the same.
    """

    def map(self, work: Callable[..., R], batches: Iterable[B], *shared: Shared[Any]) -> Iterator[R]:
        """Yield ``work(batch, *tools)`` for each batch, in their order, with the tools of what is shared.

        ``work`` is a function or method of a module. Batches are drawn as they are needed.

        Raises:
            RulingsError: the workers were lost too often, or can't be reached.
        """


class Here:
    """Runs everything in this process, a batch when its result is asked for."""

    def map(self, work: Callable[..., R], batches: Iterable[B], *shared: Shared[Any]) -> Iterator[R]:
        """Yield the results in order; see `Runner`."""
        for batch in batches:
            yield work(batch, *(one.tool() for one in shared))


def itself(given: T) -> T:
    """What is given is the tool."""
    return given
