"""Folding: what counts as the same wording or the same name."""

import hashlib
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from rulings.ingest import fold, fold_name, key


def test_quotes_spaces_and_composition_are_folded():
    assert fold("  It’s “one”\n\ttext ") == 'It\'s "one" text'
    assert fold("Lim-Du\u0302l") == "Lim-D\u00fbl"


def test_the_key_is_the_start_of_the_sha1():
    assert key("It’s one.") == hashlib.sha1(b"It's one.").hexdigest()[:12]


def test_names_lose_accents_ligatures_and_signs():
    assert fold_name("Lim-Dûl’s Vault") == "lim-dul's vault"
    assert fold_name("Æther Vial") == "aether vial"
    assert fold_name("Weiße Magie™") == "weisse magie"


@given(st.text())
def test_folding_is_idempotent(text):
    assert fold(fold(text)) == fold(text)
    assert fold_name(fold_name(text)) == fold_name(text)


@given(st.text())
def test_composition_does_not_change_a_key(text):
    assert key(unicodedata.normalize("NFD", text)) == key(unicodedata.normalize("NFC", text))
