"""What a question wants to know."""

import pytest

from rulings.search.intent import intents, read_intent


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Does a copy of a kicked spell count as kicked?", "whether"),
        ("If I blink a clone, can it become something else?", "permission"),
        ("I bolt my own bird in response. What happens?", "outcome"),
        ("how many counters does the token get", "amount"),
        ("When I cast it, how much do I pay?", "amount"),
        ("When does rebound happen?", "time"),
        ("when my guy dies does it come back", "whether"),
        ("Why doesn't my trigger go off?", "reason"),
        ("what is banding?", "definition"),
        ("What does fizzle mean?", "definition"),
        ("two legends out, who chooses which one stays", "choice"),
        ("how do I pay for two kickers", "way"),
        ("Kann ich mit Klon eine Kreatur kopieren?", "permission"),
        ("Was passiert, wenn der Zauberspruch verschwindet?", "outcome"),
        ("Wie viele Marken bekomme ich?", "amount"),
        ("Wann wird der Schaden zugefügt?", "time"),
        ("Est-ce que je peux contrer une capacité ?", "permission"),
        ("Combien de cartes je pioche ?", "amount"),
        ("Que se passe-t-il si la créature meurt ?", "outcome"),
        ("", "whether"),
    ],
)
def test_the_intent_is_that_of_the_last_thing_asked(question, intent):
    assert read_intent(question) == intent
    assert intent in intents()
