"""The base dir as the user names it: checked once, before anything starts."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mindviz.errors import StartError


def absolute(text: str) -> Path:
    """The path that is meant, whatever the working directory will be. Raises StartError."""
    if not text:
        raise StartError("An empty path names no directory.")
    return Path(os.path.abspath(os.path.expanduser(text)))  # noqa: PTH100, PTH111 - neither raises


def find_base_dir(path: Path) -> bool:
    """Whether the base dir is there already; if not, it may still appear.

    Raises StartError if it never can be read as it is: a file, below a file, not permitted.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StartError(f"The base dir {str(path)!r} cannot be read: {reason}.") from None
    if not stat.S_ISDIR(mode):
        raise StartError(f"The base dir {str(path)!r} is a file; give the directory it lies in.")
    if not os.access(path, os.R_OK | os.X_OK):
        raise StartError(f"The base dir {str(path)!r} cannot be read: Permission denied.")
    return True


def check_directory(directory: Path) -> None:
    """Raises StartError if there is no directory whose logs could be read."""
    if not find_base_dir(directory):
        from mindviz.cli.log_search import hint_for_missing

        raise StartError(f"There is no directory {str(directory)!r}.{hint_for_missing(directory)}")
