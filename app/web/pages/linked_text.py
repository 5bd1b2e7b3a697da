"""Text with the rule numbers in it as links."""

import re
from collections.abc import Collection, Iterator
from datetime import date

from rulings.app.web.pages.rendering import LOCAL
from rulings.ingest import Archive

_NUMBER = re.compile(r"(?<![\w.{])[1-9]\d{2}(?:\.\d{1,3}[a-z]?)?(?![\w}]|\.\d)")


def linked(
    text: str, archive: Archive, edition: date | None, see: Collection[str] = ()
) -> Iterator[tuple[str, str | None]]:
    """Parts of a text, each with the address it leads to, if any.

    Numbers of rules of an edition (None: the newest) are linked: with a dot, among ``see``, or after "rule" or
    "section".
    """
    end = 0
    for found in _NUMBER.finditer(text):
        number = found[0]
        before = text[: found.start()].rstrip().lower()
        meant = "." in number or number in see or before.endswith(("rule", "rules", "section"))
        rule = archive.rule(number, edition) if meant else None
        if rule is not None:
            yield text[end : found.start()], None
            yield number, LOCAL.rule(rule.edition, number)
            end = found.end()
    yield text[end:], None
