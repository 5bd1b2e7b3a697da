"""The addresses of the web page; every one is read only."""

from collections.abc import Awaitable, Callable
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rulings.app.errors import HttpError
from rulings.app.web.negotiation import choose
from rulings.app.web.pages.asking import ask_page
from rulings.app.web.pages.assets import asset
from rulings.app.web.pages.finding import find_page
from rulings.app.web.pages.graph_page import graph_page
from rulings.app.web.pages.linked_data import HTML
from rulings.app.web.pages.nodes import node_page
from rulings.app.web.pages.query_page import query_file, query_page
from rulings.app.web.pages.query_terms import query_terms
from rulings.app.web.pages.rendering import fault
from rulings.app.web.search_limits import SearchThreads


def page_routes() -> list[Route]:
    """The routes of all pages."""
    return [
        Route("/", _in_turn(ask_page)),
        Route("/find", _in_turn(find_page)),
        Route("/id/{path:path}", _in_turn(node_page)),
        Route("/graph", _in_turn(graph_page)),
        Route("/query", query_page),
        Route("/query/file", query_file),
        Route("/query/terms", query_terms),
        Route("/assets/{digest}/{name}", asset),
    ]


def _in_turn(make: Callable[[Request], Response]) -> Callable[[Request], Awaitable[Response]]:
    """Make a page in one of the threads that answer questions, so that no more run at once than there are cores."""

    async def answer(request: Request) -> Response:
        threads: SearchThreads = request.app.state.threads
        try:
            return await threads.run(lambda: make(request))
        except HttpError as error:
            if choose(request.headers.get("accept"), ("application/problem+json", HTML)) != HTML:
                raise
            shown = fault(request, error.status, HTTPStatus(error.status).phrase, error.detail)
            shown.headers.update(error.headers)
            return shown

    return answer
