"""Tunes the default encoder anew: sources and questions in, an adapter and its figures out.

usage: train_encoder.py --questions QUESTIONS.jsonl --out search/data/tuned.npz SOURCE...
"""

import argparse
import dataclasses
import json
from pathlib import Path

from rulings.ingest.read import build_corpus
from rulings.search.model_folder import packaged_folder
from rulings.search.training import train
from rulings.search.training_task import TrainingSettings


def main() -> None:
    """Read the settings from the command line, train, and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", type=Path, metavar="SOURCE", help="what `rulings build` reads")
    parser.add_argument("--questions", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    for field in dataclasses.fields(TrainingSettings):
        flag, value = f"--{field.name.replace('_', '-')}", field.default
        if isinstance(value, bool):
            parser.add_argument(flag, action="store_true")
        elif isinstance(value, int | float):
            parser.add_argument(flag, type=type(value), default=value)
        else:
            parser.add_argument(flag, nargs="+", default=value)
    args = vars(parser.parse_args())
    settings = {field.name: args[field.name] for field in dataclasses.fields(TrainingSettings)}
    settings["languages"] = tuple(settings["languages"])
    corpus = build_corpus(args["sources"])
    figures = train(args["questions"], corpus, args["out"], packaged_folder(), TrainingSettings(**settings))
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
