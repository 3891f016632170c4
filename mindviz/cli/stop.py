"""`mindviz stop`: stop a server in the background or in another terminal."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import click

from mindviz.cli.options import Parsed, is_default, option, workspace_option
from mindviz.cli.workspace import Instance, Workspace
from mindviz.config import parse_port
from mindviz.errors import StartError

_TIMEOUT = 15.0
"""Seconds from SIGTERM to SIGKILL."""
_POLL_INTERVAL = 0.05


@click.command()
@option(
    "--port",
    type=Parsed("port", partial(parse_port, lowest=1)),
    help="The server's port; required if several are running.",
)
@workspace_option("The server's workspace.")
@click.pass_context
def stop(ctx: click.Context, port: int | None, workspace: Path) -> None:
    """Stop a server that was started with the same --workspace."""
    home = Workspace(workspace)
    instance = _instance(home, port)
    if instance is None and is_default(ctx, "workspace"):
        home = Workspace.temporary()  # the fallback of `start`
        instance = _instance(home, port)
    if instance is None:
        raise StartError(_not_found(port, workspace))
    try:
        _stop(home, instance)
    except ProcessLookupError:
        pass  # it has just exited
    except PermissionError:
        raise StartError(
            f"The server on port {instance.port} (process {instance.pid}) belongs to another user."
        ) from None
    click.echo(f"Stopped the server at {instance.url} (process {instance.pid}).")


def _instance(home: Workspace, port: int | None) -> Instance | None:
    if port is not None:
        return home.instance(port)
    instances = home.instances()
    if len(instances) > 1:
        ports = ", ".join(str(instance.port) for instance in instances)
        raise StartError(
            f"Several servers are running in the workspace {home.path}: use --port with one of "
            f"{ports}."
        )
    return instances[0] if instances else None


def _not_found(port: int | None, workspace: Path) -> str:
    if port is None:
        return f"No server is running in the workspace {workspace}."
    from mindviz.cli.status_client import responds
    from mindviz.config import Config

    if not responds(Config(workspace, port=port)):
        return f"No server is running on port {port} in the workspace {workspace}."
    return (
        f"The server on port {port} does not belong to the workspace {workspace}: "
        "use the --workspace it was started with."
    )


def _stop(home: Workspace, instance: Instance) -> None:
    os.kill(instance.pid, signal.SIGTERM)
    deadline = time.monotonic() + _TIMEOUT
    while home.instance(instance.port) == instance:
        if time.monotonic() > deadline:
            # Safe, because the held lock proves that the pid has not been reused.
            os.kill(instance.pid, signal.SIGKILL)
            return
        time.sleep(_POLL_INTERVAL)
