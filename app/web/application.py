"""The web application: its addresses and what every request passes through."""

from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rulings.app.errors import HttpError
from rulings.app.web.api import ENDPOINTS
from rulings.app.web.headers import SafeHeaders
from rulings.app.web.mcp_route import mcp_routes
from rulings.app.web.metrics import Measured, Metrics, metrics
from rulings.app.web.pages.routes import page_routes
from rulings.app.web.problems import on_problem
from rulings.app.web.rate import RateLimit
from rulings.app.web.request_log import Logged
from rulings.app.web.search_limits import SearchThreads
from rulings.app.web.serving import Serving, serving
from rulings.app.web.sparql import METHODS, sparql


@dataclass(frozen=True, slots=True)
class Settings:
    """Who may ask how much.

    Pages of ``origin`` may read answers in a browser ("*": any site's, "": none). ``rate`` is in requests a second and
    client. ``local``: only this machine is to reach the server. ``log_queries``: what is asked stands in the log.
    """

    origin: str = "*"
    rate: float = 100.0
    local: bool = True
    log_queries: bool = False


def application(served: Serving, settings: Settings) -> Starlette:
    """The application over an opened `Serving`; enter its ``state.assistants`` while it is served."""
    numbers = Metrics(served)
    plain = {"/healthz": health, "/metrics": metrics, **ENDPOINTS}
    middleware = [
        Middleware(Logged, queries=settings.log_queries),
        Middleware(Measured, metrics=numbers, paths=frozenset({"/sparql", *plain})),
        Middleware(SafeHeaders),
        *([_cors(settings.origin)] if settings.origin else []),
        Middleware(RateLimit, rate=settings.rate),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=4),
    ]
    assistant_routes, assistants = mcp_routes(lambda: served.now, local=settings.local)
    routes = [
        Route("/sparql", sparql, methods=list(METHODS)),
        *(Route(path, endpoint, methods=["GET"]) for path, endpoint in plain.items()),
        *assistant_routes,
        *page_routes(),
    ]
    handlers = {HttpError: on_problem, HTTPException: on_problem, Exception: on_problem}
    made = Starlette(routes=routes, middleware=middleware, exception_handlers=handlers)
    made.state.serving, made.state.metrics, made.state.threads = served, numbers, SearchThreads()
    made.state.assistants = assistants
    return made


def _cors(origin: str) -> Middleware:
    return Middleware(
        CORSMiddleware,
        allow_origins=[origin],
        allow_methods=list(METHODS),
        allow_headers=["*"],
        expose_headers=["ETag", "Retry-After"],
        max_age=86400,
    )


async def health(request: Request) -> Response:
    """Say that all is well, and what is served."""
    now = serving(request).now
    answer = {"status": "ok", "generation": now.generation.manifest.name, "sample": now.generation.manifest.sample}
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})
