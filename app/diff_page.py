"""Changes between two corpora as one page that works offline: no script, every text escaped."""

from collections.abc import Iterator
from html import escape

from rulings.app.word_marks import word_marks
from rulings.graph.changes import Changes

_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 2rem } li { margin: .4rem 0 } .kind { opacity: .7; font-size: .85em }
del { background: #f003; text-decoration: line-through } ins { background: #0a03; text-decoration: none }
"""


def diff_page(changes: Changes, old: str, new: str) -> str:
    """The page; ``old`` and ``new`` are what both sides are called."""
    title = escape(f"From {old} to {new}")
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    return head + f"<h1>{title}</h1>" + "".join(_body(changes)) + "</html>\n"


def _body(changes: Changes) -> Iterator[str]:
    if not changes:
        yield "<p>Nothing changed.</p>"
        return
    yield from _list("Rulings", [(f"{r.card} ({r.published})", r.kind, r.old, r.new) for r in changes.rulings])
    yield from _list(
        "Cards", [(_called(c.old_name, c.new_name), c.kind, c.old_text, c.new_text) for c in changes.cards]
    )
    yield from _list(
        "Rules", [(_called(r.old_number, r.new_number), r.kind, r.old_text, r.new_text) for r in changes.rules]
    )
    yield from _list("Concepts that came", [(label, "", "", "") for label in changes.concepts_came])
    yield from _list("Concepts that went", [(label, "", "", "") for label in changes.concepts_went])
    yield from _list("Outdated now", [(each.text, each.reason, "", "") for each in changes.outdated or ()])


def _called(old: str, new: str) -> str:
    return f"{old} is now {new}" if old and new and old != new else new or old


def _list(title: str, entries: list[tuple[str, str, str, str]]) -> Iterator[str]:
    if not entries:
        return
    yield f"<h2>{escape(title)} ({len(entries):,})</h2><ul>"
    for name, kind, old, new in entries:
        text = _marked(old, new) if old != new else ""
        yield f'<li><b>{escape(name)}</b> <span class="kind">{escape(kind)}</span> {text}</li>'
    yield "</ul>"


def _marked(old: str, new: str) -> str:
    tags = {"same": "{}", "went": "<del>{}</del>", "came": "<ins>{}</ins>"}
    return " ".join(tags[kind].format(escape(words)) for kind, words in word_marks(old, new))
