"""Finding a node by what a person calls it: a card, concept, rule number, ruling, edition or IRI."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal
from urllib.parse import unquote

from rapidfuzz import process

from rulings.graph.archive import Analyses
from rulings.graph.errors import UnknownNameError
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, fold_name

Kind = Literal["card", "concept", "rule", "statement", "edition"]

_KEY = re.compile(r"[0-9a-f]{12}")
_NUMBER = re.compile(r"(?:rule\s+|cr\s*)?(\d{1,3}(?:\.\d+[a-z]?)?)\.?", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the graph. ``name`` is its oracle id, slug, number, key or day; ``edition`` goes with a rule."""

    kind: Kind
    name: str
    edition: date | None = None
    face: str | None = None

    def iri(self, iris: Iris) -> str:
        """The node's IRI."""
        if self.kind == "rule" and self.edition:
            return iris.rule(self.edition, self.name)
        if self.kind == "edition" and self.edition:
            return iris.edition(self.edition)
        return {"card": iris.card, "concept": iris.concept, "statement": iris.statement}[self.kind](self.name)


def find(name: str, archive: Archive, analyses: Analyses, iris: Iris) -> tuple[Node, ...]:
    """Find the nodes that a name may stand for, the likeliest first.

    Raises:
        UnknownNameError: there is none; the message names the nearest ones.
    """
    known = called(name, archive, analyses, iris)
    if not known:
        raise UnknownNameError(f"nothing is called {name!r}{_nearest(name.strip(), archive, analyses)}")
    return known


def called(name: str, archive: Archive, analyses: Analyses, iris: Iris) -> tuple[Node, ...]:
    """As `find`, but nothing where there is none: quick, as it looks for no nearest names."""
    wanted = name.strip()
    if wanted.startswith(iris.base):
        nodes = _by_iri(wanted[len(iris.base) :], archive)
    elif _KEY.fullmatch(wanted) and archive.statement(wanted):
        nodes = [Node("statement", wanted)]
    else:
        nodes = _by_number(wanted, archive) or _by_name(wanted, archive, analyses)
    return tuple(node for node in dict.fromkeys(nodes) if exists(node, archive, analyses))


def exists(node: Node, archive: Archive, analyses: Analyses) -> bool:
    """Whether the node is in the graph."""
    match node.kind:
        case "card":
            return archive.card(node.name) is not None
        case "concept":
            return analyses.concept(node.name) is not None
        case "rule":
            return archive.rule(node.name, node.edition) is not None
        case "statement":
            return archive.statement(node.name) is not None
        case "edition":
            return node.edition in archive.editions


def _by_iri(path: str, archive: Archive) -> list[Node]:  # noqa: PLR0911 - one line a kind of IRI
    kind, *parts = (unquote(part) for part in path.split("/"))
    match kind, parts:
        case "card", [oracle_id]:
            return [Node("card", oracle_id)]
        case "face", [oracle_id, n]:
            card = archive.card(oracle_id)
            faces = [f.name for f in card.faces][int(n) :] if card and n.isdecimal() else []
            return [Node("card", oracle_id, face=faces[0])] if faces else []
        case ("statement", [key]) | ("ruling", [_, _, key]):
            return [Node("statement", key)]
        case "concept", [slug]:
            return [Node("concept", slug)]
        case ("rule", [day, number]) if edition := _day(day):
            return [Node("rule", number, edition)]
        case ("edition", [day]) if edition := _day(day):
            return [Node("edition", day, edition)]
    return []


def _day(written: str) -> date | None:
    found = _DAY.fullmatch(written)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _by_number(wanted: str, archive: Archive) -> list[Node]:
    edition = _day(wanted)
    if edition:
        return [Node("edition", f"{edition:%Y%m%d}", edition)]
    found = _NUMBER.fullmatch(wanted)
    editions = archive.editions
    return [Node("rule", found[1].lower(), editions[-1])] if found and editions else []


def _by_name(wanted: str, archive: Archive, analyses: Analyses) -> list[Node]:
    folded = fold_name(wanted)
    names = archive.names(folded)
    best = [n for n in names if n.language == "en" and n.face is None] or list(names)
    cards = [Node("card", n.oracle_id, face=n.face) for n in best]
    concepts = [Node("concept", slug) for slug in (wanted, *analyses.concepts(wanted))]
    return cards + concepts


def _nearest(wanted: str, archive: Archive, analyses: Analyses) -> str:
    """Up to three names near the one asked for, as the end of a message."""
    names = dict(analyses.labels())
    for folded, name in archive.all_names():
        if name.language == "en" or folded not in names:
            names[folded] = name.name
    near = process.extract(fold_name(wanted), list(names), limit=3, score_cutoff=70)
    if not near:
        return "; ask for a card, a concept, a rule number, a ruling's key or an IRI"
    return "; did you mean " + " or ".join(repr(names[folded]) for folded, *_ in near) + "?"
