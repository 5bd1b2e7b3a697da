"""Making pages from templates: one environment that escapes everything, a policy for the browser, and caching."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from rulings.app.web.pages.assets import FOLDER as ASSETS
from rulings.app.web.pages.assets import asset_url
from rulings.app.web.serving import Served, serving
from rulings.graph.vocabulary import Iris

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LOCAL = Iris("/id/")
"""Makes the address of a node's page as `Iris` makes its IRI."""
_TEMPLATES = Path(__file__).with_name("templates")
_ODD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    made.globals |= {"asset": asset_url, "local": LOCAL}
    made.filters |= {"path": lambda text: quote(str(text)), "query": _query, "count": lambda number: f"{number:,}"}
    return made


def _shown(value: Any) -> Any:  # noqa: ANN401 - whatever stands in a template
    """Nothing for None; no characters that a page can't hold."""
    if type(value) is str:
        return _ODD.sub("\ufffd", value)
    return "" if value is None else value


def _query(pairs: Mapping[str, object]) -> str:
    """Parameters as the end of an address; those without a value are left out, lists come one by one."""
    given = {name: value for name, value in pairs.items() if value not in (None, "", ())}
    return urlencode(given, doseq=True)


@cache
def _code() -> str:
    """A digest of all that shapes a page beside the data."""
    digest = hashlib.sha256()
    for file in sorted([*_TEMPLATES.glob("*"), *ASSETS.glob("*"), *Path(__file__).parent.glob("*.py")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def tag(served: Served, form: str = "html") -> str:
    """The ETag of what is made in a form from a generation alone; weak, as answers may come compressed."""
    return f'W/"{served.generation.manifest.name}-{_code()}-{form}"'


def unchanged(request: Request, served: Served, form: str = "html") -> Response | None:
    """The answer that the client's copy is still good, where it is."""
    given = {each.strip() for each in request.headers.get("if-none-match", "").split(",")}
    return Response(status_code=304, headers=caching(served, form)) if tag(served, form) in given else None


def caching(served: Served, form: str = "html") -> dict[str, str]:
    """The headers of what stays the same until another generation is served."""
    return {"ETag": tag(served, form), "Cache-Control": "no-cache", "Vary": "Accept"}


def page(
    request: Request, template: str, values: Mapping[str, Any], *, status: int = 200, keep: bool = False
) -> Response:
    """Render a template. ``keep``: the same address gives the same page until another generation is served."""
    served = serving(request).now
    shared = {"generation": served.generation.manifest, "editions": served.generation.archive.editions, "asked": ""}
    text = _environment().get_template(template).render({**shared, **values})
    headers = {"Content-Security-Policy": POLICY, "X-Frame-Options": "DENY"}
    headers |= caching(served) if keep and status == 200 else {"Cache-Control": "no-store", "Vary": "Accept"}
    return HTMLResponse(text.encode("utf-8", "replace"), status, headers)


def fault(request: Request, status: int, title: str, detail: str, links: Mapping[str, str] | None = None) -> Response:
    """A page that says what is wrong; ``links`` (words to address) are what may have been meant."""
    return page(request, "problem.html", {"title": title, "detail": detail, "links": links or {}}, status=status)
