"""Usage hints: what somebody meant who typed a command or an option that does not exist."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

import click

from mindviz.nearest_names import did_you_mean

_DIRECTORY = "give the directory by itself: `mindviz start {}`."
_OTHER_NAMES = {
    "--logdir": _DIRECTORY,
    "--log-dir": _DIRECTORY,
    "--log_dir": _DIRECTORY,
    "--dir": _DIRECTORY,
    "--bind_all": "to listen on all addresses, use --host 0.0.0.0.",
    "--path_prefix": "use --url-path-prefix PATH.",
}
"""Options of TensorBoard and VisualDL, and what mindviz has instead."""


def unknown_command(name: str, rest: Iterable[str], commands: Iterable[str]) -> click.UsageError:
    """The complaint about a command that does not exist."""
    if os.sep in name or name in {".", ".."} or name.startswith("~") or os.path.isdir(name):  # noqa: PTH112 - may be no valid path
        given = shlex.join([name, *rest])
        return click.UsageError(
            f"No such command {name!r}. To show the logs in a directory: `mindviz start {given}`."
        )
    hint = did_you_mean(name, commands) or f" There are: {', '.join(sorted(commands))}."
    return click.UsageError(f"No such command {name!r}.{hint}")


def with_hint(error: click.UsageError, start_options: Iterable[str]) -> str:
    """Click's complaint, and what may have been meant where that can be told."""
    said = error.format_message()
    if isinstance(error, click.NoSuchOption):
        name = error.option_name
        if name in _OTHER_NAMES:
            return f"{error.message} Instead, {_OTHER_NAMES[name].format('DIR')}"
        before_commands = error.ctx is not None and error.ctx.parent is None
        if before_commands and name in start_options:
            return f"{error.message} It is an option of a command: `mindviz start {name} ...`."
        return error.message + did_you_mean(name, error.possibilities or ())
    if "unexpected extra argument" in said:
        return (
            f"{said}. Give one directory: logs are found at any depth below it. If a pattern such "
            "as * was expanded to several, give the directory above them."
        )
    return said
