"""`mindviz start`: serve the logs below a directory.

Start-up time matters, so what is heavy is imported where it is used: nothing here may pull in
numpy or the web framework before the worker is on its way.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from mindviz.cli.address import find_address, is_loopback, link, remote_link, url
from mindviz.cli.announcement import Announcement, scanner_notes
from mindviz.cli.experiment_sources import SourcesType, named, stored_in
from mindviz.cli.options import (
    DIRECTORY,
    Option,
    Parsed,
    checksum_option,
    discovery_options,
    is_default,
    workspace_option,
)
from mindviz.cli.start_notes import start_notes
from mindviz.cli.summary_base_dir import find_base_dir
from mindviz.cli.tls import certificate_in, tls_options
from mindviz.cli.workspace import Instance, Workspace
from mindviz.config import (
    LONGEST_RELOAD_INTERVAL,
    LOOPBACK_ORIGINS,
    Config,
    ExperimentSource,
    memory_limit,
    parse_auth_token,
    parse_frame_ancestor,
    parse_origin,
    parse_port,
    parse_reload_interval,
    parse_size,
    parse_url_path_prefix,
    port_command,
)
from mindviz.errors import StartError
from mindviz.rpc.requirement import require_grpc

if TYPE_CHECKING:
    from mindviz.answer_memory import AnswerBudget
    from mindviz.datavisual.generic.data_provider import DataProvider


@click.command()
@click.argument("directory", required=False, metavar="[DIR]", type=DIRECTORY)
@click.option(
    "--summary-base-dir",
    cls=Option,
    metavar="[NAME=]DIR",
    type=SourcesType(),
    multiple=True,
    help="Directory below which train jobs are looked for; it need not exist yet. The same as DIR. "
    "May be given several times: each is an experiment, the first one is shown first; "
    "in the environment, separated by colons.  [default: the current directory]",
)
@click.option(
    "--db",
    cls=Option,
    metavar="URL",
    help="Serve what `mindviz import` put into this database: all its experiments, alone or behind "
    "those of --summary-base-dir. A password belongs into the environment or ~/.pgpass: everybody "
    "on this machine can see the command line.",
)
@click.option(
    "--host",
    cls=Option,
    default="127.0.0.1",
    show_default=True,
    help="Listen there. On other addresses than loopback, a token is required unless --no-auth.",
)
@click.option(
    "--port",
    cls=Option,
    type=Parsed("port", parse_port),
    default=8080,
    show_default=True,
    help="Listen there; 0 takes a free port.",
)
@click.option(
    "--grpc-port",
    cls=Option,
    type=Parsed("port", parse_port),
    help="Be a data provider for TensorBoard there, as its --grpc_data_provider; 0 takes a free "
    "port. Needs the extra `tensorboard`.",
)
@click.option(
    "--url-path-prefix",
    cls=Option,
    metavar="PATH",
    type=Parsed("path", parse_url_path_prefix),
    default="",
    help="What stands before all paths, for use behind a proxy.",
)
@click.option(
    "--reload-interval",
    cls=Option,
    metavar="SECONDS",
    type=Parsed("seconds", parse_reload_interval),
    default="3",
    show_default=True,
    help=f"Time between looks at the base dir, at most {LONGEST_RELOAD_INTERVAL}; 0 loads once.",
)
@workspace_option("Where mindviz keeps its own files.")
@click.option(
    "--max-memory",
    cls=Option,
    metavar="SIZE",
    type=Parsed("size", parse_size),
    help="Memory that loaded data may take, e.g. 2GiB.  [default: a quarter of the memory]",
)
@click.option(
    "--max-tensor-size",
    cls=Option,
    metavar="SIZE",
    type=Parsed("size", parse_size),
    default="10MiB",
    show_default=True,
    help="Larger tensors are left out of answers that hold whole series.",
)
@checksum_option(
    "lazy", "When records over 64 KiB are verified: as they are found, or when they are shown."
)
@discovery_options("the base dir")
@click.option(
    "--no-inotify", cls=Option, is_flag=True, help="Only poll; do not ask the system for changes."
)
@click.option(
    "--auth-token",
    cls=Option,
    metavar="TOKEN",
    type=Parsed("token", parse_auth_token),
    help="Require this token. Set it in the environment: everybody on this machine can see the "
    "command line.  [default: a new one, printed as a link, if --host is not loopback]",
)
@click.option(
    "--no-auth",
    cls=Option,
    is_flag=True,
    help="Let everybody who reaches this address read the logs.",
)
@click.option(
    "--cors-origin",
    cls=Option,
    metavar="URL",
    type=Parsed("url", parse_origin),
    multiple=True,
    help="Let pages from this origin call the API. May be given several times; "
    "in the environment, separated by spaces.",
)
@click.option(
    "--frame-ancestor",
    cls=Option,
    metavar="URL",
    type=Parsed("url", parse_frame_ancestor),
    multiple=True,
    help="Let pages from this origin embed mindviz; `*` is any port, `none` no other origin. May "
    "be given several times; in the environment, separated by spaces.  [default: every port of "
    "localhost and 127.0.0.1]",
)
@tls_options()
@click.option("--daemon", cls=Option, is_flag=True, help="Return once mindviz answers.")
@click.option(
    "--open", "open_browser", cls=Option, is_flag=True, help="Open the page in a browser."
)
@click.pass_context
def start(
    ctx: click.Context,
    *,
    directory: Path | None,
    summary_base_dir: tuple[ExperimentSource, ...],
    db: str | None,
    host: str,
    port: int,
    grpc_port: int | None,
    url_path_prefix: str,
    reload_interval: float,
    workspace: Path,
    max_memory: int | None,
    max_tensor_size: int,
    checksum: str,
    max_depth: int | None,
    follow_external_links: bool,
    no_inotify: bool,
    auth_token: str | None,
    no_auth: bool,
    cors_origin: tuple[str, ...],
    frame_ancestor: tuple[str, ...],
    certfile: Path | None,
    keyfile: Path | None,
    daemon: bool,
    open_browser: bool,
) -> None:
    """Serve the logs below DIR until Ctrl-C, or until `mindviz stop` when started with --daemon.

    Every option can be set in the environment too, as the names in brackets say.
    """
    begun = time.monotonic()
    if directory and ctx.get_parameter_source("summary_base_dir") is ParameterSource.COMMANDLINE:
        raise click.UsageError("Give the base dir once: as DIR or as --summary-base-dir.")
    if directory or not (summary_base_dir or db):
        summary_base_dir = (ExperimentSource("", directory or Path.cwd()),)
    stored = stored_in(db) if db else ()
    experiments = named((*summary_base_dir, *stored))
    base_dirs = [one.location for one in experiments if isinstance(one.location, Path)]
    to_come = [base_dir for base_dir in base_dirs if not find_base_dir(base_dir)]
    certificate = certificate_in(certfile, keyfile)
    home = _prepared(workspace, base_dirs, may_be_other=is_default(ctx, "workspace"))
    address, port, grpc_port = _addresses(home, host, port, grpc_port)
    if auth_token and no_auth:
        auth_token = _chosen(ctx, auth_token)
    is_new = not (auth_token or no_auth or is_loopback(address))
    config = Config(
        summary_base_dir=base_dirs[0] if base_dirs else Path.cwd(),
        host=address,
        port=port,
        grpc_port=grpc_port,
        url_path_prefix=url_path_prefix,
        reload_interval=reload_interval,
        workspace=home.path,
        max_memory=memory_limit() // 4 if max_memory is None else max_memory,
        max_tensor_bytes=max_tensor_size,
        checksum=checksum,
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        inotify=not no_inotify,
        certificate=certificate,
        auth_token=_new_token() if is_new else auth_token or "",
        cors_origins=cors_origin,
        frame_ancestors=tuple(filter(None, frame_ancestor)) if frame_ancestor else LOOPBACK_ORIGINS,
        experiments=experiments,
        database=str(stored[0].location) if stored else "",
    )
    notes = start_notes(config, to_come, token_is_new=is_new)
    if home.path != workspace:
        notes.append(
            f"{workspace} cannot be written, so notes about runs are kept in {home.path} until "
            "the system clears it: choose another with --workspace."
        )
    page = link(config) if is_new else url(config)
    remote_page = remote_link(config) if is_new else ""
    if daemon:
        # What it prints goes into its log, which holds no token.
        _leave_behind(config, home, Announcement(config, notes, begun), page)
        if remote_page:
            click.echo(f"From other machines: {remote_page}")
        for note in notes:
            click.echo(note)
        if open_browser:
            click.launch(_to_open(config, home))
    else:
        announcement = Announcement(config, notes, begun, page, remote_page)
        _serve(config, home, announcement, open_browser=open_browser)


def _chosen(ctx: click.Context, auth_token: str) -> str:
    """The token or "", whichever the command line says. Raises UsageError if both or neither."""
    sources = {name: ctx.get_parameter_source(name) for name in ("auth_token", "no_auth")}
    if len(set(sources.values())) == 1:
        raise click.UsageError("--auth-token and --no-auth exclude each other.")
    return auth_token if sources["auth_token"] is ParameterSource.COMMANDLINE else ""


def _new_token() -> str:
    from mindviz.access_token import new_token

    return new_token()


def _to_open(config: Config, home: Workspace) -> str:
    """What a browser on this machine is told to open."""
    return home.write_link(config.port, link(config)) if config.auth_token else url(config)


def _prepared(workspace: Path, base_dirs: Sequence[Path], *, may_be_other: bool) -> Workspace:
    """The workspace, made if need be; a temporary one if it cannot be and `may_be_other`.

    Raises StartError, also if it is a base dir.
    """
    if workspace in base_dirs:
        raise StartError(f"The workspace {workspace} must not be the base dir: choose another.")
    home = Workspace(workspace)
    try:
        home.prepare()
    except StartError:
        if not may_be_other:
            raise
        home = Workspace.temporary()
        home.prepare()
    return home


def _program() -> str:
    """How to call this program again: it need not be on the PATH."""
    import shutil

    called = sys.argv[0]
    if shutil.which("mindviz") or not called:
        return "mindviz"
    return "python -m mindviz" if called.endswith("__main__.py") else called


def _other_port(port: int) -> str:
    command = port_command()
    return f" `{command}{port + 1}` takes another port." if command else ""


def _addresses(
    home: Workspace, host: str, port: int, grpc_port: int | None
) -> tuple[str, int, int | None]:
    """Where to listen, the ports chosen if need be. Raises StartError if that is not possible."""
    running = home.instance(port) if port else None
    if running is not None:
        raise StartError(
            f"Port {port} is busy: a mindviz shows {running.summary_base_dir!r} at {running.url}; "
            f"`{_program()} stop --port {port}` ends it.{_other_port(port)}"
        )
    address, port = find_address(host, port)
    if grpc_port is not None:
        require_grpc("--grpc-port")
        _, grpc_port = find_address(host, grpc_port, "--grpc-port")
        if grpc_port == port:
            raise StartError(f"Port {port} cannot be both --port and --grpc-port.")
    return address, port, grpc_port


def _serve(
    config: Config, home: Workspace, announcement: Announcement, *, open_browser: bool = False
) -> None:
    """Serve in this process until a signal ends it."""
    from mindviz.backend.server import serve

    shown = ", ".join(source.shown for source in config.sources)
    me = Instance(os.getpid(), config.port, url(config), shown)
    with home.claim(me):
        to_open = _to_open(config, home) if open_browser else ""
        teller = Thread(target=announcement.run, args=(to_open,), daemon=True)
        teller.start()
        try:
            serve(config, partial(_answer_tensorboard, config))
        finally:
            announcement.stop()


@contextmanager
def _answer_tensorboard(
    config: Config, provider: DataProvider, budget: AnswerBudget
) -> Iterator[None]:
    """Meanwhile, if that is wanted."""
    if config.grpc_port is None:
        yield
        return
    from mindviz.rpc.data_provider_service import DataProviderService
    from mindviz.rpc.grpc_server import serving

    service = DataProviderService(provider)
    address = config.host, config.grpc_port
    with serving(service, *address, config.auth_token, config.certificate, budget=budget):
        yield


def _leave_behind(config: Config, home: Workspace, announcement: Announcement, page: str) -> None:
    """Serve in another process; return once it answers."""
    from mindviz.cli.daemon import leave_behind
    from mindviz.cli.service import read_status

    pid = leave_behind(
        lambda: _serve(config, home, announcement),
        lambda: read_status(config) is not None,
        home.log_file(config.port),
    )
    click.echo(f"mindviz runs at {page} (process {pid}).")
    for note in scanner_notes(read_status(config) or {"scanner": "native"}):
        click.echo(note)
