"""Whatever the bytes, reading ends in records, problems or an `IngestError`, and never in anything else."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rulings.ingest import IngestError, Report, build_corpus
from rulings.ingest.kinds import readers
from rulings.ingest.reader import Head

DAY = "2020-01-31"
FACES = [{"name": "Left", "oracle_text": "One."}, {"name": "Right", "mana_cost": "{2}"}]
SCRYFALL = [
    {
        "object": "card",
        "oracle_id": "1",
        "name": "Left // Right",
        "layout": "split",
        "lang": "en",
        "card_faces": FACES,
        "set": "abc",
    },
    {"object": "card", "oracle_id": "2", "name": "Mimic", "layout": "normal", "lang": "de", "printed_name": "Mimik"},
    {"object": "ruling", "oracle_id": "1", "source": "wotc", "published_at": DAY, "comment": "It’s so."},
]
ENTRY = {
    "name": "Left // Right",
    "faceName": "Left",
    "side": "a",
    "layout": "split",
    "types": ["Instant"],
    "colorIdentity": [],
    "identifiers": {"scryfallOracleId": "1"},
    "rulings": [{"date": DAY, "text": "So."}],
    "setCode": "ABC",
    "printings": ["ABC"],
    "foreignData": [{"language": "German", "name": "Links // Rechts", "faceName": "Links"}],
    "keywords": ["Flash"],
}
MTGJSON = {
    "meta": {"date": DAY, "version": "5"},
    "data": {"baseSetSize": 1, "cards": [ENTRY, {**ENTRY, "faceName": "Right"}]},
}
OWN = (
    '{"kind": "card", "name": "Mimic", "names": {"de": ["Mimik"]}, "faces": [{"name": "Mimic"}]}\n'
    f'{{"kind": "ruling", "card": "Mimic", "published": "{DAY}", "text": "So."}}\n'
    f'{{"kind": "rule", "number": "702.19b", "text": "So.", "edition": "{DAY}"}}\n'
)
TABLE = f'card,published,text\nMimic,{DAY},"So, it is."\n'
VALID = [
    json.dumps(SCRYFALL).encode(),
    json.dumps(SCRYFALL, indent=1, ensure_ascii=False).encode(),
    json.dumps({"object": "list", "has_more": True, "data": SCRYFALL}).encode(),
    json.dumps(MTGJSON).encode(),
    json.dumps({"ABC": MTGJSON["data"]}).encode(),
    json.dumps({"meta": {}, "data": {"Left // Right": [ENTRY]}}).encode(),
    OWN.encode(),
    TABLE.encode(),
]
PIECES = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\n",
    b"\0",
    b"\xff",
    b"NaN",
    b"null",
    b"1e999",
    b"-",
    b"\\ud800",
    b"[" * 300,
]


def read(data: bytes) -> Report:
    """Read bytes as a named file; an `IngestError` is an answer, anything else goes through."""
    report = Report()
    with TemporaryDirectory() as folder:
        path = Path(folder, "f")
        path.write_bytes(data)
        told = ""
        try:
            build_corpus([path], report)
        except IngestError as error:
            told = str(error)
    assert not told or (str(path) in told and "\n" not in told)
    assert all(str(p.place) and "\n" not in p.reason for p in report.problems)
    return report


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    data = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 4))):
        at, length = draw(st.integers(0, len(data))), draw(st.integers(0, 30))
        data = data[:at] + draw(st.sampled_from(PIECES) | st.binary(max_size=4)) + data[at + length :]
    return data


@pytest.mark.parametrize("data", VALID)
def test_valid_sources_have_no_problems(data: bytes) -> None:
    report = read(data)
    assert not [p for p in report.problems if "not among the cards" not in p.reason]
    assert report.counts.get("Ruling")


@settings(max_examples=300, deadline=None)
@given(mutated())
def test_mutated_sources(data: bytes) -> None:
    read(data)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
@example(b"\xff\xfe\x00")
@example(b"\x1f\x8b")
@example(b"PK\x03\x04")
@example(b"\xef\xbb\xbf[")
def test_random_bytes(data: bytes) -> None:
    read(data)
    for reader in readers():
        reader.matches(Head(data))


NAMES = st.sampled_from(
    sorted({*SCRYFALL[0], *SCRYFALL[2], *ENTRY, "object", "printed_name", "names", "foreignNames", "kind", "faces"})
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["card", "ruling", DAY]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([*SCRYFALL, ENTRY]), st.dictionaries(NAMES, JSON, min_size=1, max_size=4), st.booleans())
def test_fields_of_any_type(record: dict[str, object], changed: dict[str, object], own: bool) -> None:
    item = {**record, **changed}
    read(json.dumps([SCRYFALL[0], item]).encode())
    read(json.dumps({"data": {"baseSetSize": 1, "cards": [ENTRY, item], "tokens": [item]}}).encode())
    if own:
        read(
            (OWN + json.dumps({"kind": "card", **changed}) + "\n" + json.dumps({"kind": "ruling", **changed})).encode()
        )


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(VALID), st.integers(0, 400), st.integers(0, 255), st.booleans())
def test_damaged_archives(data: bytes, at: int, byte: int, zipped: bool) -> None:
    if zipped:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.json", data)
        packed = bytearray(made.getvalue())
    else:
        packed = bytearray(gzip.compress(data))
    packed[at % len(packed)] = byte
    read(bytes(packed))
    read(bytes(packed[: at % len(packed)]))
