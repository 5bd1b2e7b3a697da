"""``rulings fetch`` against a server on this machine that answers like Scryfall's, with the faults that happen."""

import gzip
import json
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from rulings.app.command import main
from rulings.app.download import Downloader
from rulings.app.errors import FetchError
from rulings.app.fetched import fetched_paths, folder_of, read_fetched
from rulings.app.rules_page import FEWEST, rules_links
from rulings.search.generation import current

CARDS = [
    {"object": "card", "oracle_id": f"00000000-0000-0000-0000-00000000000{n}", "name": f"Card {n}", "layout": "normal",
     "type_line": "Creature", "oracle_text": "Flying", "lang": "en", "keywords": ["Flying"], "set": "tst"}
    for n in range(3)
]  # fmt: skip
GERMAN = [
    {**CARDS[0], "lang": lang, "printed_name": name} for lang, name in (("de", "Karte Null"), ("fr", "Carte Zero"))
]
RULINGS = [
    {"object": "ruling", "oracle_id": CARDS[n]["oracle_id"], "source": "wotc", "published_at": "2024-01-01",
     "comment": f"It stays number {n}."} for n in range(3)
]  # fmt: skip


def rules_text(fewest=FEWEST):
    chapters = "\n\n".join(
        f"{100 + c}. Chapter {c}\n\n"
        + "\n\n".join(f"{100 + c}.{n}. Words of rule {n} in chapter {c}." for n in range(1, 41))
        for c in range(fewest // 40 + 1)
    )
    return (
        "Magic: The Gathering Comprehensive Rules\n\nThese rules are effective as of February 27, 2026.\n\n"
        f"1. Game Concepts\n\n{chapters}\n\nGlossary\n\nThing\nSomething. See rule 100.1.\n\nCredits\n\nNobody.\n"
    )


@dataclass
class Site:
    """What the server has, what goes wrong, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[object]] = field(default_factory=dict)
    """By path: what happens to the next requests, one after the other: a status, or how many bytes come before a cut."""
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    url: str = ""
    shifted: bool = False
    """Whether another range is sent than the one asked for."""

    def bodies(self, path):
        return [headers for asked, headers in self.asked if asked == path]


def handler(held):  # noqa: C901 - all that can go wrong, in one place
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def do_GET(self):
            held.asked.append((self.path, dict(self.headers)))
            fault = held.faults[self.path].pop(0) if held.faults.get(self.path) else None
            body = held.files.get(self.path)
            if isinstance(fault, str):
                self._say(302, b"", {"Location": fault})
            elif fault in {404, 429, 500, 503} or body is None:
                self._say(fault or 404, b"", {"Retry-After": "0"} if fault == 429 else {})
            else:
                self._give(body, fault)

        def _give(self, body, cut):
            tag = f'"{hash(body)}"'
            if self.headers.get("If-None-Match") == tag:
                self._say(304, b"", {"ETag": tag})
                return
            start = 0
            if self.headers.get("Range") and self.headers.get("If-Range") == tag:
                start = int(self.headers["Range"].removeprefix("bytes=").split("-")[0])
            if start >= len(body) > 0:
                self._say(416, b"", {})
            else:
                span = {"Content-Range": f"bytes {start}-{len(body) - 1}/{len(body)}"} if start else {}
                if start and held.shifted:
                    span, start = {"Content-Range": f"bytes 1-{len(body) - 1}/{len(body)}"}, 1
                self._say(206 if start else 200, body[start:], {"ETag": tag, **span}, cut)

        def _say(self, status, body, headers, cut=None):
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if cut is None else body[:cut])
            if cut is not None:
                self.close_connection = True

    return Handler


@pytest.fixture
def site():
    held = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(held))
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    held.url = f"http://127.0.0.1:{server.server_address[1]}"
    page = '<a href="/media/CompRules%2020260227.txt">TXT</a> <a href="/media/old/CompRules%2020250101.txt">old</a>'
    held.files = {
        "/bulk-data": b"", "/cards": json.dumps(CARDS).encode(), "/rulings": json.dumps(RULINGS).encode(),
        "/all": json.dumps(CARDS + GERMAN).encode(), "/en/rules": page.encode(),
        "/media/CompRules%2020260227.txt": rules_text().encode("cp1252"),
    }  # fmt: skip
    publish(held, "2026-11-30T10:00:00Z")
    yield held
    server.shutdown()
    server.server_close()


def publish(site, version, **uris):
    where = {"oracle_cards": "/cards", "rulings": "/rulings", "all_cards": "/all", **uris}
    entries = [
        {"object": "bulk_data", "type": kind, "download_uri": f"{site.url}{path}", "updated_at": version, "size": 1}
        for kind, path in where.items()
    ]
    site.files["/bulk-data"] = json.dumps({"object": "list", "data": entries}).encode()


@pytest.fixture
def fetch(site, new_home, capsys):
    def run(*words):
        capsys.readouterr()
        status = main(["fetch", "--home", str(new_home), "--from", site.url, "--backoff", "0.01", *words])
        return status, capsys.readouterr().err

    run.home = new_home
    return run


def names(home):
    return [path.name for path in fetched_paths(home)]


def test_everything_comes_and_a_build_takes_it(fetch, capsys):
    assert fetch()[0] == 0
    assert names(fetch.home) == ["oracle-cards.json", "rules.txt", "rulings.json"]
    assert main(["build", "--home", str(fetch.home)]) == 0
    assert "what was fetched (oracle-cards.json, rules.txt, rulings.json)" in capsys.readouterr().err
    made = current(fetch.home)
    assert (made.manifest.counts["cards"], made.manifest.counts["statements"]) == (3, 3)
    assert made.archive.editions[0].isoformat() == "2026-02-27"
    assert not made.manifest.sample


def test_headers_say_who_asks(fetch, site):
    fetch()
    for path in ("/bulk-data", "/cards", "/en/rules"):
        (headers,) = site.bodies(path)
        assert headers["User-Agent"].startswith("rulings/")
        assert "application/json" in headers["Accept"]


def test_what_did_not_change_is_not_downloaded_again(fetch, site):
    fetch()
    site.asked.clear()
    status, told = fetch()
    assert status == 0
    assert "oracle-cards.json: unchanged" in told
    assert not site.bodies("/cards")
    assert "If-None-Match" in site.bodies("/media/CompRules%2020260227.txt")[0]
    publish(site, "2026-12-01T10:00:00Z")
    fetch()
    assert "If-None-Match" in site.bodies("/cards")[0]


def test_a_new_version_takes_the_place_of_the_former(fetch, site):
    fetch()
    site.files["/rulings"] = json.dumps(RULINGS[:1]).encode()
    publish(site, "2026-12-01T10:00:00Z")
    assert fetch()[0] == 0
    assert len(json.loads((folder_of(fetch.home) / "rulings.json").read_text("utf-8"))) == 1


def test_a_cut_download_goes_on_where_it_was_cut(fetch, site):
    site.faults["/cards"] = [100, 50]
    assert fetch()[0] == 0
    asked = site.bodies("/cards")
    assert [headers.get("Range") for headers in asked] == [None, "bytes=100-", "bytes=150-"]
    assert json.loads((folder_of(fetch.home) / "oracle-cards.json").read_text("utf-8")) == CARDS


def test_a_file_that_changed_after_a_cut_is_begun_anew(fetch, site):
    site.faults["/cards"] = [100] * 6
    status, told = fetch()
    assert status == 1
    assert "was cut 6 times" in told
    site.files["/cards"] = json.dumps(CARDS[:2]).encode()
    assert fetch()[0] == 0
    assert json.loads((folder_of(fetch.home) / "oracle-cards.json").read_text("utf-8")) == CARDS[:2]


@pytest.mark.parametrize("faults", [[429, 429], [500, 503]])
def test_it_backs_off_and_tries_again(fetch, site, faults):
    site.faults["/cards"] = list(faults)
    assert fetch()[0] == 0
    assert len(site.bodies("/cards")) == 3


def test_a_server_that_stays_busy_is_told_and_the_rest_comes(fetch, site):
    site.faults["/cards"] = [503] * 20
    status, told = fetch()
    assert status == 1
    assert "answered 503" in told
    assert names(fetch.home) == ["rules.txt", "rulings.json"]


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b'[{"object": "card"}',
        b"",
        b"[]",
        b'[{"a": 1} garbage ]',
        gzip.compress(json.dumps(CARDS).encode())[:-9],
    ],
)
def test_what_is_no_list_takes_no_place(fetch, site, body):
    fetch()
    before = (folder_of(fetch.home) / "oracle-cards.json").read_bytes()
    site.files["/cards"] = body
    publish(site, "2026-12-01T10:00:00Z")
    status, told = fetch()
    assert status == 1
    assert "no whole list" in told
    assert (folder_of(fetch.home) / "oracle-cards.json").read_bytes() == before
    assert not list(folder_of(fetch.home).glob(".*.part"))


def test_a_gzip_file_is_taken_as_it_is(fetch, site):
    site.files["/cards"] = gzip.compress(json.dumps(CARDS).encode())
    assert fetch()[0] == 0
    assert main(["build", "--home", str(fetch.home)]) == 0
    assert current(fetch.home).manifest.counts["cards"] == 3


def test_offline_says_so_and_keeps_what_is_there(fetch, site, capsys):
    fetch()
    status = main(["fetch", "--home", str(fetch.home), "--from", "http://127.0.0.1:9", "--backoff", "0.01"])
    told = capsys.readouterr().err
    assert status == 1
    assert "can't be reached" in told
    assert "Traceback" not in told
    assert names(fetch.home) == ["oracle-cards.json", "rules.txt", "rulings.json"]


def test_a_mistyped_date_in_the_rules_address_is_put_right(fetch, site):
    site.files["/en/rules"] = b'Effective 2026-02-27. <a href="/media/CompRules%2020260272.txt">TXT</a>'
    assert fetch()[0] == 0
    assert "rules.txt" in names(fetch.home)


def test_a_moved_rules_page_is_followed(fetch, site):
    site.files["/elsewhere"] = site.files["/en/rules"]
    site.faults["/en/rules"] = ["/elsewhere"]
    assert fetch()[0] == 0
    assert "rules.txt" in names(fetch.home)


def test_a_file_that_is_no_rules_text_is_refused_with_the_remedy(fetch, site):
    site.files["/media/CompRules%2020260227.txt"] = rules_text(100).encode()
    status, told = fetch()
    assert status == 1
    assert "--rules FILE" in told
    assert names(fetch.home) == ["oracle-cards.json", "rulings.json"]


def test_rules_of_ones_own_take_the_place(fetch, site, tmp_path):
    own = tmp_path / "own.txt"
    own.write_text(rules_text(), encoding="utf-16")
    del site.files["/en/rules"]
    assert fetch("--rules", str(own))[0] == 0
    assert "rules.txt" in names(fetch.home)
    assert fetch("--rules", str(tmp_path / "none.txt"))[0] == 2


def test_languages_bring_all_cards_and_only_their_names(fetch, site):
    assert fetch("--languages", "de")[0] == 0
    assert "all-cards.json" in names(fetch.home)
    assert read_fetched(fetch.home).languages == ("de",)
    main(["build", "--home", str(fetch.home)])
    made = current(fetch.home)
    found = {p.language for p in made.archive.printings(CARDS[0]["oracle_id"])}
    assert found == {"de"}
    site.asked.clear()
    publish(site, "2027-01-01T00:00:00Z")
    assert fetch()[0] == 0
    assert site.bodies("/all")


@pytest.mark.parametrize("listed", [b"no json", b'{"data": 1}', b'{"data": []}'])
def test_a_strange_list_is_told(fetch, site, listed):
    site.files["/bulk-data"] = listed
    status, told = fetch()
    assert status == 1
    assert "--from" in told


def test_links_are_tried_newest_first():
    page = '<a href="a/rules 20240101.txt">x</a><a href="b/rules%2020260227.TXT">y</a><a href="c.pdf">z</a>'
    assert rules_links(page, "https://example.org/en/rules")[:2] == [
        "https://example.org/en/b/rules%2020260227.TXT",
        "https://example.org/en/a/rules%2020240101.txt",
    ]


def test_a_damaged_list_of_fetched_files_is_told(fetch, capsys):
    folder_of(fetch.home).mkdir()
    (folder_of(fetch.home) / "fetched.json").write_text("{", encoding="utf-8")
    status, told = fetch()
    assert status == 1
    assert "delete it" in told
    assert isinstance(fetch.home, Path)


def test_another_range_than_the_one_asked_for_is_not_put_behind_what_is_there(fetch, site):
    site.shifted = True
    site.faults["/cards"] = [100]
    assert fetch()[0] == 0
    assert json.loads((folder_of(fetch.home) / "oracle-cards.json").read_text("utf-8")) == CARDS


@pytest.mark.parametrize("address", ["foo", "file:///etc/passwd", "http://[::1", "http://127.0.0.1:99999", ""])
def test_a_server_that_can_not_be_is_told_at_once(fetch, site, address):
    status, told = fetch("--from", address)
    assert status == 2
    assert told.startswith("rulings: --from")
    assert not site.asked


def test_a_password_is_not_repeated(fetch):
    assert "secret" not in fetch("--from", "http://me:secret@127.0.0.1:9")[1]


@pytest.mark.parametrize("place", ["http://[::1", "http://127.0.0.1:99999/x", "ftp://127.0.0.1/x"])
def test_a_strange_place_of_a_file_keeps_the_others_from_nothing(fetch, site, place):
    publish(site, "2026-12-01T10:00:00Z", oracle_cards=place)
    site.files["/bulk-data"] = site.files["/bulk-data"].replace(site.url.encode() + place.encode(), place.encode())
    status, told = fetch()
    assert status == 1
    assert "a fault in the program" not in told
    assert "rules.txt" in names(fetch.home)


def test_languages_are_looked_at_and_can_be_given_up(fetch, site):
    assert fetch("--languages", "de, xx,Klingon")[0] == 2
    assert not site.asked
    fetch("--languages", " DE ,fr")
    assert read_fetched(fetch.home).languages == ("de", "fr")
    assert fetch("--languages", "")[0] == 0
    assert names(fetch.home) == ["oracle-cards.json", "rules.txt", "rulings.json"]
    assert not (folder_of(fetch.home) / "all-cards.json").exists()


def test_rules_that_are_none_are_told_before_anything_is_downloaded(fetch, site, tmp_path):
    (tmp_path / "own.txt").write_text("No rules.", encoding="utf-8")
    status, told = fetch("--rules", str(tmp_path / "own.txt"))
    assert status == 2
    assert "own.txt" in told
    assert not site.asked


def test_failures_are_told_and_bounded_in_all(site, capsys):
    site.faults["/a"], site.faults["/b"] = [500] * 20, [503] * 20
    downloader = Downloader.make(lambda *_: None, backoff=0.2, patience=1.0)
    began = time.monotonic()
    for path in ("/a", "/b"):
        with pytest.raises(FetchError, match=r"answered 50[03]"):
            downloader.text(f"{site.url}{path}")
    assert 1 <= time.monotonic() - began < 3
    assert "127.0.0.1: busy, or out of reach; tries again in 1 s" in capsys.readouterr().err
    assert len(site.bodies("/b")) < 6
    site.files["/c"] = b"there"
    site.faults["/d"], site.files["/e"] = ["/e"], b"moved"
    assert (downloader.text(f"{site.url}/c"), downloader.text(f"{site.url}/d")) == ("there", "moved")
