"""Write docs/queries/README.md from graph/queries/*.rq; ``--check`` only says whether it is up to date."""  # noqa: INP001

import shlex
import sys
from pathlib import Path

from rulings.graph.query_library import library

TARGET = Path(__file__).parent / "queries" / "README.md"
HEAD = """# Named queries

Made from `graph/queries/*.rq` by `docs/make_queries.py`. Run one by its name, with values for its parameters:

    rulings sparql @card-rulings card="Lightning Bolt"

`rulings sparql --list` shows them on a terminal, `kb.graph.named("card-rulings", card="Lightning Bolt")` runs one in
Python. A card or concept may be called by any of its names, in any language and spelling that `rulings show` knows.

| query | answers | parameters and their defaults |
|---|---|---|
"""


def page() -> str:
    """Return the page: a table of all queries."""
    rows = []
    for query in library().values():
        given = " ".join(shlex.quote(f"{name}={default}") for name, default in query.parameters.items())
        link = f"[`@{query.name}`](../../graph/queries/{query.name}.rq)"
        rows.append(f"| {link} | {query.question} | {f'`{given}`' if given else ''} |")
    return HEAD + "\n".join(rows) + "\n"


def main() -> int:
    """Write the page, or compare it with the one there; status 1 where it is out of date."""
    if "--check" in sys.argv[1:]:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == page() else 1
    TARGET.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
