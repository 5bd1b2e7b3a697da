"""Checked access to the fields of a parsed record: a wrong type or sign is a `BadRecordError` that names the field."""

import re
from collections.abc import Mapping
from datetime import date

from rulings.ingest.errors import IngestError

# Control signs but tab and line ends, and halves of surrogate pairs (also how undecodable bytes come in): no store or
# XML can hold them.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")

Fields = Mapping[str, object]


class BadRecordError(IngestError):
    """A record that can't be used; readers turn it into a problem of the report and go on."""


def fields(value: object, what: str = "the record") -> Fields:
    """The value as an object with fields."""
    if not isinstance(value, dict):
        raise BadRecordError(f"{what} is {_kind(value)}, not an object")
    return value


def text(record: Fields, name: str, default: str = "") -> str:
    """A text field as it stands, ``default`` where it is absent or null."""
    value = record.get(name)
    if value is None:
        return default
    if not isinstance(value, str):
        raise BadRecordError(f"field {name!r} is {_kind(value)}, not a text")
    bad = _FORBIDDEN.search(value)
    if bad:
        sign = f"U+{ord(bad[0]):04X}"
        what = "half of a surrogate pair or a broken byte" if bad[0] >= "\ud800" else "control sign"
        raise BadRecordError(f"field {name!r} holds the {what} {sign}")
    return value


def needed(record: Fields, name: str) -> str:
    """A text field that must be there and not blank; outer spaces are stripped."""
    value = text(record, name).strip()
    if not value:
        raise BadRecordError(f"field {name!r} is missing or blank")
    return " ".join(value.split()) if name == "name" else value


def optional(record: Fields, name: str) -> str | None:
    """A text field, None where it is absent, null or blank; numbers are taken as text (some sources write power so)."""
    value = record.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return text(record, name).strip() or None


def day(record: Fields, name: str) -> date:
    """A day as YYYY-MM-DD."""
    value = needed(record, name)
    if not _DAY.fullmatch(value):
        raise BadRecordError(f"field {name!r} is {value[:40]!r}, not a day as YYYY-MM-DD")
    try:
        return date.fromisoformat(value)
    except ValueError:
        raise BadRecordError(f"field {name!r} is {value!r}, which is no day of the calendar") from None


def texts(record: Fields, name: str) -> tuple[str, ...]:
    """A list of texts, empty where it is absent or null."""
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadRecordError(f"field {name!r} is {_kind(value)}, not a list")
    return tuple(text({name: item}, name) for item in value)


def parts(record: Fields, name: str) -> list[Fields]:
    """A list of objects, empty where it is absent or null."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise BadRecordError(f"field {name!r} is {_kind(value)}, not a list")
    return [fields(item, f"an entry of field {name!r}") for item in value]


def _kind(value: object) -> str:
    kinds = {
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return kinds.get(type(value), "null")
