"""Choosing a media type by an Accept header (RFC 9110, 12.5.1)."""

from collections.abc import Iterable


def choose(accept: str | None, offers: Iterable[str]) -> str | None:
    """The offer that the client likes best; None where it takes none.

    Of equal weights the one that is named more exactly wins, then the one that is offered first. No header, or one
    with nothing readable in it, takes everything.
    """
    ranges = [found for part in (accept or "").split(",") if (found := _range(part))]
    if not ranges:
        return next(iter(offers), None)
    best, chosen = (0.0, 0), None
    for offer in offers:
        # The most exact range that fits an offer gives its weight, whatever wider ones say.
        fits = [(exact, weight) for name, exact, weight in ranges if _fits(name, offer)]
        exact, weight = max(fits, default=(0, 0.0))
        if weight > 0 and (weight, exact) > best:
            best, chosen = (weight, exact), offer
    return chosen


def _range(written: str) -> tuple[str, int, float] | None:
    """A media range as its name, how exact it is (1 to 3) and its weight."""
    name, *parameters = (part.strip().lower() for part in written.split(";"))
    if name.count("/") != 1:
        return None
    weight = 1.0
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            try:
                weight = min(max(float(value), 0.0), 1.0)
            except ValueError:
                return None
    return name, 1 if name == "*/*" else 2 if name.endswith("/*") else 3, weight


def _fits(name: str, offer: str) -> bool:
    return name in {"*/*", offer} or (name.endswith("/*") and offer.startswith(name[:-1]))
