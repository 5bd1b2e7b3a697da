"""The lexical index."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from rulings.search.lexical import LexicalIndex, write_lexical


def test_scores_put_the_matching_document_first(tmp_path: Path) -> None:
    write_lexical(tmp_path / "text", [["copy", "spell"], ["copy", "token", "creature"], [], ["draw", "card"]])
    index = LexicalIndex(tmp_path / "text")
    scores = index.scores(["token", "copy", "unheard"])
    assert scores.shape == (4,)
    assert np.argmax(scores) == 1
    assert scores[3] == 0
    assert "token" in index
    assert "unheard" not in index


def test_unknown_terms_score_nothing(tmp_path: Path) -> None:
    write_lexical(tmp_path / "text", [["copy"]])
    assert LexicalIndex(tmp_path / "text").scores(["unheard"]).tolist() == [0.0]


def test_another_process_writes_the_same_files(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from rulings.search.lexical import write_lexical;"
        "write_lexical(Path(sys.argv[1]), [[f'term{n % 17}', f'other{n % 5}'] for n in range(60)])"
    )
    written = []
    for seed in ("1", "2"):  # of the order in which sets are gone through
        folder = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(folder)], check=True, env=environment)
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert len(written[0]) > 3
    assert written[0] == written[1]
