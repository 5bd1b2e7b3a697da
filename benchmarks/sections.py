"""Parts of a page that scripts write: each stands between two comments and is replaced as a whole."""

from pathlib import Path


def put_section(page: Path, name: str, text: str) -> None:
    """Write ``text`` between the page's comments ``begin NAME`` and ``end NAME``; add both at its end if missing."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    content = page.read_text("utf-8") if page.is_file() else ""
    if begin not in content:
        content = f"{content.rstrip()}\n\n{begin}\n{end}\n".lstrip()
    before, _, rest = content.partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")


def markdown_table(columns: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
