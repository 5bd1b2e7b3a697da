"""Decoding: every encoding that rules books and pages came in, and every line end."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulings.ingest import decoding
from rulings.ingest.decoding import decode, lines, read_text
from rulings.ingest.errors import LimitError, SourceError
from rulings.ingest.records import Place

TEXT = "Lim-Dûl’s “Vault” — an artifact costs ½ as much.\nThe next line of this text is plain.\n" * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str) -> None:
    assert decode(TEXT.encode(encoding)) == TEXT


def test_utf_16_big_endian_with_its_mark() -> None:
    assert decode(b"\xfe\xff" + TEXT.encode("utf-16-be")) == TEXT


def test_old_macintosh_quotes() -> None:
    text = "“Mana” is a player’s means.\rIt’s paid.\r"
    assert decode(text.encode("mac_roman")) == text


def test_one_stray_byte_does_not_garble_the_rest() -> None:
    assert decode("“é” and ".encode() + b"\x92s") == "“é” and ’s"


def test_line_ends_in_a_mix() -> None:
    assert lines("a\r\nb\rc\nd\r\re\u2028f") == ["a", "b", "c", "d", "", "e", "f"]


@given(st.binary(max_size=300))
def test_any_bytes_decode(data: bytes) -> None:
    assert isinstance(decode(data), str)


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(SourceError, match="empty"):
        read_text(io.BytesIO(b"\xef\xbb\xbf \r\n"), Place("empty.txt"))


def test_a_text_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_TEXT_BYTES", 10)
    with pytest.raises(LimitError, match=r"long\.txt"):
        read_text(io.BytesIO(b"12345678901"), Place("long.txt"))
