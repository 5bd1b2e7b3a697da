"""A saved page as plain lines, from text or HTML: scripts dropped, blocks on lines of their own, mana symbols kept."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from rulings.ingest.decoding import lines

_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|div|p|li|table|span|article|section|h[1-6])\b[^>]*>", re.IGNORECASE
)
_DROPPED = frozenset({"script", "style", "template", "svg", "noscript", "title"})
_BREAKING = frozenset(
    {"p", "div", "li", "tr", "td", "th", "br", "hr", "dt", "dd", "blockquote", "figure", "aside", "form",
     "button", "pre", "option", "label"}
)  # fmt: skip
_PARTING = frozenset(
    {"ul", "ol", "dl", "table", "section", "article", "header", "footer", "nav", "main", "h1", "h2", "h3", "h4",
     "h5", "h6", "body"}
)  # fmt: skip
_ENDLESS = frozenset({"br", "hr", "img"})
_SPACES = re.compile(r"[^\S\n]+")
_BRACED = re.compile(r"\{[^{}\s]{1,5}\}")
_ICON_CLASS = re.compile(r"\b(?:ms|mana|symbol|card-symbol|s)-([a-z0-9]{1,5})\b")
_SYMBOLS = {
    "tap": "T", "untap": "Q", "white": "W", "blue": "U", "black": "B", "red": "R", "green": "G", "colorless": "C",
    "variable colorless": "X", "snow": "S", "energy": "E", **{c: c.upper() for c in "wubrgcxyzstqe"},
}  # fmt: skip


@dataclass(slots=True)
class PageText:
    """The lines of a page, blank ones between blocks; ``titles`` (main heading first) and ``language`` as marked up."""

    lines: list[str]
    titles: tuple[str, ...] = ()
    language: str = ""


def page_text(text: str) -> PageText:
    """Turn a page into lines. Never raises: broken markup gives what can be made out."""
    if not is_html(text):
        return PageText([_clean(line) for line in lines(text)])
    parser = _Page()
    parser.feed(text)
    parser.close()
    written = [_clean(line) for line in "".join(parser.parts).split("\n")]
    titles = (_clean(" ".join(parser.headline)), _clean(" ".join(parser.title)))
    return PageText(written, tuple(t for t in titles if t), parser.language)


def is_html(text: str) -> bool:
    """Whether a text is marked up: at least two tags of a page among its first 20,000 signs."""
    return len(_HTML.findall(text[:20_000])) >= 2


def _clean(line: str) -> str:
    return _SPACES.sub(" ", line.replace("\u200b", "").replace("\ufeff", "")).strip()


class _Page(HTMLParser):
    """Collects the text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.title: list[str] = []
        self.headline: list[str] = []
        self.language = ""
        self._dropped: list[str] = []
        self._in_headline = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = values.get("lang", "")[:2].casefold()
        if tag in _DROPPED:
            self._dropped.append(tag)
            return
        self._in_headline = self._in_headline or tag == "h1"
        # A body within something dropped means that its end tag is missing.
        if tag == "body":
            self._dropped.clear()
        if tag in _BREAKING or tag in _PARTING:
            self.parts.append("\n")
        symbol = _symbol(tag, values)
        if symbol and not self._dropped:
            self.parts.append(symbol)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._dropped:
            while self._dropped.pop() != tag:
                pass
        elif tag in _PARTING:
            self.parts.append("\n\n")
            self._in_headline = self._in_headline and tag != "h1"
        elif tag in _BREAKING and tag not in _ENDLESS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if "title" in self._dropped:
            self.title.append(data)
        elif not self._dropped:
            # Line ends in the source are only spaces on the page.
            self.parts.append(re.sub(r"\s+", " ", data))
            if self._in_headline:
                self.headline.append(data)


def _symbol(tag: str, attrs: dict[str, str]) -> str:
    """The mana symbol that an image or an icon stands for, as ``{X}``; "" for anything else."""
    if tag not in {"img", "i", "span", "abbr"}:
        return ""
    label = (attrs.get("alt") or attrs.get("aria-label") or "").strip()
    if tag == "img" and _BRACED.fullmatch(label):
        return label
    look = f"{attrs.get('class', '')} {attrs.get('src', '')}".casefold()
    if tag == "img" and ("mana" in look or "symbol" in look):
        return _braced(label)
    icon = _ICON_CLASS.search(look) if tag in {"i", "span"} and re.search(r"\b(?:ms|mana|symbol)\b", look) else None
    return _braced(icon[1]) if icon else ""


def _braced(name: str) -> str:
    folded = name.casefold()
    if folded.isdigit():
        return f"{{{int(folded)}}}"
    return f"{{{_SYMBOLS[folded]}}}" if folded in _SYMBOLS else ""
