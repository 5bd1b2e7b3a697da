"""Makes ``data/clarifies.json``: fits what a statement is about to statements read by hand.

Run ``python -m rulings.graph.clarify_training SOURCE ... --labels LABELS [--gold RELATIONS.jsonl] [-o FILE]``: SOURCE
are cards, rulings and
rules as for a build, LABELS has a line ``key<TAB>concept; concept`` (``data/clarifies.tsv``), and a gold file of
relations may add more. With ``--folds N``
it reports cross-validated figures instead, over the gold file only.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from rulings.graph.clarify_features import Candidate, FeatureMaker
from rulings.graph.concepts import ConceptScheme
from rulings.graph.cues import CueFinder
from rulings.graph.statement_links import name_concepts
from rulings.ingest import Corpus, Report, build_corpus, key

FIRST_WEIGHT = 3.0
"""How much more the main concept counts than the others."""
SHRINK_CONCEPT, SHRINK = 1.5, 0.5
"""How strongly weights are held near 0: those of one concept, and the others."""
THRESHOLD, LEAST = 0.42, 0.15


@dataclass(frozen=True, slots=True)
class Example:
    """A statement with its candidates and the slugs of the concepts that it is about, main one first."""

    key: str
    candidates: Sequence[Candidate]
    about: Sequence[str]


def examples(corpus: Corpus, scheme: ConceptScheme, labels: Mapping[str, Sequence[str]]) -> list[Example]:
    """Make examples of the statements that have labels.

    Labels that the scheme doesn't have stay as they are and are never found.
    """
    named = name_concepts(corpus, scheme)
    maker = FeatureMaker(scheme.concepts, named.frequency, len(corpus.statements))
    cues = CueFinder(scheme)
    made = []
    for statement, concepts in sorted(labels.items()):
        if statement not in corpus.statements:
            continue
        one = named.statements[statement]
        slugs = [found.slug if (found := scheme.by_label(label)) else f"unknown: {label}" for label in concepts]
        made.append(
            Example(
                statement, maker.candidates(one.text.text, one.mentions, cues.find(one.text.text), one.keywords), slugs
            )
        )
    return made


def fit(training: Iterable[Example]) -> dict[str, float]:
    """Fit the weights by penalised logistic regression; the result depends on nothing but the examples."""
    rows = [(candidate, example.about) for example in training for candidate in example.candidates]
    names = sorted({name for candidate, _ in rows for name in candidate.features})
    place = {name: n for n, name in enumerate(names)}
    values: list[float] = []
    row: list[int] = []
    column: list[int] = []
    for n, (candidate, _) in enumerate(rows):
        for name, value in candidate.features.items():
            values.append(value)
            row.append(n)
            column.append(place[name])
    x = csr_matrix((values, (row, column)), shape=(len(rows), len(names)))
    y = np.array([float(candidate.concept in about) for candidate, about in rows])
    weight = np.array([FIRST_WEIGHT if about and candidate.concept == about[0] else 1.0 for candidate, about in rows])
    shrink = np.array([SHRINK_CONCEPT if name.startswith(("concept:", "cued:")) else SHRINK for name in names])

    def loss(b: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        p = 1 / (1 + np.exp(-(x @ b)))
        log = y * np.log(p + 1e-12) + (1 - y) * np.log(1 - p + 1e-12)
        return float(-(weight * log).sum() + 0.5 * (shrink * b * b).sum()), x.T @ (weight * (p - y)) + shrink * b

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True) if abs(value) >= 5e-4}


def predict(example: Example, weights: Mapping[str, float]) -> list[str]:
    """Tell what a statement is about as `clarifies.Clarifier` does, as slugs."""
    scored = sorted(
        (
            (-1 / (1 + np.exp(-sum(v * weights.get(f, 0.0) for f, v in c.features.items()))), c.concept)
            for c in example.candidates
        ),
    )
    return [c for n, (p, c) in enumerate(scored[:4]) if -p > THRESHOLD or (n == 0 and -p > LEAST)]


def cross_validate(made: Sequence[Example], judged: set[str], folds: int) -> dict[str, float]:
    """Score predictions on the examples in ``judged``, each by a model that hasn't seen it.

    Returns:
        Micro precision, recall and F1, and how often the main concept is among the first two.
    """
    test = sorted((e for e in made if e.key in judged), key=lambda e: e.key[::-1])
    right = found = due = first = 0
    for fold in range(folds):
        held = test[fold::folds]
        weights = fit([e for e in made if e not in held])
        for example in held:
            got = predict(example, weights)
            right += len(set(got) & set(example.about))
            found += len(got)
            due += len(example.about)
            first += bool(example.about) and example.about[0] in got[:2]
    judged_first = sum(bool(e.about) for e in test)
    return {
        "precision": right / found,
        "recall": right / due,
        "f1": 2 * right / (found + due),
        "first": first / judged_first,
    }


def read_labels(path: Path) -> dict[str, list[str]]:
    """Read a file of labels: a key, a tab, labels parted by semicolons."""
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("#")
    ]
    return {
        line.split("\t")[0]: [label.strip() for label in line.split("\t")[1].split(";") if label.strip()]
        for line in lines
    }


def read_gold(path: Path) -> dict[str, list[str]]:
    """Read the ``clarifies`` of a gold file of relations, by key."""
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {key(record["text"]): record["clarifies"] for record in records if record.get("text")}


def main(argv: Sequence[str] | None = None) -> int:
    """Fit or cross-validate; see the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--gold", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path)
    args = parser.parse_args(argv)
    corpus = build_corpus(args.sources, Report())
    scheme = ConceptScheme.from_corpus(corpus)
    labels, gold = read_labels(args.labels), read_gold(args.gold) if args.gold else {}
    made = examples(corpus, scheme, labels | gold)
    if args.folds:
        sys.stdout.write(json.dumps(cross_validate(made, set(gold) or set(labels), args.folds)) + "\n")
        return 0
    result = {"threshold": THRESHOLD, "least": LEAST, "statements": len(made), "weights": fit(made)}
    text = json.dumps(result, indent=0, ensure_ascii=False, sort_keys=True) + "\n"
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
