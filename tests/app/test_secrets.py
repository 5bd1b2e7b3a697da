"""No password, key or token gets into what a command prints, however an address or a token is mistyped."""

import pytest

from rulings.app.command import main
from rulings.ingest.addresses import shown, without_secrets

BUILD, SPARQL, FETCH = ("build",), ("sparql", "ASK{}"), ("fetch",)
ADDRESSES = [
    "postgresql://u:S3/CRET@127.0.0.1:1/db",
    "postgresql://u:pa@S3CRET@127.0.0.1:1/db",
    "postgresql://u:S3?CRET@127.0.0.1:1/db",
    "postgresql:/u:S3CRET@h/db",
    "nonsense:S3CRET",
    "u:S3CRET@host",
    "http:/u:S3CRET@127.0.0.1:1/q",
    "http://u:S3/CRET@127.0.0.1:1/q",
    "http://u:1/CRET@127.0.0.1:1/q",
    "http://u:S3CRET@127.0.0.1:1",
    "http://u:S3CRET@127.0.0.1:1/q",
    "http://u:S3 CRET@127.0.0.1:1/q",
    "qdrant+http://u:S3/CRET@127.0.0.1:1",
    "qdrant+http://u:1/CRET@127.0.0.1:1",
    "tcp://u:S3CRET@x:1",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(
    ("words", "option"),
    [(BUILD, "--vectors"), (BUILD, "--cluster"), (SPARQL, "--graph"), (FETCH, "--from"), (("upload",), "--update")],
    ids="".join,
)
def test_no_message_has_a_password_out_of_an_address(words, option, address, tmp_path, capsys):
    if option == "--graph" and address == "nonsense:S3CRET":
        pytest.skip("without an @ it is told, so that one sees what was mistyped")
    if option in {"--update", "--from", "--cluster"} and "@" not in address:
        pytest.skip("as for --graph")
    assert main([*words, option, address, "--home", str(tmp_path), "-v"]) in {1, 2}
    said = "".join(capsys.readouterr())
    assert "rulings: " in said
    assert "S3" not in said
    assert "CRET" not in said


@pytest.mark.parametrize("address", ["nonsense:S3CRET", "S3CRET", "postgresql://u:S3/CRET@h/db", "u:S3CRET@h"])
def test_a_bad_address_of_the_environment_is_not_told_and_is_not_blamed_on_the_option(
    address, tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("RULINGS_VECTORS", address)
    assert main(["build", "--vectors", "qdrant+http://127.0.0.1:1", "--home", str(tmp_path)]) == 2
    said = "".join(capsys.readouterr())
    assert "RULINGS_VECTORS" in said
    assert "--vectors" not in said
    assert "CRET" not in said


def test_an_empty_vectors_is_refused(tmp_path, capsys):
    assert main(["build", "--vectors", "", "--home", str(tmp_path)]) == 2
    assert "--vectors ''" in capsys.readouterr().err


def test_an_address_without_secrets_is_shown_whole():
    assert shown("http://h:1/a?b=c") == "http://h:1/a?b=c"
    assert shown("https://u:p@h:1/a?b=c&api_key=K") == "https://h:1/a?b=c&api_key=..."
    assert without_secrets("x https://u:p@h/a: no") == "x https://...@h/a: no"
    assert without_secrets("@name of a query, a@b.c") == "@name of a query, a@b.c"
