"""Terms that the newest rules no longer use, from the glossary and older editions, and what they are called now."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from rulings.graph.rule_editions import RuleHistory
from rulings.graph.term_changes import TERM_CHANGES
from rulings.ingest import Corpus, Edition, GlossaryEntry, fold

_MARK = re.compile(r"\(?obsolete\)?", re.IGNORECASE)
_NOW = re.compile(
    r"(?:obsolete term for|older name for|obsolete [\w ]*that has been renamed\. see rule [\d.]+,) "
    r"(?:an? |the )?\"?([\w\[\] -]+?)\"?[.,\"]"
)
_KIND = re.compile(r"\bobsolete keyword ability\b|renamed")
_OLD = re.compile(r"\bobsolete\b|\bolder (?:name|versions)\b|\bpreviously\b|renamed")


@dataclass(frozen=True, slots=True)
class ObsoleteTerm:
    """A term no longer in use. ``now`` is what it is called today, "" where nothing is; ``rule`` where that stands."""

    name: str
    pattern: re.Pattern[str]
    method: str
    confidence: float
    edition: date
    now: str = ""
    rule: str | None = None
    hint: str = ""
    """A piece of text without which the term can't stand in it."""

    def search(self, text: str) -> re.Match[str] | None:
        """Find the term in a text in lower case."""
        return self.pattern.search(text) if self.hint in text else None

    @property
    def reason(self) -> str:
        """Why a text that uses the term is outdated, in words."""
        now = f'; now "{self.now}"' if self.now else ""
        return f'"{self.name}" is no longer a term of the rules{now}'


def obsolete_terms(corpus: Corpus, history: RuleHistory) -> tuple[ObsoleteTerm, ...]:
    """Collect the terms, from the surest source of each: the glossary's notes, heads of older editions, the table.

    A term that the newest rules still use in their own text isn't one, whatever the source.
    """
    newest = corpus.newest
    if newest is None:
        return ()
    book = " ".join(fold(rule.text).lower() for rule in newest.rules.values())
    found: dict[str, ObsoleteTerm] = {}
    for term in (*_marked(newest), *_gone(corpus, history), *_renamed(newest)):
        if term.name not in found and not _in_use(term, book):
            found[term.name] = term
    return tuple(found.values())


def _in_use(term: ObsoleteTerm, book: str) -> bool:
    """Whether the rules themselves use a term, but for one notice that it is an old name."""
    return sum(1 for _ in term.pattern.finditer(book)) > (1 if term.method != "renamed term" else 0)


def _marked(edition: Edition) -> Iterator[ObsoleteTerm]:
    """Heads marked "(Obsolete)" of several words, or of one where the note says what kind of term it was."""
    for entry in edition.glossary.values():
        if not _MARK.search(entry.term):
            continue
        note = fold(entry.text).lower()
        for name in _MARK.sub("", fold(entry.term)).lower().split(","):
            if (" " in name.strip() and _OLD.search(note)) or _KIND.search(note):
                yield _term(name, "obsolete term", 0.95, edition.effective, _now(entry), next(iter(entry.rules), None))


def _gone(corpus: Corpus, history: RuleHistory) -> Iterator[ObsoleteTerm]:
    """Glossary heads, and titles of keywords and keyword actions, of older editions that the newest has no more."""
    newest = corpus.newest
    if newest is None:
        return
    now = {_plain(head) for entry in newest.glossary.values() for head in fold(entry.term).lower().split(",")}
    titles = dict(_titles(newest))
    now |= set(titles.values())
    for day in sorted(corpus.editions, reverse=True)[1:]:
        edition = corpus.editions[day]
        for number, title in _titles(edition):
            if title not in now:
                there = history.follow(number, day)
                yield _term(title, "vanished term", 0.85, newest.effective, titles.get(there or "", ""), there)
        for entry in edition.glossary.values():
            if _MARK.search(entry.term + entry.text[:12]):
                continue
            for head in fold(entry.term).lower().split(","):
                if _plain(head) not in now and " " in head.strip() and '"' not in head:
                    yield _term(head, "vanished term", 0.8, newest.effective)


def _renamed(edition: Edition) -> Iterator[ObsoleteTerm]:
    for change in TERM_CHANGES:
        if change.outdated and change.since <= edition.effective.year:
            now = change.new if "\\" not in change.new else re.sub(r"\\\d", "", change.new)
            yield ObsoleteTerm(
                change.name, change.pattern, "renamed term", 0.9, edition.effective, now.strip(), None, change.hint
            )


def _titles(edition: Edition) -> Iterable[tuple[str, str]]:
    return (
        (rule.number, fold(rule.text).lower())
        for rule in edition.rules.values()
        if re.fullmatch(r"70[12]\.\d+", rule.number) and len(rule.text) < 40 and not rule.text.endswith(".")
    )


def _plain(head: str) -> str:
    return _MARK.sub("", head).strip()


def _term(
    name: str, method: str, confidence: float, edition: date, now: str = "", rule: str | None = None
) -> ObsoleteTerm:
    name = re.sub(r" cards?$", "", _plain(name))
    return ObsoleteTerm(
        name, re.compile(rf"\b{re.escape(name)}(?:s|es)?\b"), method, confidence, edition, now, rule, name
    )


def _now(entry: GlossaryEntry) -> str:
    match = _NOW.search(fold(entry.text).lower())
    return re.sub(r"\[.*", "", match[1]).strip() if match else ""
