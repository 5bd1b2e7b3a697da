"""No telemetry: nothing is kept in the user's cache folder and nothing is sent."""

import os
import subprocess
import sys
from pathlib import Path


def test_onnxruntime_is_told_to_be_quiet_and_leaves_nothing_behind(tmp_path: Path) -> None:
    code = (
        "from rulings.search.quick_scan import QuickScan; import numpy as np, os; "
        "QuickScan.of(np.eye(4, dtype=np.float32)).cosines(np.ones(4, np.float32)); "
        "print(os.environ['ORT_DISABLE_TELEMETRY'])"
    )
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / ".cache")}
    environment = {**os.environ, **home}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"
    assert not list(tmp_path.rglob("*onnxruntime*"))


def test_it_is_loaded_nowhere_else() -> None:
    root = Path(__file__).parents[2]
    found = [
        path.name
        for folder in ("ingest", "graph", "search", "app", "benchmarks")
        for path in (root / folder).rglob("*.py")
        if "import onnxruntime" in path.read_text(encoding="utf-8")
    ]
    assert found == ["runtime.py"]
