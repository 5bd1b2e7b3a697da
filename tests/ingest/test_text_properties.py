"""Properties of the readers of texts: whatever the bytes, and whole books and pages made up at random."""

import io
from datetime import date

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulings.ingest.errors import IngestError
from rulings.ingest.pages import PageReader
from rulings.ingest.reader import Head
from rulings.ingest.records import GlossaryEntry, Place, Report, Rule, SavedPage
from rulings.ingest.rules_references import LETTERS
from rulings.ingest.rules_text import RulesTextReader

_WORDS = "a the card player’s “copy” spell may be put onto Æther 3 of its X ½ cost damage"
_WORD = st.sampled_from(_WORDS.split())
SENTENCE = st.lists(_WORD, min_size=5, max_size=14).map(lambda words: "So " + " ".join(words) + ".")
_START = st.sampled_from(["So", "-1/-1 counters", "(If so)", "[+1]: Then", "*/* creatures", "{X}", "+1:"])
RULING = st.builds("{} {}".format, _START, SENTENCE)
_RULES = ["1. One\n", "100. General\n", "100.1. A rule.\n", "100.1a More.\r", "Glossary\n", "Credits", "Example: x\n"]
_PAGES = ["2018-07-13", "08.12.2022", "13 juillet 2018", " · ", "<p>", "</script>", "<script>", "31/31/2018 ", "• "]
_PIECES = st.sampled_from([*_RULES, *_PAGES, "\n", "Term\n", "rule 100.1-2", "\x00"])
RANDOM_TEXT = st.lists(_PIECES | st.text(max_size=8) | SENTENCE, max_size=30).map("".join)
ENCODED = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@given(RANDOM_TEXT, st.sampled_from([RulesTextReader(), PageReader()]))
@settings(max_examples=300, deadline=None)
def test_random_text_raises_nothing_but_ingest_errors(text: str, reader: RulesTextReader | PageReader) -> None:
    data = text.encode("utf-8", errors="surrogatepass")
    assert reader.matches(Head(data)) in {True, False}
    try:
        for record, place in reader.read(io.BytesIO(data), Place("r-20200101.txt"), Report()):
            assert record
            assert place.file == "r-20200101.txt"
    except IngestError as error:
        assert "r-20200101.txt" in str(error)  # noqa: PT017


@given(st.binary(max_size=200), st.sampled_from([RulesTextReader(), PageReader()]))
@settings(deadline=None)
def test_matching_never_raises(data: bytes, reader: RulesTextReader | PageReader) -> None:
    assert reader.matches(Head(data)) in {True, False}


@st.composite
def books(draw: st.DrawFn) -> list[tuple[str, str, tuple[str, ...]]]:
    """Numbers with texts and examples, in book order, some numbers left out."""
    book: list[tuple[str, str, tuple[str, ...]]] = []
    for section in sorted(draw(st.sets(st.integers(1, 9), min_size=1, max_size=3))):
        book.append((str(section), f"Part {section}", ()))
        for chapter in sorted(draw(st.sets(st.integers(0, 30), min_size=1, max_size=3))):
            number = f"{section}{chapter:02}"
            book.append((number, f"Chapter of {number}", ()))
            for rule in sorted(draw(st.sets(st.integers(1, 20), min_size=1, max_size=4)) | {1}):
                examples = tuple(draw(st.lists(SENTENCE, max_size=2)))
                book.append((f"{number}.{rule}", draw(SENTENCE), examples))
                letters = LETTERS[: draw(st.integers(0, 14))]
                book += ((f"{number}.{rule}{letter}", draw(SENTENCE), ()) for letter in letters)
    return book


def printed(book: list[tuple[str, str, tuple[str, ...]]], terms: list[tuple[str, str]], end: str, *, dots: bool) -> str:
    contents = [f"{number}. {text}" for number, text, _ in book if "." not in number]
    body: list[str] = []
    for number, text, examples in book:
        dot = "." if "." not in number or (dots and number[-1].isdigit()) else ""
        body += ["", f"{number}{dot} {text}", *(f"Example: {example}" for example in examples)]
    glossary = [line for term, text in terms for line in ("", term, text)]
    head = ["Comprehensive Rules", "", "These rules are effective as of July 23, 2003.", "", "Contents", "", *contents]
    return end.join([*head, "Glossary", "Credits", *body, "", "Glossary", *glossary, "", "Credits", "", "Many people."])


@given(books(), st.lists(SENTENCE, max_size=4), ENCODED, LINE_ENDS, st.booleans())
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_a_printed_book_reads_back(
    book: list[tuple[str, str, tuple[str, ...]]], meanings: list[str], encoding: str, end: str, dots: bool
) -> None:
    terms = [(f"Term {chr(65 + n)}", meaning) for n, meaning in enumerate(meanings)]
    text = printed(book, terms, end, dots=dots)
    data = text.encode(encoding, errors="replace")
    text_back = data.decode(encoding)
    report = Report()
    records = [record for record, _ in RulesTextReader().read(io.BytesIO(data), Place("r.txt"), report)]
    rules = [r for r in records if isinstance(r, Rule)]
    as_printed = [(n, t if t in text_back else "", x) for n, t, x in book]
    assert [(r.number, r.text if r.text in text_back else "", r.examples) for r in rules] == as_printed
    assert {r.edition for r in rules} == {date(2003, 7, 23)}
    assert all(r.parent in {x.number for x in rules} for r in rules if len(r.number) > 1)
    assert [(e.term, e.text) for e in records if isinstance(e, GlossaryEntry)] == terms
    assert not report.problems


@given(
    st.lists(st.tuples(st.dates(date(1994, 1, 1), date(2030, 1, 1)), RULING), min_size=2, max_size=6),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%B %d, %Y"]),
    st.sampled_from(["{d} {t}", "• {d}{t}", "{d}\n{t}\n", "{t}\n({d})\n", "{t} ({d})"]),
    ENCODED,
    LINE_ENDS,
)
@settings(max_examples=150, deadline=None)
def test_a_page_reads_back(rulings: list[tuple[date, str]], pattern: str, shape: str, encoding: str, end: str) -> None:
    lines = [
        "A Heading",
        "",
        *(shape.format(d=day.strftime(pattern), t=text) for day, text in rulings),
        "",
        "Made by fans",
    ]
    data = end.join(line for block in lines for line in block.split("\n")).encode(encoding, errors="replace")
    ((page, _),) = PageReader().read(io.BytesIO(data), Place("p.txt"), Report())
    assert isinstance(page, SavedPage)
    assert [r.published for r in page.rulings] == [day for day, _ in rulings]
    assert [r.text for r in page.rulings] == [text for _, text in rulings]
    assert "A Heading" in page.heading
