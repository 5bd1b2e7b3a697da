"""Every view as a client without scripts gets it."""

import re
from html.parser import HTMLParser
from urllib.parse import quote, urljoin

import pytest
import rdflib

from rulings.search import Rulings

QUESTION = "Can I copy half of a split card?"
ID = "https://w3id.org/rulings/id/"
SPLIT, HOSTILE = (f"/id/card/aaaaaaaa-0000-0000-0000-00000000000{n}" for n in (2, 1))


class _Links(HTMLParser):
    """The addresses of a page's links by their words, and the words of the page."""

    def __init__(self):
        super().__init__()
        self.found, self.words, self._at = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self._at = [dict(attrs).get("href", ""), ""]

    def handle_data(self, data):
        self.words.append(data)
        if self._at:
            self._at[1] += data

    def handle_endtag(self, tag):
        if tag == "a" and self._at:
            self.found.append((" ".join(self._at[1].split()), self._at[0]))
            self._at = []


def links(answer):
    parser = _Links()
    parser.feed(answer.text)
    return parser.found


def words(answer):
    parser = _Links()
    parser.feed(answer.text)
    return " ".join(" ".join(parser.words).split())


def followed(server, answer, wanted, here=""):
    """The page behind the link with these words; ``here`` is the page's own address."""
    address = urljoin(here, next(url for text, url in links(answer) if text == wanted))
    found = server.get(address.partition("#")[0])
    while found.status == 303:
        found = server.get(found.headers["location"].partition("#")[0])
    assert found.status == 200, address
    return found


@pytest.fixture(scope="module")
def kb(sample_home):
    return Rulings.open(sample_home)


@pytest.fixture(scope="module")
def answer(server):
    return server.get("/", {"q": QUESTION})


def test_the_first_page_has_a_box_and_examples_that_are_answered(server):
    start = server.get("/")
    assert start.status == 200
    assert '<input id="q" name="q"' in start.text
    examples = [url for _, url in links(start) if url.startswith("/?q=")]
    assert len(examples) >= 3
    for url in examples:
        assert "No ruling found" not in server.get(url).text


def test_an_answer_reads_as_the_library_gives_it(kb, answer):
    assert answer.status == 200
    told = kb.ask(QUESTION, k=5)
    shown = words(answer)
    places = [shown.index(" ".join(result.text.split())) for result in told.results]
    assert places == sorted(places)
    first = told.results[0]
    assert (first.cards[0].name, f"/id/card/{first.cards[0].oracle_id}") in links(answer)
    assert first.cards[0].published in shown
    for rule in told.rules:
        assert f"Rule {rule.number}" in shown
        assert " ".join(rule.text.split()) in shown
    assert "How it was found" in shown


def test_k_and_what_was_taken_back_are_in_the_address(server, kb):
    question = "Does Spark Double copy counters?"
    whole = server.get("/", {"q": question, "k": 3})
    assert whole.text.count('class="ruling"') == 3
    removed = next(url for text, url in links(whole) if text.startswith("Ask again without Spark Double"))
    assert "not_card=Spark+Double" in removed
    assert "k=3" in removed
    again = server.get(removed)
    assert "Ask again without Spark Double" not in again.text
    assert "<s>Spark Double</s>" in again.text
    assert ("Ask as it was", "/?q=Does+Spark+Double+copy+counters%3F&k=3") in links(again)


def test_a_question_without_a_ruling_says_so_and_shows_the_nearest(server):
    declined = server.get("/", {"q": "What does Blood Moon cost in euros?"})
    assert declined.status == 200
    assert "No ruling found that settles this" in declined.text
    assert 'class="results nearest"' in declined.text


def test_an_outdated_ruling_is_flagged_with_the_newer_one(server, odd):
    card = odd.get(SPLIT)
    flagged = re.findall(r'<div class="outdated".*?</div>', card.text, re.DOTALL)
    assert len(flagged) == 1
    newer = followed(odd, card, "Its mana value is that of both halves together.")
    shown, _, others = words(newer).partition("Other wordings of the same ruling")
    assert "Outdated." not in shown
    assert "Its converted mana cost is that of both halves together." in others
    answer = server.get("/", {"q": "What is the converted mana cost of a split card?"})
    first = re.search(r'<li class="old"><article.*?</article>', answer.text, re.DOTALL)[0]
    assert first.index("Outdated.") < first.index('class="ruling"')


def test_a_question_that_is_a_name_offers_its_page(server):
    found = followed(server, server.get("/", {"q": "clone"}), "Open the page of clone")
    assert "<h1>Clone" in found.text


@pytest.mark.parametrize("question", ["?!", "\0", "a" * 10_001], ids=["signs", "null", "long"])
def test_what_is_no_question_is_told_on_the_page(server, question):
    refused = server.get("/", {"q": question})
    assert refused.status == 400
    assert 'role="alert"' in refused.text


