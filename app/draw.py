"""``rulings draw``: a picture of what stands around a node, or of an answer's path, as SVG or HTML."""

import argparse
from collections.abc import Callable
from pathlib import Path

from rulings.app.errors import UsageError
from rulings.app.home import generation_of
from rulings.app.output import note
from rulings.graph.errors import UnknownNameError
from rulings.graph.lookup import find
from rulings.graph.picture import Picture
from rulings.graph.surroundings import surroundings

FORMS: dict[str, Callable[[Picture], str]] = {".svg": Picture.svg, ".html": Picture.html}
MOST_HOPS = 4
"""A picture is full long before."""


def run(args: argparse.Namespace) -> None:
    """Draw to a file beside its place, then move it there, so that no half file is left."""
    target: Path = args.output
    drawn = FORMS.get(target.suffix.lower())
    if drawn is None:
        raise UsageError(f"{target}: unknown suffix {target.suffix!r}; take one of {', '.join(FORMS)}")
    if args.hops > MOST_HOPS:
        raise UsageError(f"rulings draw: --hops {args.hops} is too far; take at most {MOST_HOPS}")
    picture = _picture(args)
    part = target.with_name(f".{target.name}.part")
    try:
        part.write_text(drawn(picture), encoding="utf-8", newline="\n")
        part.replace(target)
    except OSError as error:
        raise UsageError(f"{target}: can't be written ({error.strerror}); choose another place") from error
    finally:
        part.unlink(missing_ok=True)
    note(f"wrote {target}: {picture.title} ({len(picture.nodes)} nodes). {picture.left_out_words()}")


def _picture(args: argparse.Namespace) -> Picture:
    """The picture that was asked for; an unknown name that ends as a question does is taken for one."""
    words = " ".join(args.name).strip()
    if not words:
        raise UsageError("rulings draw: give a name, a rule number, a key or an IRI, or a question with --answer")
    made = generation_of(args)
    if not args.answer:
        try:
            node = find(words, made.archive, made.analyses, made.iris)[0]
        except UnknownNameError:
            if not words.endswith("?"):
                raise
        else:
            return surroundings(node, made.archive, made.analyses, made.iris, hops=args.hops)
    from rulings.search import Rulings
    from rulings.search.answer_picture import answer_picture

    answer = Rulings(made).ask(words)
    return answer_picture(answer, made.archive, made.analyses, made.iris)
