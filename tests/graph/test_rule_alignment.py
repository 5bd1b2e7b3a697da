"""Two made-up editions: moves, renumberings, rewordings, merges and rules that go."""

from datetime import date

from rulings.graph.rule_alignment import align_editions, masked
from rulings.ingest import Edition, Rule

OLD, NEW = date(2020, 1, 1), date(2022, 1, 1)


def edition(day: date, **texts: str) -> Edition:
    """``r702_1a="..."`` is rule 702.1a; parents are told from the numbers."""
    rules = {}
    for name, text in texts.items():
        number = name[1:].replace("_", ".")
        parent = number[:-1] if number[-1].isalpha() else number.split(".")[0] if "." in number else number[0]
        rules[number] = Rule(number, text, day, None if parent == number else parent)
    return Edition(day, rules, {})


def test_numbers_are_masked_for_comparison():
    assert masked("Look it up in rule 702.19b, “Stomp.”") == 'look it up in rule #, "stomp."'


def test_same_text_is_followed_to_its_new_number():
    old = edition(
        OLD, r7="Extra", r701="Deeds", r701_1="Nod", r701_1a="To nod is to bow the head. See rule 701.2.", r701_2="Wink"
    )
    new = edition(
        NEW,
        r7="Extra",
        r701="Deeds",
        r701_1="Blink",
        r701_2="Nod",
        r701_2a="To nod is to bow the head. See rule 701.3.",
        r701_3="Wink",
    )
    found = align_editions(old, new)
    assert {n: m.number for n, m in found.items()} == {
        "7": "7",
        "701": "701",
        "701.1": "701.2",
        "701.1a": "701.2a",
        "701.2": "701.3",
    }
    assert found["701.1a"].method == "same text"


def test_a_reworded_rule_keeps_its_place_and_a_lost_one_is_gone():
    old = edition(
        OLD,
        r5="Turns",
        r509="Guards",
        r509_1="A player names the guards that stand in front of each gate this turn.",
        r509_2="Gold is weighed on brass scales by an honest clerk before noon.",
    )
    new = edition(
        NEW,
        r5="Turns",
        r509="Guards",
        r509_1="A player names which guards stand in front of each of their gates this turn.",
    )
    found = align_editions(old, new)
    assert found["509.1"].number == "509.1"
    assert found["509.1"].confidence < 1
    assert "509.2" not in found


def test_equal_texts_under_several_parents_stay_under_theirs():
    old = edition(
        OLD,
        r7="Extra",
        r702="Powers",
        r702_1="Nodding",
        r702_1a="More than one is useless.",
        r702_2="Winking",
        r702_2a="More than one is useless.",
    )
    new = edition(
        NEW,
        r7="Extra",
        r702="Powers",
        r702_1="Winking",
        r702_1a="More than one is useless.",
        r702_2="Nodding",
        r702_2a="More than one is useless.",
    )
    found = align_editions(old, new)
    assert (found["702.1a"].number, found["702.2a"].number) == ("702.2a", "702.1a")


def test_a_title_renamed_is_followed_by_its_parts():
    old = edition(
        OLD,
        r3="Kinds",
        r308="Tribesfolk",
        r308_1="Such a card has another kind besides.",
        r308_2="Their subtypes are shared with critters.",
    )
    new = edition(
        NEW,
        r3="Kinds",
        r308="Kinsmen",
        r308_1="Such a card has another kind besides.",
        r308_2="Their subtypes are shared with critters.",
    )
    assert align_editions(old, new)["308"].number == "308"


def test_a_rule_whose_words_stand_in_another_is_merged():
    old = edition(
        OLD,
        r7="Extra",
        r712="Cards",
        r712_1="Each face of a coin card has a picture.",
        r713="Halves",
        r713_1="The front face of each half card and the joined back face formed by a pair has its own set of traits.",
    )
    new = edition(
        NEW,
        r7="Extra",
        r712="Cards",
        r712_1="Each face of a coin card has a picture. The front face of each half card and the joined back face "
        "formed by a pair has its own set of traits.",
    )
    assert align_editions(old, new)["713.1"].number == "712.1"