def test_a_card_shows_its_rulings_by_face_and_day(odd):
    page = odd.get(SPLIT)
    shown = words(page)
    assert page.status == 200
    assert shown.index("On the whole card") < shown.index("2022-01-01") < shown.index("2020-01-01")
    assert shown.index("On Left") < shown.index("2021-01-01") < shown.index("Left's half stays Left")
    assert 'id="face-1"' in page.text


def test_a_face_and_a_ruling_lead_to_their_pages(odd):
    face = odd.get(SPLIT.replace("/card/", "/face/") + "/1")
    assert (face.status, face.headers["location"]) == (303, f"{SPLIT}#face-1")
    turtle = odd.get(SPLIT, {"format": "ttl"})
    ruling = next(
        iter(
            rdflib.Graph().parse(data=turtle.text).subjects(rdflib.URIRef("https://w3id.org/rulings/vocab#about"), None)
        )
    )
    path = str(ruling).replace(ID, "/id/")
    assert odd.get(path).headers["location"] == "/id/statement/" + path.rpartition("/")[2]


def test_from_an_answer_to_a_card_a_concept_and_a_rule(server, kb, answer):
    result = kb.ask(QUESTION, k=5).results[0]
    assert "<h1>" in followed(server, answer, result.cards[0].name).text
    concept = followed(server, answer, result.concepts[0])
    assert f"<h1>{result.concepts[0]}</h1>" in concept.text
    rule = followed(server, answer, f"Rule {result.rules[0].number} in its place")
    assert f"<h1>Rule {result.rules[0].number}</h1>" in rule.text
    assert 'aria-label="Breadcrumbs"' in rule.text
    ruling = followed(server, answer, " ".join(result.text.split()))
    assert f"Key {result.key}" in ruling.text


def test_a_concepts_rulings_pass_its_filters(server, kb):
    every = server.get("/id/concept/copy")
    assert len(re.findall('<div class="line', every.text)) == 25
    later = followed(server, every, "Next", "/id/concept/copy")
    assert "Page 2" in later.text
    clone = server.get("/id/concept/copy", {"words": "clone", "how": "about", "state": "force"})
    keys = re.findall(r'class="text" href="/id/statement/(\w+)"', clone.text)
    assert keys
    for key in keys:
        statement = kb.generation.archive.statement(key)
        cards = " ".join(kb.generation.archive.card(i).name for i in statement.oracle_ids)
        assert "clone" in f"{statement.text} {cards}".lower()
        analysis = kb.generation.analyses.analysis(key)
        assert any(about.concept == "copy" for about in analysis.clarifies)
        assert not analysis.outdated
    assert "No ruling passes" in server.get("/id/concept/copy", {"words": "zebra"}).text


def test_a_rule_shows_its_links_its_history_and_its_rulings(odd):
    page = odd.get("/id/rule/20260227/707.2")
    assert ("707.3", "/id/rule/20260227/707.3") in links(page)
    assert ("2021-04-19: rule 706.2", "/id/rule/20210419/706.2") in links(page)
    assert "<del>of, all of them.</del>" in page.text
    assert "Rulings that rest on it" in page.text
    old = odd.get("/id/rule/20210419/706.2")
    assert "Superseded." in old.text
    assert ("rule 707.2 of 2026-02-27", "/id/rule/20260227/707.2") in links(old)
    edition = odd.get("/id/edition/20210419")
    assert ("706 Copying Objects", "/id/rule/20210419/706") in links(edition)


def test_a_rule_that_is_a_title_opens_with_those_below_it(odd):
    concept = odd.get("/id/concept/fuse")
    rule = re.search(r'<details class="rule">.*?</details>', concept.text, re.DOTALL)[0]
    assert "Rule 702.1 " in rule
    assert "Both halves may be cast together." in rule


@pytest.mark.parametrize(
    ("name", "place"),
    [("clone", "/id/card/"), ("Copy", "/id/concept/copy"), ("rule 707.10", "/id/rule/20260227/707.10"), ("", "/")],
)
def test_find_leads_to_the_page_of_a_name(server, name, place):
    found = server.get("/find", {"q": name})
    assert found.status == 303
    assert found.headers["location"].startswith(place)


@pytest.mark.parametrize("path", ["/find?q=clonne", "/id/concept/copyy", "/id/card/clonne", "/id/rule/20260227/999.9"])
def test_an_unknown_name_is_not_found_and_near_ones_are_named(server, path):
    missing = server.get(path)
    assert missing.status == 404
    assert "Did you mean" in missing.text
    if "9" not in path:
        assert re.search("(?i)>(clone|copy)</a>", missing.text)


@pytest.mark.parametrize("path", ["concept/copy", "rule/20260227/707.10", "edition/20260227", "nothing/here"])
@pytest.mark.parametrize(
    ("media", "form"), [("text/turtle", "turtle"), ("application/ld+json", "json-ld"), ("application/n-triples", "nt")]
)
def test_a_node_is_linked_data_too(server, path, media, form):
    got = server.get(f"/id/{path}", Accept=media)
    if path.startswith("nothing"):
        assert got.status == 404
        return
    assert got.headers["content-type"].startswith(media)
    assert "accept" in got.headers["vary"].lower()
    graph = rdflib.Graph().parse(data=got.text, format=form)
    node = rdflib.URIRef(ID + path)
    assert (node, rdflib.RDF.type, None) in graph
    assert (node, rdflib.RDFS.label, None) in graph
    assert len(graph) < 6000


