"""Explains why a directory is missing or has no logs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from mindviz.cli.quantities import count_text, printable
from mindviz.nearest_names import did_you_mean
from mindviz.object_url import is_object_url

_PATTERN = re.compile(r"[*?\[]")
_MAX_FILES = 10_000
"""Maximum number of files, and of directories, to list."""
_SHOWN_FILES = 3


def log_file_patterns() -> str:
    """The usual names of log files, for messages."""
    from mindviz.datavisual.logs.formats import log_formats

    return ", ".join(
        f"{log_format.usual_names} ({log_format.name})" for log_format in log_formats()
    )


def hint_for_missing(path: Path) -> str:
    """A sentence about a path that does not exist, with a leading space; may be empty."""
    if _PATTERN.search(str(path)):
        parent = next(one for one in path.parents if not _PATTERN.search(str(one)))
        return (
            " It looks like a pattern that the shell did not expand. "
            f"Use {str(parent)!r} instead: mindviz finds logs at any depth."
        )
    try:
        siblings = [entry.name for entry in os.scandir(path.parent) if entry.is_dir()]
    except OSError:
        return f" Neither does {printable(str(path.parent), 200)!r}."
    return did_you_mean(path.name, siblings)


def _file_names(directory: Path | str) -> Iterator[Sequence[str]]:
    if is_object_url(directory):
        from mindviz.datavisual.logs.storage.bucket import located

        bucket, prefix = located(directory)
        with suppress(OSError):
            yield [key.rpartition("/")[2] for key in bucket.list(prefix)]
        return
    for _, _, names in os.walk(directory):
        yield names


def _count_external_links(directory: Path | str) -> int:
    """Number of links to directories outside, among the first of the directory's entries."""
    if is_object_url(directory):
        return 0
    root = Path(directory).resolve()
    with suppress(OSError), os.scandir(root) as entries:
        links = (Path(entry.path) for entry in islice(entries, _MAX_FILES) if entry.is_symlink())
        return sum(link.is_dir() and not link.resolve().is_relative_to(root) for link in links)
    return 0


def why_no_logs(directories: Sequence[Path | str]) -> str:
    """Describes the files in directories without train jobs.

    Empty if some are named like logs, because their problems are reported elsewhere.
    """
    from mindviz.datavisual.logs.formats import log_formats

    folders = (names for directory in directories for names in _file_names(directory))
    files = list(islice(chain.from_iterable(islice(folders, _MAX_FILES)), _MAX_FILES))
    if any(log_format.file_kind(name) for name in files for log_format in log_formats()):
        return ""
    if not files:
        if links := sum(_count_external_links(directory) for directory in directories):
            return (
                f"The directory has no files, but {count_text(links, 'link')} to directories "
                "outside, which are read only with --follow-external-links."
            )
        return f"The directory has no files. Log files are named like {log_file_patterns()}."
    count = (
        f"{_MAX_FILES:,} or more files"
        if len(files) >= _MAX_FILES
        else count_text(len(files), "file")
    )
    shown = ", ".join(printable(name, 60) for name in sorted(files)[:_SHOWN_FILES])
    more = ", ..." if len(files) > _SHOWN_FILES else ""
    return f"Found {count} ({shown}{more}), but log files are named like {log_file_patterns()}."
