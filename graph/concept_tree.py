"""The tree of concepts: what is a kind of what, and what is related, from the structure and references of the rules."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from rulings.graph.concept_terms import Found, folded, parts
from rulings.ingest import Edition

_PARENT_OF_KIND = {
    "keyword ability": "Keyword Ability",
    "keyword action": "Keyword Action",
    "ability word": "Ability Word",
    "ability": "Ability",
    "zone": "Zone",
    "step": "Step",
    "phase": "Phase",
    "characteristic": "Characteristics",
    "card type": "Card Type",
    "supertype": "Supertype",
    "token": "Token",
    "counter": "Counter",
    "effect": "Effect",
    "cost": "Cost",
    "player": "Player",
    "variant": "Variant",
    "object kind": "Object",
    "state-based action": "State-Based Actions",
    "special action": "Special Action",
    "layer": "Layer",
}
_LINKED = frozenset(("of", "a", "an", "the", "to", "by", "into", "with", "in", "and"))
_NO_PARENT = frozenset(("keyword ability", "keyword action", "ability word", "action", "event"))
"""Kinds whose words mean something else at the end of another label ("Grand Melee", "Planar Die")."""
_MAX_RELATED = 12


def broader(found: Mapping[str, Found]) -> dict[str, tuple[str, ...]]:
    """Return the broader concepts of each slug: the nearest ones only, without cycles."""
    by_term = terms(found)
    parents: dict[str, list[str]] = {slug: [] for slug in found}
    for slug, one in found.items():
        if one.obsolete:
            continue
        told = _PARENT_OF_KIND.get(one.kind, "").splitlines()
        variants = [label.removeprefix("variant of ") for label in one.genus if label.startswith("variant of ")]
        for label in (*_phase(one), *variants, *one.genus, *_head_of_label(one), *told):
            parent = _lookup(label, by_term)
            if parent and found[parent].kind in _NO_PARENT and label not in (*variants, *told):
                continue
            if parent and parent != slug and not found[parent].obsolete and slug not in _above(parent, parents):
                parents[slug] = list(dict.fromkeys((*parents[slug], parent)))
    return {
        slug: tuple(p for p in own if not any(p in _above(q, parents) for q in own if q != p))
        for slug, own in parents.items()
    }


def related(
    found: Mapping[str, Found], tree: Mapping[str, Sequence[str]], edition: Edition | None
) -> dict[str, tuple[str, ...]]:
    """Return the related concepts of each slug, the most referred to first: symmetric, never one above or below it."""
    by_term = terms(found)
    weight: dict[str, Counter[str]] = defaultdict(Counter)
    for slug, one in found.items():
        for label in one.see:
            other = _lookup(label, by_term)
            if other:
                weight[slug][other] += 10
    for slug, other, count in _references(found, edition):
        weight[slug][other] += count
    both: dict[str, Counter[str]] = defaultdict(Counter)
    for slug, others in weight.items():
        for other, count in others.items():
            if other != slug and other not in _above(slug, tree) and slug not in _above(other, tree):
                both[slug][other] += count
                both[other][slug] += count
    kept = {
        s: [o for o, _ in sorted(c.items(), key=lambda item: (-item[1], item[0]))[:_MAX_RELATED]]
        for s, c in both.items()
    }
    return {s: tuple(o for o in others if s in kept.get(o, ())) for s, others in kept.items()}


def terms(found: Mapping[str, Found]) -> dict[str, str]:
    """Return the slug of each folded term; whole labels win over parts of a label, those over aliases."""
    by_term = {folded(one.label): slug for slug, one in found.items()}
    for slug, one in found.items():
        for part in parts(one.label):
            by_term.setdefault(folded(part), slug)
    for slug, one in found.items():
        for alias in one.aliases:
            by_term.setdefault(folded(alias), slug)
    return by_term


def rule_owners(found: Mapping[str, Found]) -> dict[str, str]:
    """Return the slug that each rule number belongs to: the concept that has it as its first rule, keywords first."""
    owners: dict[str, str] = {}
    order = sorted(found.items(), key=lambda item: (not item[1].kind.startswith("keyword"), item[1].obsolete))
    for slug, one in order:
        for number in one.rules[:1]:
            owners.setdefault(number, slug)
    return owners


def _references(found: Mapping[str, Found], edition: Edition | None) -> list[tuple[str, str, int]]:
    if edition is None:
        return []
    owners = rule_owners(found)
    parents = {number: rule.parent for number, rule in edition.rules.items()}

    def owner(number: str | None) -> str | None:
        while number is not None and number not in owners:
            number = parents.get(number)
        return owners[number] if number is not None else None

    counts: Counter[tuple[str, str]] = Counter()
    for number, rule in edition.rules.items():
        subject = owner(number)
        for seen in rule.see:
            target = owner(seen) if seen in parents else None
            if subject and target and subject != target:
                counts[subject, target] += 1
    return [(subject, target, count) for (subject, target), count in sorted(counts.items())]


def _phase(one: Found) -> list[str]:
    """The phase that a step belongs to, as its definition says."""
    match = re.search(r"step of the ([\w ]+ phase)", one.definition) if one.kind == "step" else None
    return [match[1]] if match else []


def _head_of_label(one: Found) -> list[str]:
    """The ends of a label that can be a wider term ("Delayed Triggered Ability": Triggered Ability, Ability)."""
    if one.kind in ("keyword ability", "keyword action", "ability word", "action", "event"):
        return []
    words = parts(one.label)[0].split(" ") if parts(one.label) else []
    if _LINKED & {word.lower() for word in words}:
        return []
    return [" ".join(words[n:]) for n in range(1, len(words))]


def _lookup(label: str, by_term: Mapping[str, str]) -> str | None:
    plain = folded(label)
    tries = [plain, plain + "s", plain.removesuffix("s"), plain.removesuffix("es")]
    if plain.endswith(" subtype"):
        tries.insert(0, plain.replace(" subtype", " type"))
    return next((by_term[one] for one in tries if one in by_term), None)


def _above(slug: str, parents: Mapping[str, Sequence[str]]) -> set[str]:
    """All concepts above a slug."""
    found: set[str] = set()
    todo = list(parents.get(slug, ()))
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo += parents.get(one, ())
    return found | {slug} if slug in found else found
