"""What `--vectors` names: an engine in the index itself, or the address of a server, told without its credentials."""

import os
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from rulings.search.engines.extras import psycopg
from rulings.search.errors import EngineAddressError

LOCAL = ("numpy", "faiss-ivf", "faiss-sq8")
VARIABLE = "RULINGS_VECTORS"
"""Names the environment variable with the address of a server, credentials and all."""
_KNOWN = "numpy, faiss-ivf, faiss-sq8, postgresql://HOST/DATABASE or qdrant+http://HOST:PORT"
_TOLD = ("sslmode", "sslrootcert", "target_session_attrs", "load_balance_hosts")
"""Options of a PostgreSQL address that are no secret and are needed to reach it."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where vectors go.

    ``engine`` is one of `LOCAL`, "postgresql" or "qdrant"; ``told`` the address without user, password and keys, which
    is what is written down and shown; ``full`` the address as given.
    """

    engine: str
    told: str
    full: str = field(repr=False)


def read_address(written: str, named: str = "--vectors") -> Address:
    """Read what was given to `--vectors`, or a record has; ``named`` is what messages call it.

    Raises:
        EngineAddressError: no engine is called so, or the address is malformed. The message has no credentials.
        MissingExtraError: psycopg is needed to read the address and isn't installed.
    """
    if written in LOCAL:
        return Address(written, written, written)
    scheme, found, _ = written.partition("://")
    if found and scheme in {"postgresql", "postgres"}:
        return Address("postgresql", _told_postgres(written, named), written)
    if found and scheme in {"qdrant+http", "qdrant+https"}:
        return Address("qdrant", _told_qdrant(written, named), written)
    # what isn't plainly the name of something may be a mistyped address, with a password anywhere
    plain = named != VARIABLE and re.fullmatch(r"[\w+.-]{1,40}", scheme)
    shown = f" {scheme}://..." if plain and found else f" {written}" if plain else " ''" if not written else ""
    raise EngineAddressError(f"{named}{shown}: no engine is called so; take one of {_KNOWN}")


def given_address(written: str) -> Address:
    """As `read_address`; what was given without credentials takes those of the environment, as `address_of` does."""
    address = read_address(written)
    return address_of(address.told) if address.full == address.told else address


def address_of(told: str) -> Address:
    """The address that a record tells, with the credentials of ``$RULINGS_VECTORS`` where that is the same server's.

    Raises:
        EngineAddressError, MissingExtraError: as `read_address`.
    """
    given = os.environ.get(VARIABLE, "")
    if given:
        address = read_address(given, VARIABLE)
        if address.told == told:
            return address
    return read_address(told)


def _told_postgres(written: str, named: str) -> str:
    library = psycopg()
    bad = f"{named} postgresql://...: not a PostgreSQL address; write postgresql://USER@HOST:PORT/DATABASE"
    user, at, place = written.partition("://")[2].partition("?")[0].partition("@")
    if at and ("/" in user or "@" in place):  # libpq would take a part of the password for a host or a database
        raise EngineAddressError(f"{bad}, an @ or / in user or password as %40 or %2F")
    try:
        parts = {key: str(value) for key, value in library.conninfo.conninfo_to_dict(written).items()}
    except library.Error:
        # not chained, not quoted: the library's message holds the address
        raise EngineAddressError(bad) from None
    hosts, ports = parts.get("host", ""), parts.get("port", "")
    if not all(port.isdecimal() for port in ports.split(",") if port):
        raise EngineAddressError(bad)
    options = {name: parts[name] for name in _TOLD if name in parts}
    if "/" in hosts:  # the folder of a socket
        options["host"] = hosts
        hosts = ""
        if ports:
            options["port"] = ports
            ports = ""
    places = hosts.split(",")
    each = ports.split(",") if ports else [""]
    each = each * len(places) if len(each) == 1 else each
    place = ",".join(
        (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        for host, port in zip(places, each, strict=False)
    )
    tail = f"?{urlencode(options)}" if options else ""
    return f"postgresql://{place}/{quote(parts.get('dbname', ''), safe='')}{tail}"


def _told_qdrant(written: str, named: str) -> str:
    try:
        parts = urlsplit(written)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port, parts = None, None, urlsplit("")
    if "@" in written or parse_qsl(parts.query):
        raise EngineAddressError(
            f"{named} qdrant+http://...: user, password or options can't be in the address; "
            "give the server's key by the environment variable QDRANT_API_KEY"
        )
    if not host:
        raise EngineAddressError(f"{named} qdrant+http://...: no host; write qdrant+http://HOST:PORT")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}:{port or 6333}{parts.path.rstrip('/')}"
