"""`mindviz stop`: end a mindviz that runs in the background, or in another terminal."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import click

from mindviz.cli.options import Option, Parsed, is_default, workspace_option
from mindviz.cli.workspace import Instance, Workspace
from mindviz.config import parse_port
from mindviz.errors import StartError

_PATIENCE = 15.0
"""Seconds it may take to end by itself."""
_LOOK_INTERVAL = 0.05


@click.command()
@click.option(
    "--port",
    cls=Option,
    type=Parsed("port", partial(parse_port, lowest=1)),
    help="The one that listens there.  [default: the only one there is]",
)
@workspace_option("The workspace it was started with.")
@click.pass_context
def stop(ctx: click.Context, port: int | None, workspace: Path) -> None:
    """End a mindviz that was started with the same --workspace."""
    home = Workspace(workspace)
    instance = _instance(home, port)
    if instance is None and is_default(ctx, "workspace"):
        home = Workspace.temporary()  # where `start` goes on if it cannot write the other
        instance = _instance(home, port)
    if instance is None:
        raise StartError(_why_not(port, workspace))
    try:
        _end(home, instance)
    except ProcessLookupError:
        pass  # it ended by itself just now
    except PermissionError:
        raise StartError(
            f"The mindviz on port {instance.port} (process {instance.pid}) belongs to another user."
        ) from None
    click.echo(f"Stopped the mindviz at {instance.url} (process {instance.pid}).")


def _instance(home: Workspace, port: int | None) -> Instance | None:
    return _only_one(home) if port is None else home.instance(port)


def _only_one(home: Workspace) -> Instance | None:
    instances = home.instances()
    if len(instances) > 1:
        ports = ", ".join(str(instance.port) for instance in instances)
        raise StartError(f"Several run from the workspace {home.path}: give one --port of {ports}.")
    return instances[0] if instances else None


def _why_not(port: int | None, workspace: Path) -> str:
    if port is None:
        return f"No mindviz runs from the workspace {workspace}."
    from mindviz.cli.service import answers
    from mindviz.config import Config

    if not answers(Config(workspace, port=port)):
        return f"No mindviz runs on port {port} from the workspace {workspace}."
    return (
        f"The mindviz on port {port} was not started from the workspace {workspace}: "
        "give the --workspace it was started with."
    )


def _end(home: Workspace, instance: Instance) -> None:
    os.kill(instance.pid, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE
    while home.instance(instance.port) == instance:
        if time.monotonic() > deadline:
            # Its lock still proves that this pid is that mindviz and not a stranger.
            os.kill(instance.pid, signal.SIGKILL)
            return
        time.sleep(_LOOK_INTERVAL)
