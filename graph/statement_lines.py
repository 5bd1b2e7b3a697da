"""The lines of ``statements.jsonl``: every distinct wording with all that was worked out about it."""

from collections.abc import Iterator
from typing import Any

import msgspec

from rulings.graph.describe import outdated_reason
from rulings.graph.records import Analysis, Derived
from rulings.graph.restates import members
from rulings.ingest import Corpus, Statement


def statement_lines(corpus: Corpus, derived: Derived) -> Iterator[bytes]:
    """Yield a JSON line a statement, in the order of the keys."""
    groups = members(derived.restatements, derived.groups)
    labels = {slug: concept.label for slug, concept in derived.concepts.items()}
    for key, statement in corpus.statements.items():
        line = _line(statement, derived.analyses.get(key, Analysis(key)), corpus, labels)
        same, reworded = groups.get(key, ((), ()))
        line |= {"restates": same, "rewords": reworded}
        yield msgspec.json.encode(line) + b"\n"


def _line(statement: Statement, analysis: Analysis, corpus: Corpus, labels: dict[str, str]) -> dict[str, Any]:
    return {
        "key": statement.key,
        "text": statement.text,
        "variants": statement.variants,
        "cards": [corpus.cards[oracle_id].name for oracle_id in statement.oracle_ids],
        "dates": [day.isoformat() for day in statement.dates],
        "clarifies": [labels[c.concept] for c in analysis.clarifies],
        "mentions_concepts": list(dict.fromkeys(labels[m.concept] for m in analysis.mentions_concepts)),
        "mentions_cards": [
            {"name": m.name, "face": m.face, "start": m.start, "end": m.end, "confidence": m.confidence}
            for m in analysis.mentions_cards
        ],
        "self_reference": [{"start": s.start, "end": s.end} for s in analysis.self_references],
        "copies": [{"copier": c.copier, "copied": c.copied, "result": c.result} for c in analysis.copies],
        "carries_over": [c.what for c in analysis.carried if c.carried],
        "leaves_out": [c.what for c in analysis.carried if not c.carried],
        "cites_rules": [c.number or c.written for c in analysis.cites],
        "rules": [r.number for r in analysis.rules],
        "outdated": outdated_reason(analysis.outdated),
    }
