"""The stylesheet and the scripts, at addresses that change with their contents, so that browsers may keep them."""

import hashlib
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from rulings.app.errors import HttpError
from rulings.graph.svg import style

FOLDER = Path(__file__).with_name("static")
_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


@cache
def _contents() -> dict[str, bytes]:
    """All files by name; the stylesheet has that of the pictures with it."""
    found = {file.name: file.read_bytes() for file in sorted(FOLDER.iterdir()) if file.suffix in _TYPES}
    return found | {"page.css": found["page.css"] + style().encode()}


@cache
def asset_url(name: str) -> str:
    """The address of a file."""
    return f"/assets/{hashlib.sha256(_contents()[name]).hexdigest()[:12]}/{name}"


async def asset(request: Request) -> Response:
    """Send a file.

    Raises:
        HttpError: 404, there is no such file.
    """
    name = request.path_params["name"]
    content = _contents().get(name)
    if content is None:
        raise HttpError(404, "no such file; the pages name those that there are")
    fresh = request.url.path == asset_url(name)
    caching = "public, max-age=31536000, immutable" if fresh else "no-cache"
    return Response(content, headers={"Cache-Control": caching, "Content-Type": _TYPES[Path(name).suffix]})
