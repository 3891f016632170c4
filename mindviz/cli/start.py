"""`mindviz start`: serve the logs in a directory.

For a short startup, this module must not import numpy or the web framework before the worker
process starts.
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
from typing import TYPE_CHECKING, TypedDict, Unpack

import click
from click.core import ParameterSource

from mindviz import __version__
from mindviz.cli.address import find_address, is_loopback, link, remote_link, url
from mindviz.cli.experiment_sources import SourcesType, stored_in, with_names
from mindviz.cli.options import (
    LOGS,
    Parsed,
    checksum_option,
    discovery_options,
    is_default,
    option,
    rules_option,
    workspace_option,
)
from mindviz.cli.start_notes import start_notes
from mindviz.cli.startup_report import StartupReport, scanner_notes
from mindviz.cli.summary_base_dir import find_base_dir
from mindviz.cli.tls import certificate_in, tls_options
from mindviz.cli.workspace import Instance, Workspace
from mindviz.config import (
    LONGEST_RELOAD_INTERVAL,
    LOOPBACK_ORIGINS,
    Config,
    ExperimentSource,
    cache_in,
    memory_limit,
    parse_auth_token,
    parse_frame_ancestor,
    parse_origin,
    parse_port,
    parse_reload_interval,
    parse_size,
    parse_url_path_prefix,
    parse_webhook,
    port_command,
)
from mindviz.errors import StartError
from mindviz.rpc.requirement import require_grpc

if TYPE_CHECKING:
    from mindviz.answer_memory import AnswerBudget
    from mindviz.datavisual.generic.data_provider import DataProvider


_PORT, _SIZE = Parsed("port", parse_port), Parsed("size", parse_size)


class _Settings(TypedDict):
    """Options that are fields of `Config`."""

    url_path_prefix: str
    reload_interval: float
    cache_size: int
    max_memory: int
    max_tensor_bytes: int
    most_listed: int
    checksum: str
    max_depth: int | None
    follow_external_links: bool
    cors_origins: tuple[str, ...]
    rules_file: Path | None
    webhook: str


@click.command()
@click.argument("directory", required=False, metavar="[DIR]", type=LOGS)
@option(
    "--summary-base-dir",
    metavar="[NAME=]DIR",
    type=SourcesType(),
    multiple=True,
    help="Directory of the runs, same as DIR; it need not exist yet. May be given several "
    "times: each is an experiment, and the first is the initial one; in the environment, "
    "separated by colons.  [default: the current directory]",
)
@option(
    "--db",
    metavar="URL",
    help="Serve all experiments of a database filled by `mindviz import`, after those of "
    "--summary-base-dir, if given. Put passwords in the environment or ~/.pgpass: the command "
    "line is visible to all users of this machine.",
)
@option(
    "--host",
    default="127.0.0.1",
    help="Address to listen on. Other addresses than loopback require a token unless --no-auth.",
)
@option("--port", type=_PORT, default=8080, help="Port to listen on; 0 for any free port.")
@option(
    "--grpc-port",
    type=_PORT,
    help="Also serve TensorBoard's --grpc_data_provider on this port; 0 for any free port. Needs "
    "the extra `tensorboard`.",
)
@option(
    "--url-path-prefix",
    type=Parsed("path", parse_url_path_prefix),
    default="",
    help="Prefix of all paths, for use behind a proxy.",
)
@option(
    "--reload-interval",
    type=Parsed("seconds", parse_reload_interval),
    default="3",
    help=f"Time between scans of the base dir, at most {LONGEST_RELOAD_INTERVAL}; 0 loads once.",
)
@workspace_option("Folder for mindviz's own files.")
@option(
    "--max-memory",
    type=_SIZE,
    default=lambda: memory_limit() // 4,
    show_default=False,
    help="Maximum memory for loaded data, e.g. 2GiB.  [default: a quarter of the memory]",
)
@option(
    "--cache-size",
    type=_SIZE,
    default="10GiB",
    help="Maximum size of the cache of all logs in the workspace.",
)
@option("--no-cache", is_flag=True, help="Read all logs at each start; keep nothing of them.")
@option(
    "--max-tensor-size",
    "max_tensor_bytes",
    type=_SIZE,
    default="10MiB",
    help="Omit larger tensors from responses with whole series.",
)
@option(
    "--max-listed-runs",
    "most_listed",
    type=click.IntRange(min=1),
    default=10_000,
    help="The page sorts, filters and groups up to this many runs by itself; with more, it asks "
    "the server for pages.",
)
@checksum_option(
    "lazy", "When to verify records over 64 KiB: while loading, or when they are shown."
)
@discovery_options("the base dir")
@rules_option("the base dir")
@option(
    "--webhook",
    metavar="URL",
    type=Parsed("url", parse_webhook),
    default="",
    help="POST each new anomaly to this http:// or https:// URL, as JSON. Set a URL with a secret "
    "in the environment: the command line is visible to all users of this machine.",
)
@option("--no-inotify", is_flag=True, help="Only poll for changes; do not use inotify.")
@option(
    "--auth-token",
    type=Parsed("token", parse_auth_token),
    help="Require this token. Set it in the environment: the command line is visible to all users "
    "of this machine.  [default: a new token, printed as a link, if --host is not loopback]",
)
@option(
    "--no-auth", is_flag=True, help="Require no token: anyone who can connect can read the logs."
)
@option(
    "--cors-origin",
    "cors_origins",
    type=Parsed("url", parse_origin),
    multiple=True,
    help="Allow pages of this origin to call the API. May be given several times; "
    "in the environment, separated by spaces.",
)
@option(
    "--frame-ancestor",
    type=Parsed("url", parse_frame_ancestor),
    multiple=True,
    help="Allow pages of this origin to embed mindviz; `*` means any port, `none` no other origin. "
    "May be given several times; in the environment, separated by spaces.  [default: any port of "
    "localhost and 127.0.0.1]",
)
@tls_options()
@option("--daemon", is_flag=True, help="Run in the background; return once ready.")
@option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.pass_context
def start(
    ctx: click.Context,
    /,
    *,
    directory: Path | str | None,
    summary_base_dir: tuple[ExperimentSource, ...],
    db: str | None,
    host: str,
    port: int,
    grpc_port: int | None,
    workspace: Path,
    no_cache: bool,
    no_inotify: bool,
    auth_token: str | None,
    no_auth: bool,
    frame_ancestor: tuple[str, ...],
    certfile: Path | None,
    keyfile: Path | None,
    daemon: bool,
    open_browser: bool,
    **settings: Unpack[_Settings],
) -> None:
    """Serve the logs in DIR until Ctrl-C, or until `mindviz stop` if started with --daemon.

    The environment variables in brackets can set the options, too.
    """
    started = time.monotonic()
    if directory and ctx.get_parameter_source("summary_base_dir") is ParameterSource.COMMANDLINE:
        raise click.UsageError("Use either DIR or --summary-base-dir, not both.")
    if directory or not (summary_base_dir or db):
        summary_base_dir = (ExperimentSource("", directory or Path.cwd()),)
    stored = stored_in(db) if db else ()
    experiments = with_names((*summary_base_dir, *stored))
    base_dirs = [one.location for one in experiments if isinstance(one.location, Path)]
    missing = [base_dir for base_dir in base_dirs if not find_base_dir(base_dir)]
    certificate = certificate_in(certfile, keyfile)
    home = _prepare_workspace(workspace, base_dirs, has_fallback=is_default(ctx, "workspace"))
    if auth_token and no_auth:
        auth_token = _token_from_command_line(ctx, auth_token)
    address, port, grpc_port = _addresses(home, host, port, grpc_port)
    is_new = not (auth_token or no_auth or is_loopback(address))
    if is_new:
        from mindviz.access_token import new_token

        auth_token = new_token()
    config = Config(
        summary_base_dir=next((one.base_dir for one in experiments if one.base_dir), Path.cwd()),
        host=address,
        port=port,
        grpc_port=grpc_port,
        workspace=home.path,
        cache_dir=None if no_cache else cache_in(home.path, base_dirs),
        version=__version__,
        inotify=not no_inotify,
        certificate=certificate,
        auth_token=auth_token or "",
        frame_ancestors=tuple(filter(None, frame_ancestor)) if frame_ancestor else LOOPBACK_ORIGINS,
        experiments=experiments,
        database=str(stored[0].location) if stored else "",
        **settings,
    )
    notes = start_notes(config, missing, token_is_new=is_new)
    if home.path != workspace:
        notes.append(
            f"{workspace} is not writable. Notes about runs are kept in {home.path} until the "
            "system deletes it; choose another folder with --workspace."
        )
    page = link(config) if is_new else url(config)
    remote_page = remote_link(config) if is_new else ""
    if daemon:
        # The daemon prints to its log file, which must not contain the token.
        _start_daemon(config, home, StartupReport(config, notes, started), page)
        if remote_page:
            click.echo(f"From other machines: {remote_page}")
        for note in notes:
            click.echo(note)
        if open_browser:
            click.launch(_browser_url(config, home))
    else:
        report = StartupReport(config, notes, started, page, remote_page)
        _serve(config, home, report, open_browser=open_browser)


def _token_from_command_line(ctx: click.Context, auth_token: str) -> str:
    """The token, or "" for --no-auth: the command line overrides the environment.

    Raises UsageError if both are set in the same place.
    """
    sources = {name: ctx.get_parameter_source(name) for name in ("auth_token", "no_auth")}
    if len(set(sources.values())) == 1:
        raise click.UsageError("--auth-token and --no-auth exclude each other.")
    return auth_token if sources["auth_token"] is ParameterSource.COMMANDLINE else ""


def _browser_url(config: Config, home: Workspace) -> str:
    """The URL for a browser's command line; it must not contain the token."""
    return home.write_link(config.port, link(config)) if config.auth_token else url(config)


