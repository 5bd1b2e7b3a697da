"""The media type that a client likes best."""

import pytest

from rulings.app.web.media import GRAPHS, ROWS
from rulings.app.web.negotiation import choose

OFFERS = ["application/json", "application/xml", "text/csv"]


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/csv", "text/csv"),
        ("TEXT/CSV", "text/csv"),
        ("application/xml;q=0.5, text/csv;q=0.7", "text/csv"),
        ("application/json;q=0, */*", "application/xml"),
        ("text/*", "text/csv"),
        ("*/*, text/csv", "text/csv"),
        ("text/html, */*;q=0.1", "application/json"),
        ("text/html", None),
        ("text/csv;q=0", None),
        ("application/*;q=0.2, text/csv;q=0.1", "application/json"),
        ("text/csv; charset=utf-8; q=1", "text/csv"),
        ("nonsense", "application/json"),
        ("application/xml;q=high, text/csv", "text/csv"),
        ("application/xml;q=7, text/csv;q=0.9", "application/xml"),
    ],
)
def test_the_best_liked_offer_is_chosen(accept, chosen):
    assert choose(accept, OFFERS) == chosen


def test_what_real_clients_send():
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    assert ROWS[choose(browser, ROWS)] == "xml"
    yasgui = "application/sparql-results+json,*/*;q=0.9"
    assert ROWS[choose(yasgui, ROWS)] == "json"
    assert GRAPHS[choose("text/turtle,*/*;q=0.9", GRAPHS)] == "ttl"
    assert GRAPHS[choose("application/ld+json", GRAPHS)] == "jsonld"
