"""How Sphinx builds the documentation: ``make docs``."""  # noqa: INP001

from importlib import metadata
from typing import TYPE_CHECKING

from pygments.lexers.data import JsonLexer
from pygments.lexers.special import TextLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Rulings"
author = project_copyright = "The Rulings developers"
release = metadata.version("rulings-graph")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files beside the documentation, which stay as they are

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False

html_theme = "furo"
html_title = f"Rulings {release}"


def setup(app: "Sphinx") -> None:
    """Name the kinds of text that Pygments has no names for."""
    app.add_lexer("jsonl", JsonLexer)
    app.add_lexer("csv", TextLexer)