def _prepare_workspace(
    workspace: Path, base_dirs: Sequence[Path], *, has_fallback: bool
) -> Workspace:
    """The workspace, created if missing; with `has_fallback`, a temporary one on failure.

    Raises StartError, also if the workspace is a base dir.
    """
    if workspace in base_dirs:
        raise StartError(f"The workspace {workspace} must not be the base dir: choose another.")
    home = Workspace(workspace)
    try:
        home.prepare()
    except StartError:
        if not has_fallback:
            raise
        home = Workspace.temporary()
        home.prepare()
    return home


def _program() -> str:
    """The command that runs this program again, which may not be on the PATH."""
    import shutil

    called = sys.argv[0]
    if shutil.which("mindviz") or not called:
        return "mindviz"
    return "python -m mindviz" if called.endswith("__main__.py") else called


def _addresses(
    home: Workspace, host: str, port: int, grpc_port: int | None
) -> tuple[str, int, int | None]:
    """The address and the ports to listen on. Raises StartError if one is not available."""
    running = home.instance(port) if port else None
    if running is not None:
        command = port_command()
        other = f", or use another port with `{command}{port + 1}`" if command else ""
        raise StartError(
            f"Port {port} is in use: mindviz serves {running.summary_base_dir!r} at "
            f"{running.url}. Stop it with `{_program()} stop --port {port}`{other}."
        )
    address, port = find_address(host, port)
    if grpc_port is not None:
        require_grpc("--grpc-port")
        _, grpc_port = find_address(host, grpc_port, "--grpc-port")
        if grpc_port == port:
            raise StartError(f"Port {port} cannot be both --port and --grpc-port.")
    return address, port, grpc_port


