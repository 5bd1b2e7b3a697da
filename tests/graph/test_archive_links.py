"""The links come back as they were written, whole and one by one."""

import pytest

from rulings.graph.archive import Analyses, concept_counts, write_links
from rulings.graph.errors import StoreError
from rulings.graph.records import Derived
from rulings.ingest.record_file import of_cards


@pytest.fixture
def counts(small, small_links):
    return concept_counts(small_links, {key: s.oracle_ids for key, s in small.statements.items()})


@pytest.fixture
def analyses(small_links, counts, tmp_path):
    write_links(small_links, counts, tmp_path / "links.sqlite")
    opened = Analyses(tmp_path / "links.sqlite")
    yield opened
    opened.close()


def test_everything_comes_back(analyses, small_links):
    assert analyses.derived() == small_links


def test_concepts_are_counted_by_statement_and_card(counts):
    assert counts == {"copy": (1, 1), "creature": (1, 1), "mana-value": (2, 1)}


def test_one_by_one(analyses, small_links):
    new, old = small_links.groups[0]
    assert analyses.analysis(old) == small_links.analyses[old]
    assert analyses.analysis("unknown").clarifies == ()
    assert analyses.group(old) == (new, old)
    assert analyses.group("unknown") == ("unknown",)
    assert analyses.concepts("cmc") == analyses.concepts("Mana Value") == ("mana-value",)
    assert analyses.concepts("Kopie") == ("copy",)
    assert analyses.concept_size("mana-value") == (2, 1)
    assert analyses.narrower("copy") == ("mana-value",)
    assert {key for _, key, _ in analyses.statements("concept", "mana-value")} == {new, old}
    assert analyses.statements("card", "aaaa") == (("mentions", new, 0.5),)
    assert [relation for relation, _, _ in analyses.statements("rule", "707.2")] == ["clarifies"]
    assert analyses.restatements(old) == analyses.restatements(new) == small_links.restatements
    assert analyses.alike("aaaa") == small_links.works_like["aaaa"]
    assert analyses.same_rules("707.2") == analyses.same_rules("706.2") == small_links.same_rules
    assert analyses.relation_counts() == {
        "clarifies": 4,
        "mentions": 2,
        "rewords": 1,
        "sameRuleAs": 1,
        "worksLike": 1,
    }


@pytest.mark.parametrize("name", ["links.sqlite", "links-cards.sqlite"])
@pytest.mark.parametrize("content", [None, b"text"])
def test_what_holds_no_links_is_refused(small_links, content, name, tmp_path):
    write_links(small_links, {}, tmp_path / "links.sqlite")
    path = tmp_path / name
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StoreError, match="rulings build"), Analyses(tmp_path / "links.sqlite") as links:
        links.derived()


def test_what_depends_on_cards_alone_is_taken_over(small_links, tmp_path):
    old, new = tmp_path / "old.sqlite", tmp_path / "new.sqlite"
    write_links(small_links, {}, old)
    write_links(Derived(), {}, new, former=old)
    assert of_cards(new).samefile(of_cards(old))
    with Analyses(new) as links:
        found = links.derived()
    assert found.card_uses == small_links.card_uses
    assert found.card_uses
    assert found.analyses == {}
