"""Hints for unknown commands and options."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable

import click

from mindviz.nearest_names import did_you_mean

_DIRECTORY = "pass the directory as an argument: `mindviz start {}`."
_FOREIGN_OPTIONS = {
    **dict.fromkeys(("--logdir", "--log-dir", "--log_dir", "--dir"), _DIRECTORY),
    "--bind_all": "to listen on all addresses, use --host 0.0.0.0.",
    "--path_prefix": "use --url-path-prefix PATH.",
}
"""Options of TensorBoard and VisualDL, and how to do the same in mindviz."""


def unknown_command(name: str, rest: Iterable[str], commands: Iterable[str]) -> click.UsageError:
    """The error for an unknown command."""
    if os.sep in name or name in {".", ".."} or name.startswith("~") or os.path.isdir(name):  # noqa: PTH112 - may be no valid path
        given = shlex.join([name, *rest])
        return click.UsageError(
            f"No such command {name!r}. To serve a directory, use `mindviz start {given}`."
        )
    hint = did_you_mean(name, commands) or f" Commands: {', '.join(sorted(commands))}."
    return click.UsageError(f"No such command {name!r}.{hint}")


def with_hint(error: click.UsageError, start_options: Iterable[str]) -> str:
    """Click's error message, with a hint if there is one."""
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        name = error.option_name
        if name in _FOREIGN_OPTIONS:
            return f"{error.message} Instead, {_FOREIGN_OPTIONS[name].format('DIR')}"
        before_commands = error.ctx is not None and error.ctx.parent is None
        if before_commands and name in start_options:
            return f"{error.message} Put it after the command: `mindviz start {name} ...`."
        return error.message + did_you_mean(name, error.possibilities or ())
    if "unexpected extra argument" in message:
        return (
            f"{message}. Use one directory: mindviz finds logs at any depth. If the shell expanded "
            "a pattern such as *, use the parent directory instead."
        )
    return message