def _serve(
    config: Config, home: Workspace, report: StartupReport, *, open_browser: bool = False
) -> None:
    """Serve in this process until a signal."""
    from mindviz.backend.server import serve

    shown = ", ".join(source.shown for source in config.sources)
    instance = Instance(os.getpid(), config.port, url(config), shown)
    with home.claim(instance):
        to_open = _browser_url(config, home) if open_browser else ""
        Thread(target=report.run, args=(to_open,), daemon=True).start()
        try:
            serve(config, partial(_serve_grpc, config))
        finally:
            report.stop()


@contextmanager
def _serve_grpc(config: Config, provider: DataProvider, budget: AnswerBudget) -> Iterator[None]:
    """Serve gRPC during the `with` block, if configured."""
    if config.grpc_port is None:
        yield
        return
    from mindviz.rpc.data_provider_service import DataProviderService
    from mindviz.rpc.grpc_server import serving

    service = DataProviderService(provider)
    address = config.host, config.grpc_port
    with serving(service, *address, config.auth_token, config.certificate, budget=budget):
        yield


def _start_daemon(config: Config, home: Workspace, report: StartupReport, page: str) -> None:
    """Serve in another process; return once it responds."""
    from mindviz.cli.daemon import start_daemon
    from mindviz.cli.status_client import read_status

    pid = start_daemon(
        lambda: _serve(config, home, report),
        lambda: read_status(config) is not None,
        home.log_file(config.port),
    )
    click.echo(f"mindviz is running at {page} (process {pid}).")
    for note in scanner_notes(read_status(config) or {"scanner": "native"}):
        click.echo(note)
