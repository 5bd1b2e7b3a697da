"""The life of a card, a concept or a rule over the generations and the editions that are loaded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from rulings.graph.archive import Analyses
from rulings.graph.changes import RuleChange
from rulings.graph.compare import compare
from rulings.graph.concept_sources import read_edition
from rulings.graph.concept_terms import Found, folded, slug
from rulings.graph.errors import UnknownNameError
from rulings.graph.lookup import Node
from rulings.graph.rule_alignment import masked
from rulings.graph.rule_lines import RuleLines
from rulings.ingest import Archive, Corpus


@dataclass(frozen=True, slots=True)
class Loaded:
    """A generation: its name, the day it was built on, its records and links."""

    name: str
    day: date
    archive: Archive
    analyses: Analyses


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened.

    ``place`` says where it is known from: "ruling" (``day`` is that of publication), "rules" (an edition's day) or the
    name of a generation (the day it was built on). ``kind`` is one of "published", "known" (in the first edition
    loaded), "came", "went", "reworded", "republished", "renamed", "new text", "moved", "changed", "moved and changed",
    "merged in", "other rule" (the number was another's), "outdated" and "counted"; ``what`` names a card or a number,
    ``old`` and ``new`` are texts, ``reason`` says why.
    """

    day: date
    place: str
    kind: str
    what: str = ""
    old: str = ""
    new: str = ""
    reason: str = ""


def history(node: Node, loaded: Sequence[Loaded]) -> tuple[Event, ...]:
    """Tell the life of a card, concept or rule, by day; ``loaded`` are generations, the oldest first.

    Raises:
        UnknownNameError: it is a node of another kind.
    """
    match node.kind:
        case "card":
            events = list(_card(node.name, loaded))
        case "concept":
            events = [*_concept_in_rules(node.name, loaded), *_concept_in_generations(node.name, loaded)]
        case "rule":
            events = list(_rule(node, loaded))
        case _:
            raise UnknownNameError(f"a {node.kind} has no history; ask for a card, a concept or a rule")
    return tuple(sorted(events, key=lambda event: event.day))


def _card(oracle_id: str, loaded: Sequence[Loaded]) -> Iterator[Event]:
    corpora = [_of_card(each.archive, oracle_id) for each in loaded]
    for ruling in corpora[0].rulings:
        yield Event(ruling.published, "ruling", "published", new=corpora[0].statements[ruling.key].text)
    for (old, new), now in zip(pairwise(corpora), loaded[1:], strict=True):
        changes = compare(old, new)
        for card in changes.cards:
            names = f"{card.old_name} is now {card.new_name}" if card.kind == "renamed" else ""
            texts = ("", "") if card.old_text == card.new_text else (card.old_text, card.new_text)
            yield Event(now.day, now.name, card.kind, names or card.new_name or card.old_name, *texts)
        for change in changes.rulings:
            day = change.published.isoformat()
            yield Event(now.day, now.name, change.kind, day, change.old, change.new)
    seen: set[tuple[str, str]] = set()
    for each, corpus in zip(loaded, corpora, strict=True):
        for key, statement in corpus.statements.items():
            for found in each.analyses.analysis(key).outdated:
                if (key, found.reason) not in seen:
                    seen.add((key, found.reason))
                    place = "rules" if found.edition else each.name
                    yield Event(found.edition or each.day, place, "outdated", old=statement.text, reason=found.reason)


def _of_card(archive: Archive, oracle_id: str) -> Corpus:
    """The part of a corpus that is about one card, without rules."""
    card = archive.card(oracle_id)
    found = {key: archive.statement(key) for _, key in archive.rulings(oracle_id)}
    statements = {key: statement for key, statement in found.items() if statement}
    rulings = tuple(r for s in statements.values() for r in s.rulings if r.oracle_id == oracle_id)
    return Corpus({oracle_id: card} if card else {}, {}, rulings, statements, {})


