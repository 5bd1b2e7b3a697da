"""Looks all pinned libraries up in the database of known vulnerabilities (pip-audit; PyPI's advisories).

Ends with 1 where one is known. Where the database can't be reached, as on a machine without a network, it says so on
one line and ends with 0: that is no fault of the libraries.
"""

import json
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).resolve().parents[1] / "constraints.txt"
UNREACHABLE = ("ConnectionError", "Max retries", "timed out", "Name or service", "Temporary failure", "ServiceError")


def main() -> int:
    """Audit, and tell."""
    words = ["-r", str(PINS), "--no-deps", "--disable-pip", "--progress-spinner", "off", "--timeout", "15"]
    words = [sys.executable, "-m", "pip_audit", *words, "-f", "json"]
    ended = subprocess.run(words, check=False, capture_output=True, text=True)
    try:
        found = json.loads(ended.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError):
        if any(sign in ended.stderr for sign in UNREACHABLE):
            print("audit: not run, the database of vulnerabilities can't be reached from here")
            return 0
        print(f"audit: pip-audit failed: {ended.stderr.strip()}", file=sys.stderr)
        return 1
    skipped = [each["name"] for each in found if "skip_reason" in each]
    if len(skipped) == len(found):
        print("audit: not run, the index that is reached from here has no database of vulnerabilities")
        return 0
    known = [(each, one) for each in found for one in each.get("vulns", ())]
    for each, one in known:
        fixed = ", ".join(one.get("fix_versions", ())) or "no version yet"
        print(f"audit: {each['name']} {each['version']}: {one['id']}, mended in {fixed}", file=sys.stderr)
    rest = f"; not looked up: {', '.join(skipped)}" if skipped else ""
    print(f"audit: {len(known)} known vulnerabilities in {len(found) - len(skipped)} libraries{rest}")
    return 1 if known else 0


if __name__ == "__main__":
    sys.exit(main())
