"""Dates as sites and books write them in English, German, French, Spanish, Italian and Portuguese."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

_MONTHS = {
    "en": "january february march april may june july august september october november december",
    "de": "januar februar marz april mai juni juli august september oktober november dezember",
    "fr": "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "pt": "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
}
_SHORT = {
    "en": "jan feb mar apr may jun jul aug sep oct nov dec",
    "de": "jan feb mrz apr mai jun jul aug sep okt nov dez",
    "fr": "janv fevr mars avr mai juin juil aout sept oct nov dec",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
    "it": "gen feb mar apr mag giu lug ago set ott nov dic",
    "pt": "jan fev mar abr mai jun jul ago set out nov dez",
}
_OTHER = {"maerz": 3, "janner": 1, "jaenner": 1, "setiembre": 9, "sept": 9, "juill": 7, "fev": 2}
LANGUAGES = tuple(_MONTHS)
"""The languages whose months are known."""

_MONTH_NUMBER: dict[str, int] = {**_OTHER}
_MONTH_LANGUAGES: dict[str, set[str]] = {}
for _table in (_MONTHS, _SHORT):
    for _language, _names in _table.items():
        for _n, _name in enumerate(_names.split(), 1):
            _MONTH_NUMBER.setdefault(_name, _n)
            _MONTH_LANGUAGES.setdefault(_name, set()).add(_language)

_WORD = r"[^\W\d_]{3,10}"
_YEAR = r"(?:19|20)\d\d"
_OF = r"(?:\s*(?:de|del|di|do|of)\s+|[\s.,-]+)"
_DATE = re.compile(
    rf"""(?<![\w])(?:
        (?P<iso>{_YEAR})(?P<isosep>[-/.])(?P<isomonth>\d\d?)(?P=isosep)(?P<isoday>\d\d?)
      | (?P<first>\d\d?)(?P<sep>\s?[./-]\s?)(?P<second>\d\d?)(?P=sep)(?P<year>{_YEAR}|\d\d)
      | (?P<day>\d\d?)(?:\.|st|nd|rd|th|er|º|°|ª|\.º)?{_OF}(?P<month>{_WORD})\.?{_OF}(?P<year2>{_YEAR})
      | (?P<month3>{_WORD})\.?\s+(?P<day3>\d\d?)(?:st|nd|rd|th)?\s*,?\s+(?P<year3>{_YEAR})
    )(?!\d)""",
    re.VERBOSE,
)
_COMPACT = re.compile(rf"(?<!\d)({_YEAR})[-_. ]?([01]\d)[-_. ]?([0-3]\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date found in a text, from ``start`` to ``end``.

    ``day`` is None for one that isn't in the calendar. ``first`` and ``second`` are the numbers of one like 08/12/2022,
    whose order depends on the page, else 0. ``languages`` are those that its month's name fits, empty for numbers.
    """

    start: int
    end: int
    day: date | None
    first: int = 0
    second: int = 0
    year: int = 0
    languages: frozenset[str] = frozenset()
    separator: str = ""

    def read(self, *, month_first: bool) -> date | None:
        """The day, numbers read in the page's order, or in the other one where only that is in the calendar."""
        if not self.first:
            return self.day
        order = (self.first, self.second) if month_first else (self.second, self.first)
        return _date(self.year, *order) or _date(self.year, *reversed(order))


def dates(text: str) -> list[WrittenDate]:
    """All dates in a text, in order. A word that is no month makes no date."""
    return [found for match in _DATE.finditer(text) if (found := _written(match))]


def _written(match: re.Match[str]) -> WrittenDate | None:
    start, end = match.span()
    if match["iso"]:
        return WrittenDate(start, end, _date(int(match["iso"]), int(match["isomonth"]), int(match["isoday"])))
    if match["first"]:
        year = int(match["year"])
        year = year if year > 99 else year + 2000 - 100 * (year > 90)
        return WrittenDate(
            start, end, None, int(match["first"]), int(match["second"]), year, separator=match["sep"].strip()
        )
    name = _bare(match["month"] or match["month3"])
    if name not in _MONTH_NUMBER:
        return None
    year, day = int(match["year2"] or match["year3"]), int(match["day"] or match["day3"])
    languages = frozenset(_MONTH_LANGUAGES.get(name, ()))
    return WrittenDate(start, end, _date(year, _MONTH_NUMBER[name], day), languages=languages)


def _bare(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _date(year: int, month: int, day: int) -> date | None:
    """The day, None where the calendar has no such day or the game was not there yet."""
    try:
        return date(year, month, day) if 1993 <= year <= 2099 else None
    except ValueError:
        return None


def english_date(text: str) -> date | None:
    """The first day written in an English text (numbers are month first), None where there is none."""
    return next((day for found in dates(text) if (day := found.read(month_first=True))), None)


def file_date(name: str) -> date | None:
    """The day in a file's name (year first), the name itself before its folders; None without one."""
    parts = re.split(r"[/\\!]", name)
    for part in reversed(parts):
        for match in _COMPACT.finditer(part):
            day = _date(int(match[1]), int(match[2]), int(match[3]))
            if day:
                return day
    return None
