"""Patterns for what a statement is about."""

import re

from rulings.graph.concepts import ConceptScheme
from rulings.graph.cues import CueFinder, alternatives, cues, stem
from rulings.ingest import CorpusBuilder


def test_alternatives_are_split_outside_parentheses():
    assert alternatives(r"a(b|c)|[|]d|\|e") == [r"a(b|c)", "[|]d", r"\|e"]


def test_a_stem_is_in_every_match():
    assert stem(r"\bnew (?:legal )?targets?\b") == " target" or stem(r"\bnew (?:legal )?targets?\b") == "target"
    assert stem(r"\bX\b") == ""
    assert all(not cue.stem or cue.stem in cue.pattern.pattern.lower() for cue in cues())


def test_cues_find_what_is_not_named():
    scheme = ConceptScheme.from_corpus(CorpusBuilder().finish())
    finder = CueFinder(scheme)
    text = "Put it back; it's a new object with no relation to what it was."
    slug = scheme.by_label("Object")
    if slug is not None:
        start, end, lines = finder.find(text)[slug.slug]
        assert text[start:end] == "new object"
        assert lines == 1


def test_stems_lose_no_match():
    text = "A trigger, activated twice, resolves. It won't trigger unless "
    text += "you copied the original values of a face-down card in response."
    low = text.lower()
    for cue in cues():
        if re.search(cue.pattern, text):
            assert cue.stem in low
