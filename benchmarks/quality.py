"""How good the answers are, and which part does what: tables for docs/quality.md.

usage: quality.py QUESTIONS.jsonl... [--home DIR] [--page docs/quality.md] [--untuned] [--cache DIR]

For each file: the figures of the whole program by kind and language with bootstrap intervals, the recall of the
candidates, and the ranking with one part taken away at a time. With --untuned also with the encoder as it was before
tuning, which encodes every statement once more (some ten minutes for 26,500 on two cores; --cache keeps the vectors).
"""

import argparse
import copy
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import ir_measures
import numpy as np
from ablation import Setting, recall, settings, untuned_settings
from ir_measures import RR, Qrel, ScoredDoc, Success, nDCG
from sections import markdown_table, put_section

from rulings.ingest import key
from rulings.search import Rulings
from rulings.search.documents import statement_documents
from rulings.search.encoder import Encoder
from rulings.search.engines.exact import ExactEngine
from rulings.search.evaluate import (
    DEPTH,
    FULL,
    MOST_SAME,
    Question,
    read_questions,
    result_grades,
    score,
    score_ranking,
)
from rulings.search.generation import default_home
from rulings.search.model_folder import packaged_folder
from rulings.search.onnx_encoder import OnnxEncoder
from rulings.search.quick_scan import QuickScan
from rulings.search.ranker_fit import shipped_examples
from rulings.search.vectors import VectorCache, embed

FIGURES = ("hit@1", "hit@5", "ndcg@10", "mrr@10")
GAIN = {0: 0, 1: 1, FULL: 3}
"""What a grade counts in nDCG (2^grade - 1); given to the library as the grade, for its own gains are linear."""
MEASURES = (Success(rel=GAIN[FULL]) @ 1, Success(rel=GAIN[FULL]) @ 5, nDCG @ DEPTH, RR(rel=GAIN[FULL]) @ DEPTH)
"""The same by ir-measures. Its nDCG counts wordings shown under one result as one document, in the ideal list too."""
KINDS = ("all", "named", "concept", "sibling", "two-card", "translated")
RESAMPLES = 2000

Rows = dict[str, list[dict[str, float]]]


def rows_of(question: Question) -> list[str]:
    """The rows of a table that a question with gold counts in."""
    if question.language != "en":
        return ["translated", f"{question.kind} {question.language}"]
    return ["all", question.kind]


def reference_figures(
    ranked: Mapping[str, tuple[Mapping[str, int], Sequence[Iterable[str]]]],
) -> dict[str, list[float]]:
    """Each question's figures by ir-measures, from its gold grades and the keys under each result."""
    qrels, run = [], []
    for name, (gold, results) in ranked.items():
        grades = result_grades(gold, results)
        shown = {each for result in results[:DEPTH] for each in result}
        qrels += [Qrel(name, f"result-{n}", GAIN[grade]) for n, grade in enumerate(grades)]
        qrels += [Qrel(name, each, GAIN[grade]) for each, grade in gold.items() if each not in shown]
        # a document that no question has: trec_eval leaves out a question without results
        run += [ScoredDoc(name, f"result-{n}", float(-n)) for n in range(len(grades))] or [ScoredDoc(name, "none", 0.0)]
    found: dict[tuple[str, str], float] = {
        (each.query_id, str(each.measure)): each.value for each in ir_measures.iter_calc(MEASURES, qrels, run)
    }
    return {name: [found[name, str(measure)] for measure in MEASURES] for name in ranked}


