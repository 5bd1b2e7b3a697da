"""Limits that keep a hostile or broken file from filling memory or disk. Each is far above what real sources need."""

RECORD_CHARS = 8 * 2**20
"""Longest single JSON record, or single string, in characters (the longest real one is under 200,000)."""

LINE_CHARS = 4 * 2**20
"""Longest line of a line-based source, in characters."""

DEPTH = 200
"""Deepest nesting of a JSON value (real sources stay under 12)."""

UNPACKED_BYTES = 32 * 2**30
"""Most that one file or archive may unpack to, in bytes."""

RATIO = 250
"""Most times an archive may grow when unpacked, once it is over `RATIO_FROM` (real sources stay under 30)."""

RATIO_FROM = 64 * 2**20
"""Unpacked size from which the growth of an archive is looked at, in bytes."""

MEMBERS = 20_000
"""Most members of one archive."""
