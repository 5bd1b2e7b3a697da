"""Addresses as messages show them: without user, password and keys."""

import re

_SCHEMES = "https?|postgres(?:ql)?|qdrant[+]https?|tcp|tls|file"
_CLEAN = re.compile(rf"((?:{_SCHEMES})://)[^/?#@\s]*@([^@]*)", re.IGNORECASE)
_SCHEME = re.compile(rf"({_SCHEMES}):/", re.IGNORECASE)
_WITHIN = re.compile(r"\b[a-z][a-z\d+.-]*:/\S*@", re.IGNORECASE)
_KEY = re.compile(r"\b((?:\w*password|passwd|\w*token|\w*key|\w*secret)=)[^&\s]+", re.IGNORECASE)


def shown(address: str) -> str:
    """An address for a message.

    Without user and password, and without what keys there are among its options. Where an ``@`` stands but not as the
    end of a user's name and password, nobody can tell where those end: then its scheme alone is shown.
    """
    if "@" in address:
        clean, scheme = _CLEAN.fullmatch(address), _SCHEME.match(address)
        address = clean[1] + clean[2] if clean else f"{scheme[1]}://..." if scheme else "..."
    return _KEY.sub(r"\1...", address)


def without_secrets(text: str) -> str:
    """A message in which whatever looks like an address has lost all before its last ``@``."""
    return _WITHIN.sub(lambda found: f"{found[0].partition(':')[0]}://...@", text)