def interval(values: Sequence[float], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of a mean by the percentile bootstrap over questions."""
    drawn = np.random.default_rng(seed).choice(np.array(values), (RESAMPLES, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def whole_table(kb: Rulings, questions: Sequence[Question]) -> str:
    """The figures of the answers as users get them, with intervals; metrics by ir-measures, nDCG in both ways."""
    ranked, declined, rows, other = {}, defaultdict(list), defaultdict(list), []
    for question in questions:
        answer = kb.ask(question.question, DEPTH)
        if not question.gold:
            other.append(float(not answer.answered))
            continue
        shown = [(r.text, *r.same_as[:MOST_SAME]) for r in answer.results] if answer.answered else []
        ranked[question.id] = question.gold, [[key(text) for text in texts] for texts in shown]
        for row in rows_of(question):
            rows[row].append((question.id, score(question.gold, answer)["ndcg@10"]))
            declined[row].append(float(not answer.answered))
    library = reference_figures(ranked)
    lines = []
    for row in sorted(rows, key=lambda name: (KINDS.index(name) if name in KINDS else len(KINDS), name)):
        columns = [[library[name][n] for name, _ in rows[row]] for n in range(len(MEASURES))]
        columns.insert(2, [ndcg for _, ndcg in rows[row]])
        lines.append([row, str(len(rows[row])), *map(_with_interval, columns), f"{np.mean(declined[row]):.3f}"])
    if other:
        lines.append(["nothing answers", str(len(other)), "", "", "", "", "", _with_interval(other)])
    return markdown_table(
        ["", "questions", "hit@1", "hit@5", "nDCG@10", "nDCG@10, library's ideal", "MRR@10", "declined"], lines
    )


def _with_interval(values: Sequence[float]) -> str:
    low, high = interval(values)
    return f"**{np.mean(values):.3f}** ({low:.2f} to {high:.2f})"


def ranking_row(setting: Setting, questions: Sequence[Question]) -> list[str]:
    """Figures of one way to rank; nothing is declined."""
    figures: Rows = defaultdict(list)
    for question in questions:
        found = score_ranking(question.gold, setting.ranking(question.question))
        for row in rows_of(question):
            figures[row].append(found)
    whole = [f"{np.mean([f[name] for f in figures['all']]):.3f}" if figures["all"] else "" for name in FIGURES[:3]]
    return whole + [f"{np.mean([f['hit@5'] for f in figures[k]]):.3f}" if figures[k] else "" for k in KINDS[1:]]


def ranking_table(ways: Iterable[tuple[str, Setting]], questions: Sequence[Question]) -> str:
    """A row a way to rank: hit@1, hit@5 and nDCG@10 of the English questions, then hit@5 by kind."""
    head = ["", "hit@1", "hit@5", "nDCG@10", *(f"{kind} hit@5" for kind in KINDS[1:])]
    return markdown_table(head, [[name, *ranking_row(setting, questions)] for name, setting in ways])


def recall_table(kb: Rulings, questions: Sequence[Question]) -> str:
    """How often an answer is among the candidates, and how many those are."""
    rows: Rows = defaultdict(list)
    for question in questions:
        gold = {each for each, grade in question.gold.items() if grade == FULL}
        found = recall(kb.index, kb.reader, kb.encoder.encode_question, question.question, gold)
        for row in rows_of(question):
            rows[row].append(found)
    names = ("recall@50", "recall@100", "recall", "candidates")
    lines = []
    for row in (kind for kind in KINDS if kind in rows):
        means = {name: float(np.mean([f[name] for f in rows[row]])) for name in names}
        lines.append([row, *(f"{means[name]:.3f}" for name in names[:3]), f"{means['candidates']:.0f}"])
    return markdown_table(["", "among the first 50", "first 100", "all candidates", "candidates (mean)"], lines)


def untuned(kb: Rulings, cache: Path) -> tuple[Rulings, Encoder]:
    """The search with the vectors of the encoder as it was before tuning."""
    encoder = OnnxEncoder(packaged_folder(), None, cache, name="untuned")
    other = copy.copy(kb)
    other.index = copy.copy(kb.index)
    corpus = kb.generation.archive.corpus()
    statements = embed(encoder, statement_documents(corpus), VectorCache(cache), _dots)
    other.index.quick = QuickScan.of(np.concatenate([statements, kb.index.rules]))
    other.index.engine = ExactEngine(statements, other.index.quick)
    for name in ("off_topic", "on_topic"):
        setattr(other.index, name, encoder.encode(shipped_examples(name)))
    return other, encoder


def _dots(count: int) -> None:
    print("." * (count // 8), end="", flush=True)


def main() -> None:
    """Write a section of the page for each file of questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--home", type=Path, default=default_home())
    parser.add_argument("--page", type=Path, default=Path("docs/quality.md"))
    parser.add_argument("--untuned", action="store_true")
    parser.add_argument("--cache", type=Path)
    args = parser.parse_args()
    kb = Rulings.open(args.home)
    encode: Callable[[str], np.ndarray] = kb.encoder.encode_question
    with tempfile.TemporaryDirectory() as folder:
        before = untuned(kb, args.cache or Path(folder)) if args.untuned else None
        for path in args.questions:
            questions = read_questions(path)
            asked = [question for question in questions if question.gold]
            parts = [f"### Answers: {path.name}", whole_table(kb, questions)]
            parts += ["### Candidates", recall_table(kb, asked)]
            parts += ["### Parts taken away", ranking_table(settings(kb.index, encode), asked)]
            if before:
                ways = untuned_settings(before[0].index, before[1].encode_question)
                parts += ["### The encoder before tuning", ranking_table(ways, asked)]
            put_section(args.page, f"quality of {path.name}", "\n\n".join(parts))
            print(os.linesep.join(parts))


if __name__ == "__main__":
    main()
