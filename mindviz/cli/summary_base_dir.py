"""Checks the directories and URLs that a user names, before anything starts."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from mindviz.errors import StartError
from mindviz.object_url import SCHEMES, checked_object_url, is_object_url

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*", re.IGNORECASE | re.ASCII)


def absolute(text: str) -> Path:
    """The absolute path, with `~` expanded. Raises StartError if the text is empty or a URL."""
    if not text:
        raise StartError("The path is empty.")
    if is_object_url(text):
        raise StartError(f"Give a local path here, not the URL of objects ({text[:2]}://).")
    return Path(os.path.abspath(os.path.expanduser(text)))  # noqa: PTH100, PTH111 - pathlib may raise


def location(text: str) -> Path | str:
    """The absolute path of a directory, or the URL of objects. Raises StartError."""
    scheme, separator, _ = text.partition("://")
    if is_object_url(text):
        return checked_object_url(text)
    if separator and _SCHEME.fullmatch(scheme) and not os.path.lexists(absolute(text)):
        # The message does not repeat the URL, which may contain a password.
        hint = " Use --db for databases." if scheme.startswith(("sqlite", "postgres")) else ""
        known = ", ".join(f"{known}://" for known in SCHEMES)
        raise StartError(f"Logs cannot be read from {scheme}:// URLs, only from {known}.{hint}")
    return absolute(text)


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


def check_directory(directory: Path | str) -> None:
    """Raises StartError unless the directory, or the URL of objects, exists and is readable."""
    if is_object_url(directory):
        from mindviz.datavisual.logs.storage.bucket import check_readable

        if not check_readable(directory):
            raise StartError(f"{directory!r} has no objects.")
        return
    directory = Path(directory)
    if not find_base_dir(directory):
        from mindviz.cli.missing_logs import hint_for_missing

        raise StartError(f"{str(directory)!r} does not exist.{hint_for_missing(directory)}")
