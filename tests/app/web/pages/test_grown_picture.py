"""Pictures that grow, and lose relations."""

from rulings.app.web.pages.grown_picture import MOST, grown, without
from rulings.graph.picture import Picture, PictureEdge, PictureNode


def node(key, column=0):
    return PictureNode(key, "concept", "concept", key, key, column=column)


def picture(centre, columns, *edges):
    nodes = (node(centre), *(node(key, column) for key, column in columns.items()))
    return Picture("made up", centre, nodes, tuple(PictureEdge(*edge) for edge in edges))


BASE = picture("a", {"left": -1, "right": 1}, ("a", "related", "left"), ("right", "about", "a"))


def test_neighbours_grow_away_from_the_centre():
    made = grown(BASE, [picture("left", {"x": 1, "y": -1}), picture("right", {"z": -1})])
    assert {each.key: each.column for each in made.nodes} == {"a": 0, "left": -1, "right": 1, "x": -2, "y": -2, "z": 2}


def test_what_is_not_there_does_not_grow_and_nothing_stands_twice():
    around = picture("left", {"a": 1}, ("left", "related", "a"), ("left", "broader", "a"))
    made = grown(BASE, [around, picture("elsewhere", {"x": 1})])
    assert [each.key for each in made.nodes] == ["a", "left", "right"]
    assert [(e.start, e.relation, e.end) for e in made.edges][2:] == [("left", "broader", "a")]


def test_no_more_grows_than_can_be_read():
    made = grown(BASE, [picture("left", {f"n{n}": 1 for n in range(100)})])
    assert len(made.nodes) == MOST
    assert made.left_out[-1].count == 103 - MOST


def test_without_a_relation_goes_what_hung_on_it():
    made = without(grown(BASE, [picture("right", {"z": 1}, ("right", "mentions", "z"))]), {"about"})
    assert [each.key for each in made.nodes] == ["a", "left"]
    assert [e.relation for e in made.edges] == ["related"]