def _rule(node: Node, loaded: Sequence[Loaded]) -> Iterator[Event]:
    lines = RuleLines([(each.archive, each.analyses) for each in loaded])
    days = lines.days
    start = node.edition if node.edition in days else days[-1]
    here = {start: node.name}
    for before, day in reversed(list(pairwise(days[: days.index(start) + 1]))):
        former = lines.before(before, day, here[day])
        if not former:
            yield Event(day, "rules", "came", here[day], new=lines.text(day, here[day]))
            break
        here[before] = former[0]
        yield from _step(lines, before, day, here)
        for other in former[1:]:
            yield Event(day, "rules", "merged in", other, old=lines.text(before, other))
    else:
        yield Event(days[0], "rules", "known", here[days[0]], new=lines.text(days[0], here[days[0]]))
    for day, after in pairwise(days[days.index(start) :]):
        later = lines.after(day, after, here[day])
        if later is None:
            yield Event(after, "rules", "went", here[day], old=lines.text(day, here[day]))
            break
        here[after] = later
        yield from _step(lines, day, after, here)
    for day in days:
        if here.get(day) != node.name and (text := lines.text(day, node.name)):
            yield Event(day, "rules", "other rule", node.name, new=text)


def _step(lines: RuleLines, before: date, day: date, here: dict[date, str]) -> Iterator[Event]:
    """What happened to a rule from one edition to the next; numbers inside its text that only followed don't count."""
    old, new = lines.text(before, here[before]), lines.text(day, here[day])
    same = masked(old) == masked(new)
    if same and here[before] == here[day]:
        return
    change = RuleChange(here[before], here[day], old, old if same else new)
    moved = here[before] != here[day]
    what = f"{here[before]} is now {here[day]}" if moved else here[day]
    yield Event(day, "rules", change.kind, what, *(("", new) if same else (old, new)))


def _concept_in_rules(name: str, loaded: Sequence[Loaded]) -> Iterator[Event]:
    """What the editions say of a concept: its head, its definition and the rules that define it."""
    label = next((c.label for each in reversed(loaded) if (c := each.analyses.concept(name))), name)
    former: Found | None = None
    for n, (day, archive) in enumerate(sorted(RuleLines.editions(each.archive for each in loaded).items())):
        found = _found(name, label, read_edition(archive.edition(day)))
        if found and not former:
            yield Event(day, "rules", "came" if n else "known", found.label, new=found.definition)
        elif former and not found:
            yield Event(day, "rules", "went", former.label, old=former.definition)
        elif former and found:
            if former.label != found.label:
                yield Event(day, "rules", "renamed", f"{former.label} is now {found.label}")
            if masked(former.definition) != masked(found.definition):
                yield Event(day, "rules", "changed", found.label, former.definition, found.definition)
            if former.rules != found.rules:
                rules = (", ".join(each.rules) or "no rule" for each in (former, found))
                yield Event(day, "rules", "moved", found.label, *rules)
        former = found


def _found(name: str, label: str, heads: Sequence[Found]) -> Found | None:
    """The concept among those of an edition: by its id, else by its label among the other names of one."""
    by_id = next((one for one in heads if slug(one.label) == name), None)
    return by_id or next((one for one in heads if folded(label) in map(folded, one.aliases)), None)


def _concept_in_generations(name: str, loaded: Sequence[Loaded]) -> Iterator[Event]:
    for old, new in pairwise(loaded):
        before, after = old.analyses.concept(name), new.analyses.concept(name)
        if before is None and after:
            yield Event(new.day, new.name, "came", after.label, new=after.definition)
        elif before and after is None:
            yield Event(new.day, new.name, "went", before.label, old=before.definition)
        elif before and after:
            if before.label != after.label:
                yield Event(new.day, new.name, "renamed", f"{before.label} is now {after.label}")
            counts = [_counted(*each.analyses.concept_size(name)) for each in (old, new)]
            if counts[0] != counts[1]:
                yield Event(new.day, new.name, "counted", after.label, *counts)


def _counted(statements: int, cards: int) -> str:
    return f"{statements:,} rulings on {cards:,} cards"
