"""Pictures hold the right nodes and edges, tell what they leave out, and are drawn escaped and always the same."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import combinations

import pytest

from rulings.graph.archive import Analyses, concept_counts, write_links
from rulings.graph.html_picture import html, vis_network
from rulings.graph.lookup import find
from rulings.graph.picture import LeftOut, Picture, PictureEdge, PictureNode, shortened
from rulings.graph.picture_layout import grid
from rulings.graph.picture_routes import routes, shared
from rulings.graph.picture_text import broken, width
from rulings.graph.surroundings import surroundings
from rulings.graph.svg import svg
from rulings.graph.vocabulary import Iris
from rulings.ingest import Archive, write_archive

IRIS = Iris()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def parts(small, small_links, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    write_archive(small, folder / "records.sqlite")
    counts = concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})
    write_links(small_links, counts, folder / "links.sqlite")
    return Archive(folder / "records.sqlite"), Analyses(folder / "links.sqlite")


def around(parts, name, **options) -> Picture:
    return surroundings(find(name, *parts, IRIS)[0], *parts, IRIS, **options)


def edges(picture: Picture) -> set[tuple[str, str, str]]:
    return {(edge.start, edge.relation, edge.end) for edge in picture.edges}


def test_a_card_with_its_rulings_what_they_are_about_and_cards_like_it(parts, small):
    picture = around(parts, "Mimic")
    key = "statement/" + next(ruling.key for ruling in small.rulings if ruling.oracle_id == "aaaa")
    assert picture.centre == "card/aaaa"
    assert {
        (key, "about", "card/aaaa"),
        (key, "clarifies", "concept/copy"),
        (key, "clarifies", "rule/20260227/707.2"),
        ("card/aaaa", "worksLike", "card/bbbb"),
    } <= edges(picture)
    assert picture.node(key).column > 0 > picture.node("card/bbbb").column
    assert next(e for e in picture.edges if e.relation == "worksLike").confidence == 0.4
    assert next(e for e in picture.edges if e.relation == "about").confidence is None
    assert picture.left_out == ()


def test_a_concept_with_its_family(parts):
    picture = around(parts, "Mana Value")
    assert ("concept/mana-value", "broader", "concept/copy") in edges(picture)
    assert ("concept/mana-value", "broader", "concept/copy") in edges(around(parts, "Copy"))
    assert ("concept/copy", "definedBy", "rule/20260227/707.2") in edges(around(parts, "Copy"))


def test_a_rule_with_its_tree_and_other_editions(parts):
    found = edges(around(parts, "707.2"))
    assert {
        ("rule/20260227/707.2", "partOf", "rule/20260227/707"),
        ("rule/20260227/707", "partOf", "rule/20260227/7"),
        ("rule/20210422/706.2", "sameRuleAs", "rule/20260227/707.2"),
        ("rule/20260227/707.2", "refersTo", "rule/20260227/707.3"),
    } <= found
    columns = dict(around(parts, "707.2").columns())
    assert [node.head for node in columns[0]] == ["rule 706.2 of 2021-04-22", "rule 707.2"]


def test_a_ruling_through_the_years(parts, small_links):
    new, old = small_links.groups[0]
    picture = around(parts, new)
    assert (f"statement/{new}", "rewords", f"statement/{old}") in edges(picture)
    assert [node.head for node in dict(picture.columns())[0]] == ["outdated ruling 2019-05-01", "ruling 2022-05-01"]
    assert "Outdated: converted mana cost is now mana value" in picture.node(f"statement/{old}").text


def test_every_kind_is_drawn_and_more_hops_reach_farther(parts):
    for name in ("Mimic", "Copy", "707", "2026-02-27"):
        ET.fromstring(around(parts, name).svg())
    near, far = around(parts, "2026-02-27"), around(parts, "2026-02-27", hops=3)
    assert len(near.nodes) == 2
    assert {"rule/20260227/707", "rule/20260227/707.3"} <= {node.key for node in far.nodes}


def test_what_finds_no_room_is_counted(parts):
    whole, cut = around(parts, "Mimic"), around(parts, "Mimic", most=3)
    assert len(cut.nodes) == 3
    assert sum(out.count for out in cut.left_out) == len(whole.nodes) - 3
    lines = [t.text for t in ET.fromstring(cut.svg()).iter(f"{SVG}text") if t.get("class") == "note left-out"]
    assert " ".join(lines) == cut.left_out_words()
    words = Picture("t", "a", (), (), (LeftOut(12, "rulings", "Clone"), LeftOut(1, "cards"), LeftOut(2, "rules")))
    assert words.left_out_words() == (
        "Not drawn at Clone: 12 more rulings; around the other nodes: 1 more card, 2 more rules."
    )


def made_up(count: int = 30) -> Picture:
    """A crowded picture of long and hostile texts, with edges within columns and across several."""
    kinds = ("card", "concept", "rule", "statement", "edition", "question")
    hostile = "<script>alert('x')</script> & \"quoted\" \x00\ud800 ]]> 長い文字列"
    nodes = [
        PictureNode(
            f"n{n}", kinds[n % 6], f"head {n}", shortened(f"{hostile} {'word ' * n}", 100), hostile, "", n % 5 - 2
        )
        for n in range(count)
    ]
    links = [
        PictureEdge(f"n{n}", "worksLike" if n % 2 else "about", f"n{n * 7 % count}", 0.5 if n % 3 else None)
        for n in range(count)
        if n * 7 % count != n
    ]
    return Picture(hostile, "n2", tuple(nodes), tuple(links), (LeftOut(3, "<rules>", "a & b"),))


def test_svg_is_well_formed_escaped_and_complete():
    picture = made_up()
    root = ET.fromstring(picture.svg())
    assert root.tag == f"{SVG}svg"
    assert not list(root.iter(f"{SVG}script"))
    groups = {g.get("data-key"): g for g in root.iter(f"{SVG}g") if g.get("data-key")}
    assert list(groups) == [node.key for node in picture.nodes]
    assert "<script>alert('x')</script> & \"quoted\"" in groups["n0"].find(f"{SVG}title").text
    labels = [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "relation"]
    assert sorted(labels) == sorted(edge.words for edge in picture.edges)
    assert "works like" in labels
    legend = [g.get("class").split() for g in root.iter(f"{SVG}g") if g.get("class", "").startswith("legend")]
    assert {kind for _, *kinds in legend for kind in kinds} == {
        "card",
        "concept",
        "rule",
        "statement",
        "edition",
        "question",
        "derived",
    }


def test_shapes_differ_without_colour():
    from rulings.graph.svg import COLOURS, shape

    assert (
        len({re.sub(r"[-\d. ]+", "", shape(kind, 0, 0, 90, 40)) + shape(kind, 0, 0, 90, 40) for kind in COLOURS}) == 6
    )


def test_nothing_lies_on_top_of_another():
    placed = grid(made_up())
    for one, other in combinations(placed.boxes.values(), 2):
        assert not shared((one.x, one.y, one.w, one.h), (other.x, other.y, other.w, other.h))
    for box in placed.boxes.values():
        assert all(width(line, 12) <= box.w for line in box.lines)


def test_labels_of_a_real_neighbourhood_lie_free(sample_home):
    from rulings.search.generation import current

    made = current(sample_home)
    for name in ("Clone", "Copy", "707.2"):
        placed = grid(made.graph.picture(name))
        taken = [route.label_box for route in routes(placed)]
        assert taken
        assert not any(shared(one, other) for one, other in combinations(taken, 2))
        assert not any(shared(label, (b.x, b.y, b.w, b.h)) for label in taken for b in placed.boxes.values())


def test_the_same_picture_gives_the_same_bytes(parts):
    assert svg(made_up()) == svg(made_up())
    assert around(parts, "Mimic").svg() == around(parts, "Mimic").svg()
    assert html(made_up(), "") == html(made_up(), "")


@pytest.mark.parametrize("library", ["", "var vis = {}; // </script> <!-- "])
def test_a_page_asks_no_other_host(library):
    page = html(made_up(), library)
    assert not re.search(r"(?:src|href|url|import)\s*[=(:]\s*[\"']?\s*(?:https?:)?//", page)
    assert "default-src 'none'" in page
    assert page.count("</script>") == (1 if not library else 3)
    assert "<script>alert" not in page
    if library:
        data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
        assert len(data["nodes"]) == 30
        assert "3 more &lt;rules&gt;" in page


def test_pyvis_gives_its_script_where_installed():
    pytest.importorskip("pyvis", reason="pyvis is not installed; the page then holds the SVG alone")
    assert "vis-network" in vis_network()[:200]
    assert "new vis.Network" in made_up().html()


def test_a_notebook_shows_it_as_svg():
    assert made_up()._repr_svg_().startswith("<svg ")


def test_text_is_broken_and_shortened_at_words():
    assert shortened("one two three", 9) == "one two…"
    assert shortened("short", 9) == "short"
    lines = broken("a ruling of many words that goes on and on", 12, 90, 2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert all(width(line, 12) <= 90 for line in lines)
    assert broken("Donaudampfschifffahrtsgesellschaft", 12, 80, 2)[0].endswith("…")
    assert broken("", 12, 80, 2) == [""]
