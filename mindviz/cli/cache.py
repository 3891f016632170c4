"""`mindviz cache`: lists or clears the warm cache."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from mindviz.cli.options import LOGS, workspace_option
from mindviz.cli.quantities import printable, size_text
from mindviz.cli.workspace import Workspace
from mindviz.errors import StartError


@click.group(invoke_without_command=True)
@click.pass_context
def cache(ctx: click.Context) -> None:
    """List or clear the cache of logs. Commands read unchanged logs from it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@cache.command()
@workspace_option("The server's workspace.")
def ls(workspace: Path) -> None:
    """List the log directories in the cache, the last used first."""
    from mindviz.datavisual.logs.warm.kept_logs import kept_logs

    root = Workspace(workspace).cache
    rows = [("LOG DIRECTORY", "FILES", "SIZE", "LAST USED")]
    total = 0
    for kept in kept_logs(root):
        used = f"{datetime.fromtimestamp(kept.used).astimezone():%Y-%m-%d %H:%M}"
        name = printable(kept.base_dir, 200) if kept.base_dir else "(damaged)"
        rows.append((name, f"{kept.files:,}", size_text(kept.bytes), used))
        total += kept.bytes
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows if len(rows) > 1 else ():
        name, files, size, used = row
        click.echo(f"{name:{widths[0]}}  {files:>{widths[1]}}  {size:>{widths[2]}}  {used}")
    click.echo(f"{size_text(total)} in {root}")


@cache.command()
@click.argument("directory", required=False, metavar="[DIR]", type=LOGS)
@workspace_option("The server's workspace.")
def clear(directory: Path | str | None, workspace: Path) -> None:
    """Delete the cached logs of DIR, by default of all.

    Running servers are not affected; they keep what they read from now on.
    """
    from mindviz.datavisual.logs.warm import kept_logs

    base_dir = None if directory is None else str(directory)
    try:
        removed = kept_logs.clear(Workspace(workspace).cache, base_dir)
    except OSError as error:
        raise StartError(f"Cannot clear the cache: {error.strerror}.") from None
    click.echo(f"Deleted {size_text(removed)}.")
