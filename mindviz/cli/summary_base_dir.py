"""Checks the directories that a user names, before anything starts."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mindviz.errors import StartError


def absolute(text: str) -> Path:
    """The absolute path, with `~` expanded. Raises StartError if the text is empty."""
    if not text:
        raise StartError("The path is empty.")
    return Path(os.path.abspath(os.path.expanduser(text)))  # noqa: PTH100, PTH111 - pathlib may raise


def find_base_dir(path: Path) -> bool:
    """Whether the base dir exists.

    Raises StartError if it can never be read: it is a file, below a file, or not permitted.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise StartError(f"Cannot read the base dir {str(path)!r}: {reason}.") from None
    if not stat.S_ISDIR(mode):
        raise StartError(f"The base dir {str(path)!r} is a file: use its directory.")
    if not os.access(path, os.R_OK | os.X_OK):
        raise StartError(f"Cannot read the base dir {str(path)!r}: Permission denied.")
    return True


def check_directory(directory: Path) -> None:
    """Raises StartError unless the directory exists and is readable."""
    if not find_base_dir(directory):
        from mindviz.cli.missing_logs import hint_for_missing

        raise StartError(f"{str(directory)!r} does not exist.{hint_for_missing(directory)}")
