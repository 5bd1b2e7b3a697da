"""Dates as six languages write them."""

from datetime import date

import pytest

from rulings.ingest.page_dates import dates, english_date, file_date

DAY = date(2018, 3, 9)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("March 9, 2018", "en"), ("Mar. 9th 2018", "en"), ("9 March 2018", "en"),
        ("9. März 2018", "de"), ("9. Maerz 2018", ""), ("09.03.2018", ""),
        ("9 mars 2018", "fr"), ("9 de marzo de 2018", "es"), ("9 marzo 2018", "it"),
        ("9 de março de 2018", "pt"), ("2018-03-09", ""), ("2018/3/9", ""), ("9/3/18", ""), ("09-03-2018", ""),
    ],
)  # fmt: skip
def test_each_way_of_writing(text: str, language: str) -> None:
    (found,) = dates(f"x ({text})")
    assert found.read(month_first=False) == DAY
    assert (found.start, found.end) == (3, 3 + len(text))
    if language:
        assert language in found.languages


@pytest.mark.parametrize("month", ["août", "aout", "Aug", "agosto", "ago"])
def test_accents_and_short_forms(month: str) -> None:
    assert dates(f"1 {month} 2018")[0].day == date(2018, 8, 1)


def test_first_of_the_month_in_french() -> None:
    assert dates("1er juin 2018")[0].day == date(2018, 6, 1)


def test_a_date_may_be_glued_to_the_text() -> None:
    found = dates("08.12.2022Each card")[0]
    assert (found.read(month_first=False), found.end) == (date(2022, 12, 8), 10)


def test_order_of_numbers() -> None:
    found = dates("03/04/2018")[0]
    assert found.read(month_first=True) == date(2018, 3, 4)
    assert found.read(month_first=False) == date(2018, 4, 3)
    assert dates("03/14/2018")[0].read(month_first=False) == date(2018, 3, 14)


@pytest.mark.parametrize(
    "text", ["rule 702.19", "1.2.3", "12 cards 2018", "version 10.2018", "May block 2018", "x2018-03-09"]
)
def test_no_date(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize("text", ["31.02.2018", "2018-13-40", "31 avril 2018", "1492-10-12"])
def test_not_in_the_calendar(text: str) -> None:
    assert [d.read(month_first=False) for d in dates(text)] in ([None], [])


def test_dates_of_books() -> None:
    assert english_date("as of the spring, on 03/09/2018 or so") == DAY
    assert english_date("no date") is None
    assert file_date("MagicCompRules-20180309.txt") == DAY
    assert file_date("books 20200101/rules_2018_03_09.txt") == DAY
    assert file_date("books-20180309.zip!rules.txt") == DAY
    assert file_date("rules-99999999.txt") is None
