"""LogSearch: why no logs were found in a directory, for people who expected some."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from mindviz.cli.quantities import count_text, printable
from mindviz.nearest_names import did_you_mean

_PATTERN = re.compile(r"[*?\[]")
_MOST = 10_000
"""So many files and directories are looked at."""
_SHOWN_FILES = 3


def names_of_logs() -> str:
    """What files are named that are taken for logs, for messages."""
    from mindviz.datavisual.logs.formats import log_formats

    return ", ".join(f"{one.usual_names} ({one.name})" for one in log_formats())


def hint_for_missing(path: Path) -> str:
    """What may have been meant by a path that does not exist, to append to a sentence."""
    if _PATTERN.search(str(path)):
        above = next(one for one in path.parents if not _PATTERN.search(str(one)))
        return (
            " It looks like a pattern that the shell did not expand. "
            f"Give {str(above)!r}: logs are found at any depth below it."
        )
    try:
        beside = [entry.name for entry in os.scandir(path.parent) if entry.is_dir()]
    except OSError:
        return f" Neither does {printable(str(path.parent), 200)!r}."
    return did_you_mean(path.name, beside)


def why_no_logs(directories: Sequence[Path]) -> str:
    """What there is instead of logs below these directories, and what would be logs.

    Empty if some files are named like logs: what is wrong with those is said as a problem.
    """
    from mindviz.datavisual.logs.formats import log_formats

    files = list(_files_below(directories))
    if any(one.file_kind(name) for name in files for one in log_formats()):
        return ""
    if not files:
        return f"There are no files; logs are named like {names_of_logs()}."
    count = f"{_MOST:,} and more files" if len(files) >= _MOST else count_text(len(files), "file")
    shown = ", ".join(printable(name, 60) for name in sorted(files)[:_SHOWN_FILES])
    more = ", ..." if len(files) > _SHOWN_FILES else ""
    verb = "is" if len(files) == 1 else "are"
    return f"There {verb} {count} ({shown}{more}), but logs are named like {names_of_logs()}."


def _files_below(directories: Sequence[Path]) -> Iterator[str]:
    """The names of all files, or of as many as say enough."""
    folders = (files for directory in directories for _, _, files in os.walk(directory))
    return islice(chain.from_iterable(islice(folders, _MOST)), _MOST)
