"""The walk through JSON: every shape, faults that cost one record, faults that end the file."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.ingest.errors import IngestError, LimitError, SourceError
from rulings.ingest.fields import BadRecordError
from rulings.ingest.json_stream import JsonStream, parse
from rulings.ingest.limits import DEPTH, RECORD_CHARS
from rulings.ingest.records import Place

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


class Drip(io.RawIOBase):
    """Gives a few bytes at a time, so that every value is met cut in two."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size = data, size

    def read(self, _: int = -1) -> bytes:
        taken, self._data = self._data[: self._size], self._data[self._size :]
        return taken


def walk(data: bytes | str, size: int = 7) -> JsonStream:
    return JsonStream(Drip(data.encode() if isinstance(data, str) else data, size), Place("f.json"))


def items(data: bytes | str, size: int = 7) -> tuple[list[object], list[str]]:
    good, bad = [], []
    stream = walk(data, size)
    for _ in stream.items():
        try:
            good.append(stream.value())
        except BadRecordError as error:
            bad.append(str(error))
    assert stream.peek() == ""
    return good, bad


@given(st.lists(JSON, max_size=5), st.integers(1, 40), st.sampled_from([None, 1]), st.booleans())
def test_gives_what_json_gives(values: list[object], size: int, indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    good, bad = items(data, size)
    assert not bad
    assert good == json.loads(data.decode("utf-8", "surrogateescape"))


@given(JSON, st.integers(1, 40))
def test_skip_passes_over_exactly_one_value(value: object, size: int) -> None:
    stream = walk(json.dumps([value, 1]), size)
    taken = [stream.skip() if number == 1 else stream.value() for number in stream.items()]
    assert taken == [None, 1]


def test_goes_into_objects() -> None:
    stream = walk('\n{"a": [1, {"b": null}], "c": {"d": 12.5e1}, "e": {}, "f": []}\n')
    seen: dict[str, object] = {}
    for name in stream.names():
        if name == "a":
            seen[name] = [stream.value() for _ in stream.items()]
        elif name == "f":
            seen[name] = list(stream.items())
        else:
            seen[name] = {inner: stream.value() for inner in stream.names()}
    assert seen == {"a": [1, {"b": None}], "c": {"d": 125.0}, "e": {}, "f": []}


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"a": tru}', "malformed"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        ('{"a": 1, "a": 2}', "twice"),
        ('{"a": "\x01"}', "control character"),
        ('{"a": "x" "b": 1}', "malformed"),
        ('{"a": "\\q"}', "escape"),
        ('{"a": ' + "1" * 5000 + "}", "digits"),
    ],
)
@pytest.mark.parametrize("layout", ['[{{"n":1}},{},{{"n":2}}]', '[\n{{"n":1}},\n{},\n{{"n":2}}\n]\n'])
def test_malformed_record_costs_only_itself(bad: str, reason: str, layout: str) -> None:
    good, problems = items(layout.format(bad))
    assert good == [{"n": 1}, {"n": 2}]
    assert len(problems) == 1
    assert reason in problems[0]


@pytest.mark.parametrize("bad", ['{"a": "x', '{"a": "x, "b": 1},', '{"a": ', "{,", '{"a": [1, 2}'])
@pytest.mark.parametrize("indent", ["", "    "])
def test_record_broken_within_its_line_costs_only_itself(bad: str, indent: str) -> None:
    good, problems = items(f'[\n{indent}{{"n": 1}},\n{indent}{bad}\n{indent}{{"n": 2}}\n]', size=1000)
    assert good == [{"n": 1}, {"n": 2}]
    assert len(problems) == 1


@pytest.mark.parametrize("cut", range(1, 40))
def test_cut_short_is_told(cut: int) -> None:
    whole = '[{"name": "ab", "n": [1, 2]}, {"n": 22}]'
    with pytest.raises(SourceError, match=r"f\.json.*ends early"):
        items(whole[:cut])


@pytest.mark.parametrize("text", ["[1 2]", "[1,]x", '{"a" 1}', "{1: 2}", "[}", "]"])
def test_broken_structure_is_told(text: str) -> None:
    def pass_over(stream: JsonStream) -> str:
        for _ in stream.names() if text[0] == "{" else stream.items():
            stream.skip()
        return stream.peek()

    try:
        assert pass_over(walk(text)) == "x"
    except SourceError as error:
        assert "should stand" in str(error)  # noqa: PT017 - one of the two must be


def test_long_record_is_refused_without_reading_it_whole() -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size: int = -1) -> bytes:
            self.taken += size
            return b'[{"a": "' if self.taken == size else b"x" * size

    for take in (JsonStream.value, JsonStream.skip):
        source = Endless()
        stream = JsonStream(source, Place("f.json"))
        next(stream.items())
        with pytest.raises(LimitError, match="over 8,388,608 characters"):
            take(stream)
        assert source.taken < 5 * RECORD_CHARS


def test_deep_nesting_is_refused() -> None:
    deep = "[" * 100_000
    for take in (JsonStream.value, JsonStream.skip):
        with pytest.raises(LimitError, match="nested"):
            take(walk(deep, 2**16))
    with pytest.raises(BadRecordError, match="nested"):
        parse(deep)
    assert DEPTH < 1000


@given(st.binary(max_size=200), st.integers(1, 50))
def test_random_bytes_raise_nothing_else(data: bytes, size: int) -> None:
    for start in (b"", b"[", b'{"a":', b'[{"b":['):
        stream = walk(start + data, size)
        try:
            for _ in stream.items() if stream.peek() == "[" else stream.names():
                stream.value()
        except IngestError:
            pass


def test_broken_bytes_come_as_surrogates_and_other_encodings_are_read() -> None:
    assert items(b'["a\xff"]')[0] == ["a\udcff"]
    assert items('["é"]'.encode("utf-16"))[0] == ["é"]
    assert items('["é"]'.encode("utf-8-sig"))[0] == ["é"]
