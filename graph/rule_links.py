"""The rules that a statement rests on, ranked: by words, vectors, concepts, turns of phrase, and over restatements."""

from collections.abc import Mapping, MutableMapping, Sequence

from rulings.graph.concepts import ConceptScheme
from rulings.graph.records import Analysis, RuleLink, Vectors
from rulings.graph.rule_editions import RuleHistory
from rulings.graph.rule_scores import BLOCK, TOP, Input, Scorer, Weights, root
from rulings.graph.rule_words import RuleReader, RuleWords
from rulings.graph.runner import Here, Runner, Shared, itself
from rulings.ingest import Corpus

__all__ = ["TOP", "Weights", "link_rules", "root"]


def link_rules(
    corpus: Corpus,
    scheme: ConceptScheme,
    analyses: Mapping[str, Analysis],
    groups: Sequence[Sequence[str]],
    vectors: Vectors | None = None,
    history: RuleHistory | None = None,
    weights: Weights | None = None,
    words: Mapping[str, RuleWords] | None = None,
    kept: MutableMapping[bytes, tuple[RuleLink, ...]] | None = None,
    runner: Runner | None = None,
) -> dict[str, tuple[RuleLink, ...]]:
    """Rank the rules of the newest edition that each statement rests on, best first, `TOP` each.

    Args:
        corpus: The statements and rules; with no rules loaded nothing is linked.
        scheme: The concepts, with the rules that define them.
        analyses: What the statements clarify and mention; may lack some or all.
        groups: Keys of the same ruling (`find_restatements`): scored once, for the first key, and handed on.
        vectors: Where it has statements and rules, their closeness counts too.
        history: Follows the rule numbers of the cues to the newest edition.
        weights: Other weights than the built-in ones.
        words: Where given, what `RuleReader` read of all statements, by key.
        kept: Links by a hash of all that they depend on: those that are there aren't worked out again, and afterwards
            it holds those of this corpus.
        runner: Runs the scoring, block by block, elsewhere (None: here).

    Returns:
        Links by statement. A rule stands for its subrules where none of them leads clearly.
    """
    edition = corpus.newest
    if edition is None or not edition.rules:
        return {}
    reader = RuleReader(corpus, edition, history)
    if words is None:
        words = {key: reader.read(statement) for key, statement in corpus.statements.items()}
    scorer = Scorer(edition, scheme, reader, weights or Weights(), vectors)
    head = {key: group[0] for group in groups for key in group if group[0] in corpus.statements}
    keys = [key for key in corpus.statements if head.get(key, key) == key]
    vector = (
        dict(zip(corpus.statements, vectors.statements, strict=True))
        if vectors and vectors.statements is not None
        else {}
    )
    scorer.learn(keys, words, analyses)
    inputs = [scorer.input(words[key], analyses.get(key), vector.get(key)) for key in keys]
    digests = [scorer.digest(one) for one in inputs]
    before = kept or {}
    new = [i for i, digest in enumerate(digests) if digest not in before]
    made: dict[bytes, tuple[RuleLink, ...]] = {}
    blocks = [new[start : start + BLOCK] for start in range(0, len(new), BLOCK)]
    asked = ([inputs[i] for i in block] for block in blocks)
    scored = (runner or Here()).map(_score_rules, asked, Shared(itself, scorer))
    for block, links in zip(blocks, scored, strict=True):
        made.update(zip((digests[i] for i in block), links, strict=True))
    found = {key: made[digest] if digest in made else before[digest] for key, digest in zip(keys, digests, strict=True)}
    if kept is not None:
        kept.clear()
        kept.update(zip(digests, found.values(), strict=True))
    for key, first in head.items():
        if key != first:
            found[key] = tuple(
                RuleLink(link.number, round(link.confidence * 0.95, 3), "restates", first) for link in found[first]
            )
    return {key: found[key] for key in corpus.statements}


def _score_rules(block: Sequence[Input], scorer: Scorer) -> list[tuple[RuleLink, ...]]:
    return scorer.links(block)
