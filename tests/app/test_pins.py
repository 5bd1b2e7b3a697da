"""What is installed is pinned, and hashed; the audit of it tells a vulnerability from a missing network."""

import importlib.util
import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNLOCKED = {"torch"}
"""Comes from an index of its own, a build for each kind of machine."""


def pins(text):
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s\\]+)(.*(?:\n +--hash=.*)*)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): (version, rest) for name, version, rest in found}


def test_the_lock_has_the_pins_of_the_constraints_each_with_hashes():
    pinned = pins((ROOT / "constraints.txt").read_text())
    locked = pins((ROOT / "requirements.lock").read_text())
    assert len(pinned) > 100
    build = {"setuptools"}
    wanted = {name: version for name, (version, _) in pinned.items() if name not in UNLOCKED}
    assert {name: version for name, (version, _) in locked.items() if name not in build} == wanted
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", rest) for _, rest in locked.values())


@pytest.fixture
def audit(monkeypatch, capsys):
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def told(out, err="", status=1):
        ended = subprocess.CompletedProcess([], status, out if isinstance(out, str) else json.dumps(out), err)
        monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: ended)
        status = module.main()
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return told


def test_a_known_vulnerability_fails_and_is_named(audit):
    bad = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}
    other = {"name": "b", "skip_reason": "no such"}
    status, out, err = audit({"dependencies": [bad, other]})
    assert status == 1
    assert "a 1: PYSEC-1, mended in 2" in err
    assert "1 known vulnerabilities in 1 libraries; not looked up: b" in out


@pytest.mark.parametrize(
    ("out", "err"),
    [
        (
            "",
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded",
        ),
        ({"dependencies": [{"name": "a", "skip_reason": "Dependency not found on PyPI"}]}, ""),
    ],
)
def test_without_a_database_it_says_so_on_one_line_and_does_not_fail(audit, out, err):
    status, said, wrong = audit(out, err)
    assert (status, wrong) == (0, "")
    assert said.startswith("audit: not run")
    assert said.count("\n") == 1


def test_a_clean_audit_and_a_broken_one(audit):
    assert audit({"dependencies": [{"name": "a", "version": "1", "vulns": []}]}, status=0)[0] == 0
    status, _, err = audit("", "pip-audit: error: unrecognized arguments")
    assert status == 1
    assert "unrecognized" in err
