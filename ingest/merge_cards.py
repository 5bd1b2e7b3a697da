"""One card out of several records of it: the richest, with its gaps filled from the others."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace

from rulings.ingest.records import Card, Face, Printing

_FACE_FIELDS = tuple(field.name for field in fields(Face) if field.name != "name")


def whole(name: str, faces: Iterable[Face], **others: object) -> Card:
    """A card made from its faces: cost, types and text joined as `Card` says."""
    faces = tuple(faces)
    return Card(
        name=name,
        faces=faces,
        mana_cost=" // ".join(f.mana_cost for f in faces if f.mana_cost),
        type_line=" // ".join(f.type_line for f in faces if f.type_line),
        text="\n//\n".join(f.text for f in faces if f.text),
        **others,  # type: ignore[arg-type]
    )


def merged(first: Card, second: Card) -> Card:
    """The record that tells more (the first where both tell as much), its gaps filled from the other."""
    sets = first.sets if set(second.sets) <= set(first.sets) else tuple(sorted({*first.sets, *second.sets}))
    if not second.faces:
        return replace(first, sets=sets, layout=first.layout or second.layout)
    richer, other = (second, first) if _richness(second) > _richness(first) else (first, second)
    card = whole(
        richer.name,
        _filled(richer.faces, other.faces),
        oracle_id=richer.oracle_id,
        # Where a source has no better word for a layout it says normal.
        layout=richer.layout if richer.layout not in ("", "normal") else other.layout or richer.layout,
        keywords=richer.keywords or other.keywords,
        sets=sets,
    )
    gaps = ("mana_cost", "type_line", "text")
    return replace(card, **{g: getattr(richer, g) or getattr(other, g) for g in gaps if not getattr(card, g)})


def completed(card: Card) -> Card:
    """The card with a layout and at least one face, where no record told them."""
    if card.layout and card.faces:
        return card
    faces = card.faces or tuple(map(Face, card.name.split(" // ")))
    return replace(card, layout=card.layout or "normal", faces=faces)


def _richness(card: Card) -> tuple[int, int]:
    return len(card.faces), sum(bool(getattr(face, name)) for face in card.faces for name in _FACE_FIELDS)


def _filled(faces: Sequence[Face], others: Sequence[Face]) -> list[Face]:
    by_name = {face.name: face for face in others}
    made = []
    for face in faces:
        other = by_name.get(face.name, face)
        gaps = {n: getattr(other, n) for n in _FACE_FIELDS if not getattr(face, n) and getattr(other, n)}
        made.append(replace(face, **gaps) if gaps else face)
    return made


def on_faces(card: Card, printings: Iterable[Printing]) -> tuple[Printing, ...]:
    """A card's printings in order, each once; a printed half that is told of the whole card goes to its face.

    Some sources give the printed name of a face under the card's full name; where a printing of the whole card in the
    same language has that half, the face is the one at its place.
    """
    printings = list(printings)
    halves: dict[tuple[str, str], str] = {}
    if len(card.faces) > 1:
        for printing in printings:
            names = printing.printed_name.split(" // ")
            if len(names) == len(card.faces):
                for half, face in zip(names, card.faces, strict=True):
                    halves.setdefault((printing.language, half), face.name)
    found: dict[tuple[str, str, str], Printing] = {}
    for printing in printings:
        half = halves.get((printing.language, printing.printed_name), "") if printing.name == card.name else ""
        entry = (printing.language, half or printing.name, printing.printed_name)
        if entry not in found or (printing.printed_text and not found[entry].printed_text):
            found[entry] = replace(printing, name=half) if half else printing
    return tuple(found[entry] for entry in sorted(found))
