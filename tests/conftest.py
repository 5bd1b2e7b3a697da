"""Fixtures shared by all tests: the real data where it is there, the sample, and a home of its own for each test."""

import contextlib
import socket
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from rulings.app.build import build
from rulings.graph.records import (
    Alike,
    Analysis,
    CardMention,
    CardUse,
    Clarification,
    Concept,
    ConceptMention,
    Copying,
    Derived,
    Outdating,
    Restatement,
    RuleLink,
    SameRule,
)
from rulings.ingest import (
    Card,
    Corpus,
    CorpusBuilder,
    Face,
    GlossaryEntry,
    Place,
    Printing,
    Record,
    Report,
    Rule,
    Ruling,
)
from rulings.ingest.read import build_corpus

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data; the test is skipped where it is not there."""
    if not DATA.is_dir():
        pytest.skip(f"the real data is not at {DATA.parent.name}/{DATA.name} beside the project")
    return DATA


@pytest.fixture(scope="session")
def full(data: Path) -> Corpus:
    """The whole large corpus, read once a run."""
    return build_corpus([data / "full"], Report())


def _record(kind: str, **fields: object) -> tuple[Record, Place]:
    makers: dict[str, Callable[..., Record]] = {"card": Card, "ruling": Ruling, "rule": Rule, "glossary": GlossaryEntry}
    return makers[kind](**fields), Place("made-up", kind)


@pytest.fixture(scope="session")
def small() -> Corpus:
    """A made-up corpus: three cards (one of two faces), four wordings, two editions of a few rules."""
    old, new = date(2021, 4, 22), date(2026, 2, 27)
    copier = "If the copied creature has {X} in its mana cost, X is zero for the copy."
    halves = (
        Face("Left", "{R}", "Instant", "Left deals 2 damage to any target."),
        Face("Right", "{1}{U}", "Sorcery", "Draw a card."),
    )
    mimic_face = Face("Mimic", "{3}{U}", "Creature — Shapeshifter", "Mimic enters as a copy of any creature.", "0", "0")
    records = [
        _record(
            "card",
            name="Mimic",
            oracle_id="aaaa",
            faces=(mimic_face,),
            mana_cost="{3}{U}",
            type_line=mimic_face.type_line,
            text=mimic_face.text,
            sets=("ONE",),
        ),
        _record(
            "card",
            name="Left // Right",
            oracle_id="bbbb",
            layout="split",
            faces=halves,
            text="Left\n//\nRight",
            keywords=("Flying",),
        ),
        _record("card", name="Lim-Dûl, the “Old”", oracle_id="cccc", faces=(Face("Lim-Dûl, the “Old”"),)),
        (Printing("Mimic", "de", "Nachahmer", "aaaa"), Place("made-up")),
        (Printing("Left // Right", "fr", "Gauche // Droite", "bbbb"), Place("made-up")),
        (Printing("Left", "fr", "Gauche", "bbbb"), Place("made-up")),
        (Printing("Right", "fr", "Right", "bbbb"), Place("made-up")),
        (Printing("Right", "it", "Right", "bbbb"), Place("made-up")),
        _record("ruling", text=copier, published=date(2020, 1, 1), source="wotc", oracle_id="aaaa"),
        _record("ruling", text=copier, published=date(2020, 1, 1), source="scryfall", oracle_id="aaaa"),
        _record(
            "ruling",
            text="Its converted mana cost is that of both halves.",
            published=date(2019, 5, 1),
            source="wotc",
            oracle_id="bbbb",
        ),
        _record(
            "ruling",
            text="Its mana value is that of both halves.",
            published=date(2022, 5, 1),
            source="wotc",
            oracle_id="bbbb",
            face="Left",
        ),
        _record(
            "ruling",
            text='A “quoted”\nwording with \\ and "marks".',
            published=date(2021, 1, 1),
            source="wotc",
            oracle_id="cccc",
        ),
        _record("rule", number="7", text="Additional Rules", edition=new),
        _record("rule", number="707", text="Copying Objects", edition=new, parent="7"),
        _record(
            "rule",
            number="707.2",
            text="A copy takes the copiable values; see rule 707.3.",
            edition=new,
            parent="707",
            see=("707.3",),
        ),
        _record(
            "rule",
            number="707.3",
            text="A copy of a copy is the same.",
            edition=new,
            parent="707",
            examples=("One copies one.",),
        ),
        _record("rule", number="706", text="Copying Objects", edition=old),
        _record("rule", number="706.2", text="A copy takes the copiable values.", edition=old, parent="706"),
        _record(
            "glossary", term="Copy", text="To make another of an object. See rule 707.", edition=new, rules=("707",)
        ),
    ]
    builder = CorpusBuilder()
    for record, place in records:
        builder.add(record, place)
    return builder.finish()


@pytest.fixture(scope="session")
def small_links(small: Corpus) -> Derived:
    """Links worked out by hand for the small corpus."""
    keys = {statement.text: key for key, statement in small.statements.items()}
    new, old = keys["Its mana value is that of both halves."], keys["Its converted mana cost is that of both halves."]
    copier = next(key for text, key in keys.items() if text.startswith("If the copied"))
    concepts = {
        "copy": Concept(
            "copy", "Copy", "keyword action", (("de", "pref", "Kopie"), ("en", "alt", "clone effect")), rules=("707.2",)
        ),
        "mana-value": Concept("mana-value", "Mana Value", "characteristic", (("en", "alt", "CMC"),), broader=("copy",)),
        "creature": Concept("creature", "Creature", "card type"),
    }
    analyses = {
        copier: Analysis(
            copier,
            mentions_concepts=(ConceptMention("creature", 14, 22, 1.0, "label"),),
            clarifies=(Clarification("copy", 0.9, "cue", 7, 13),),
            rules=(RuleLink("707.2", 0.8, "concept", "copy"),),
            copies=(Copying("this card", "creature", "becomes a copy", 0, 22, 0.9, "text"),),
        ),
        old: Analysis(
            old,
            clarifies=(Clarification("mana-value", 0.7, "label", 4, 23),),
            outdated=(
                Outdating("converted mana cost is now mana value", "term", 1.0, replaced_by=new, start=4, end=23),
            ),
        ),
        new: Analysis(
            new,
            mentions_cards=(CardMention("aaaa", "Mimic", 0, 3, 0.5),),
            clarifies=(Clarification("mana-value", 0.8, "label"),),
        ),
    }
    return Derived(
        concepts=concepts,
        analyses=analyses,
        restatements=(Restatement("rewords", new, old, 0.9, "terms"),),
        groups=((new, old),),
        same_rules=(SameRule(date(2021, 4, 22), "706.2", date(2026, 2, 27), "707.2", 0.95, "text"),),
        card_uses=(CardUse("bbbb", "copy", "uses", "Left", 0, 4),),
        works_like={"aaaa": (Alike("bbbb", 0.4),)},
    )


@pytest.fixture
def new_home(sample_home: Path, tmp_path: Path) -> Path:
    """A home with nothing built in it that shares the sample home's cache, so that a build there is quick."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "cache").symlink_to(sample_home / "cache")
    return home


@pytest.fixture(scope="session")
def sample_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the built-in sample built in it; tests read it only."""
    home = tmp_path_factory.mktemp("home")
    build([], home, tell=lambda _: None)
    return home


@pytest.fixture
def raw_server():
    """Gives the port of a server that sends these bytes, then one more of ``drip`` every 50 ms, then hangs up."""
    stop = threading.Event()
    with contextlib.ExitStack() as stack:

        def begin(sent, drip=b""):
            listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

            def run():
                with contextlib.suppress(OSError):
                    connection, _ = listening.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(sent)
                        for n in range(len(drip)):
                            if stop.wait(0.05):
                                return
                            connection.sendall(drip[n : n + 1])
                        connection.shutdown(socket.SHUT_WR)
                        stop.wait(0.1)

            threading.Thread(target=run, daemon=True).start()
            return listening.getsockname()[1]

        yield begin
        stop.set()
