"""The current Comprehensive Rules text, found from the page that links to it."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from rulings.app.errors import FetchError
from rulings.ingest import Report, read_sources
from rulings.ingest.errors import IngestError
from rulings.ingest.records import Rule

PAGE = "https://magic.wizards.com/en/rules"
FEWEST = 1000
"""Rules that every edition since 2003 has."""
_DATE = re.compile(r"(20\d\d)[-_. ]?(\d\d)[-_. ]?(\d\d)(?!\d)")
REMEDY = "download the text of the Comprehensive Rules yourself and name it with --rules FILE"


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the links to text files."""
        target = dict(attrs).get("href") or ""
        if tag == "a" and unquote(target).split("?")[0].lower().endswith(".txt"):
            self.found.append(target)


def rules_links(page: str, base: str) -> list[str]:
    """The links of a page to rules texts, the newest date in their names first, then what the first may have meant.

    A link's date has been mistyped before, so the other dates on the page are tried in its place.
    """
    reader = _Links()
    reader.feed(page)
    links = [link for link in dict.fromkeys(reader.found) if "rules" in unquote(link).lower() or "comp" in link.lower()]
    dated = sorted(links, key=lambda link: (_day(link), links.index(link)), reverse=True)
    return list(dict.fromkeys(urljoin(base, quote(unquote(each), safe="/:?=&%+,")) for each in _variants(dated, page)))


def _day(link: str) -> str:
    found = _DATE.search(unquote(link).rsplit("/", 1)[-1])
    return "".join(found.groups()) if found else ""


def _variants(links: list[str], page: str) -> Iterator[str]:
    yield from links
    days = {"".join(found) for found in _DATE.findall(page)}
    for link in links[:2]:
        folder, _, name = unquote(link).rpartition("/")
        digits = re.search(r"\d{6,9}", name)
        if digits:
            for day in sorted(days - {digits[0]}, reverse=True)[:4]:
                yield f"{folder}/{name.replace(digits[0], day)}"


def check_rules(path: Path) -> None:
    """See that a file is a whole rules text.

    Raises:
        FetchError: it is not; the message says what to do.
    """
    count = 0
    try:
        for record, _ in read_sources([path], Report()):
            count += isinstance(record, Rule)
    except IngestError as error:
        raise FetchError(f"the rules text can't be read ({error}); {REMEDY}") from error
    if count < FEWEST:
        raise FetchError(f"the rules text has only {count} rules; {REMEDY}")
