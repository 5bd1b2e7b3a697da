"""``rulings mcp``: the tools for assistants over standard input and output."""

import argparse
import asyncio
import contextlib
from pathlib import Path

from rulings.app.ask import open_or_sample
from rulings.app.home import home_of
from rulings.app.web.assistant import assistant
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.serving import Serving


def run(args: argparse.Namespace) -> None:
    """Answer an assistant until it closes standard input."""
    home = home_of(args)
    open_or_sample(home)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(home))


async def _serve(home: Path) -> None:
    serving = Serving(home, QueryLimits(workers=1))
    await serving.open()
    watching = asyncio.create_task(serving.watch())
    try:
        await assistant(lambda: serving.now).run_stdio_async()
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        await serving.close()
