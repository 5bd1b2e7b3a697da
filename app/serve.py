"""``rulings serve``: the SPARQL endpoint and the HTTP API on this machine."""

import argparse
import ipaddress

from rulings.app.ask import open_or_sample
from rulings.app.home import home_of
from rulings.app.output import note
from rulings.app.web.application import Settings
from rulings.app.web.query_limits import QueryLimits
from rulings.app.web.request_log import logging_to_stderr
from rulings.app.web.server import listen, serve

LOOPBACK = "127.0.0.1"


def run(args: argparse.Namespace) -> None:
    """Listen, build the sample where nothing was built yet, and serve until told to end."""
    limits = QueryLimits(
        seconds=args.query_seconds,
        size=args.query_size << 20,
        memory=args.query_memory << 20,
        workers=args.query_workers or QueryLimits().workers,
        service=args.allow_service,
    )
    origin = "" if args.cors == "none" else args.cors
    home = home_of(args)
    logged = logging_to_stderr(as_json=args.log == "json", requests=args.log == "json" or args.verbose)
    settings = Settings(origin, args.rate, local=_is_local(args.host), log_queries=args.log_queries)
    with logged, listen(args.host, args.port) as listening:
        open_or_sample(home)
        serve(home, listening, limits, settings, note)


def _is_local(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