def test_browsers_get_the_page_and_others_what_they_ask_for(server):
    browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    assert server.get("/id/concept/copy", Accept=browser).headers["content-type"].startswith("text/html")
    assert server.get("/id/concept/copy", {"format": "jsonld"}).headers["content-type"] == "application/ld+json"
    assert server.get("/id/concept/copy", {"format": "odd"}).status == 400
    assert server.get("/id/concept/copy", Accept="image/png").status == 406


def test_a_person_is_told_of_a_problem_on_a_page(server):
    told = server.get("/id/concept/copy", {"format": "odd"}, Accept="text/html,*/*;q=0.8")
    assert told.status == 400
    assert "<h1>Bad Request</h1>" in told.text
    assert "ttl" in told.text
    program = server.get("/id/concept/copy", {"format": "odd"}, Accept="text/turtle, */*;q=0.1")
    assert (program.status, program.headers["content-type"]) == (400, "application/problem+json")


def test_a_page_is_sent_again_only_when_it_changed(server):
    first = server.get("/id/concept/copy")
    again = server.get("/id/concept/copy", If_None_Match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert server.get("/id/concept/copy", If_None_Match='W/"other"').status == 200
    turtle = server.get("/id/concept/copy", Accept="text/turtle", If_None_Match=first.headers["etag"])
    assert turtle.status == 200
    known = turtle.headers["etag"]
    assert server.get("/id/concept/copy", Accept="text/turtle", If_None_Match=known).status == 304


def test_the_graph_around_a_node_leads_on(server):
    page = server.get("/graph", {"node": "concept/copy"})
    assert page.status == 200
    assert re.search('<a href="/id/statement/[0-9a-f]{12}">\n<g class="statement"', page.text)
    opening = next(url for text, url in links(page) if text.endswith("show its neighbours"))
    grown = server.get(opening)
    assert grown.text.count("data-key=") > page.text.count("data-key=")
    hidden = server.get("/graph", {"node": "concept/copy", "hide": "clarifies"})
    assert 'class="statement"' not in hidden.text
    assert 'value="clarifies" checked' in hidden.text


def test_an_answer_is_a_graph(server):
    page = server.get("/graph", {"q": QUESTION})
    assert 'class="question centre"' in page.text
    assert ("The answer", "/?q=" + quote(QUESTION).replace("%20", "+")) in links(page)
    assert server.get("/graph", {"q": "?!"}).status == 400
    assert server.get("/graph", {"node": "concept/none"}).status == 404


def test_a_query_is_run_and_its_terms_lead_on(server):
    start = server.get("/query")
    assert start.status == 200
    found = server.get("/query", {"query": "SELECT ?c { ?c a rul:Concept ; skos:prefLabel 'Copy'@en }"})
    assert ("concept:copy", "/id/concept/copy") in links(found)
    file = followed(server, found, "CSV")
    assert file.body.splitlines() == [b"c", ID.encode() + b"concept/copy"]
    assert "attachment" in file.headers["content-disposition"]
    assert ">yes<" in server.get("/query", {"query": "ASK { ?c a rul:Concept }"}).text


def test_triples_are_a_table_a_picture_and_files(server):
    query = "CONSTRUCT { ?c skos:related ?o } { ?c skos:related ?o }"
    table = server.get("/query", {"query": query})
    assert "skos:related" in table.text
    picture = server.get("/query", {"query": query, "view": "graph"})
    assert '<g class="concept' in picture.text
    turtle = followed(server, table, "TTL")
    assert len(rdflib.Graph().parse(data=turtle.text)) > 3


def test_the_library_runs_with_its_parameters(server):
    start = server.get("/query").text
    assert start.count('name="use"') > 20
    found = server.get("/query", {"use": "card-rulings", "p.card": "clone"})
    assert "Picking what to copy is not targeting." in words(found)
    assert 'name="p.card" value="clone"' in found.text
    assert server.get("/query", {"use": "nothing"}).status == 400


def test_an_error_is_shown_at_its_place(server):
    wrong = server.get("/query", {"query": "SELECT ?s {\n  ?s rul:clarfies ?o .\n}"})
    assert wrong.status == 400
    assert 'data-line="2" data-column="6"' in wrong.text
    assert "did you mean rul:clarifies" in wrong.text
    assert "  2   ?s rul:clarfies ?o .\n         ^" in wrong.text


def test_the_terms_for_the_editor(server):
    found = server.get("/query/terms").json()
    assert "rul:clarifies" in found["terms"]
    assert found["prefixes"]["skos"] == "http://www.w3.org/2004/02/skos/core#"
