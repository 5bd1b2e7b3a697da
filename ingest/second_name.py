"""A second name for a file that is never written again: a link, or a copy where the file system has none."""

import os
import shutil
from pathlib import Path


def second_name(file: Path, place: Path) -> None:
    """Make ``place`` the same file as ``file``.

    Raises:
        OSError: ``file`` can't be read, or ``place`` is there or can't be written.
    """
    try:
        os.link(file.resolve(), place)
    except FileExistsError:
        raise
    except OSError:
        with file.open("rb") as source, place.open("xb") as copy:
            shutil.copyfileobj(source, copy)
