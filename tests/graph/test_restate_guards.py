"""The guards on single pairs of word lists."""

import pytest

from rulings.graph.restate_guards import Guards, verdict
from rulings.graph.stems import stem


@pytest.fixture
def judge(made):
    corpus = made.corpus_of(
        [], made.rule("702", "Keyword Abilities"), made.rule("702.5", "Hovering"), made.rule("701.9", "Befriend")
    )
    guards = Guards(corpus.newest)

    def alike(one: str, two: str, sentences: tuple[int, int] = (1, 1)) -> bool:
        first, second = (
            guards.fingerprint(tuple(one.split()), sentences[0]),
            guards.fingerprint(tuple(two.split()), sentences[1]),
        )
        return verdict(first, second) is not None

    return alike


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("it looks at the thing you named", "it sees at that thing you named", True),
        ("it will not look at it", "it can not look at it", True),
        ("it fails to see them there", "you do not see them there", True),
        ("it will see them there", "it will not see them there", False),
        ("a hovering thing is seen here", "a thing is seen here", False),
        ("you befriend a thing that is here", "you see a thing that is here", False),
        ("the spell is put there by it", "the ability is put there by it", False),
        ("the spell is put there by it", "that is put there by it", True),
        ("two apples then three apples", "three apples then two apples", False),
        ("pears you control are eaten", "pears are eaten", False),
        ("such pears are ripe and sweet", "plums hang low over wide old walls", False),
    ],
)
def test_verdict(judge, one: str, two: str, same: bool):
    assert judge(one, two) is same


def test_a_sentence_more_is_refused_unless_nothing_is_added(judge):
    assert not judge(
        "it looks at the pears that grow along walls",
        "it looks at the pears that grow along walls and gates near rivers today",
        (1, 2),
    )
    assert judge("it looks at the pears it sees", "it looks at the pears it sees", (1, 2))


@pytest.mark.parametrize(
    "forms",
    [
        ("die", "dies", "died", "dying"),
        ("choose", "chosen", "chose", "chooses"),
        ("ability", "abilities"),
        ("copy", "copied", "copies"),
        ("resolve", "resolves", "resolving", "resolved"),
        ("discard", "discards", "discarding"),
        ("deal", "dealt", "deals"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]):
    assert len({stem(form) for form in forms}) == 1


def test_states_differ_from_deeds():
    assert stem("tapped") != stem("tap")
    assert stem("attacking") != stem("attack")
