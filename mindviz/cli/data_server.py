"""`mindviz-data-server`: a drop-in replacement for TensorBoard's data server.

    TENSORBOARD_DATA_SERVER_BINARY=$(which mindviz-data-server) tensorboard --logdir DIR

Options, files, exit codes and the handling of stdin equal that server's. Sources:
tensorboard/data/server/cli.rs, tensorboard/data/server_ingester.py. TensorBoard waits for the
port, so large modules are imported late.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import click

from mindviz import __version__
from mindviz.cli.address import find_address, is_loopback
from mindviz.cli.options import Parsed
from mindviz.cli.summary_base_dir import find_base_dir, location
from mindviz.config import Config, environment_value, parse_auth_token, parse_port, spare_threads
from mindviz.errors import MindvizError, StartError
from mindviz.log_limit import limit_repeats

BAD_LOGDIR, CANNOT_LISTEN = 8, 9
"""Exit codes."""
_PROGRAM = "mindviz-data-server"
_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def parse_reload(text: str) -> float:
    """Seconds between scans of the log directory, 0 for `once`. Raises StartError."""
    if text == "once":
        return 0.0
    try:
        seconds = int(text)
    except ValueError:
        seconds = -1
    if seconds < 0:
        raise StartError(f"Invalid interval {text!r}: use a whole number of seconds, or 'once'.")
    return max(1.0, float(seconds))


def parse_samples(text: str) -> Mapping[str, int]:
    """Plugin -> maximum samples per series, from `scalars=500,images=all`; omits `all`.

    Raises StartError.
    """
    samples = {}
    for pair in filter(None, text.split(",")):
        plugin_name, equals, number = pair.partition("=")
        if not equals or not (number == "all" or (number.isascii() and number.isdigit())):
            raise StartError(f"Invalid {pair!r}: use PLUGIN=NUMBER or PLUGIN=all.")
        if number != "all":
            samples[plugin_name] = int(number)
    return samples


@click.command(
    _PROGRAM,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--logdir", required=True, metavar="DIR", help="Directory of the runs.")
@click.option("--host", default="localhost", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=Parsed("port", parse_port),
    default=6806,
    show_default=True,
    help="Port to listen on; 0 for any free port.",
)
@click.option(
    "--port-file",
    type=click.Path(path_type=Path),
    help="Write the port to this file instead of stderr.",
)
@click.option(
    "--error-file",
    type=click.Path(path_type=Path),
    help="Write startup errors to this file.",
)
@click.option(
    "--reload",
    type=Parsed("seconds", parse_reload),
    default="5",
    show_default=True,
    help="Time between scans of the directory; 'once' loads once.",
)
@click.option(
    "--samples-per-plugin",
    metavar="PLUGIN=NUMBER,...",
    type=Parsed("samples", parse_samples),
    default="",
    help="Maximum samples of each series per response; 'all' (the default) for no limit. All "
    "points stay in memory.",
)
@click.option("--checksum/--no-checksum", help="Verify records over 64 KiB while loading, too.")
@click.option(
    "--no-auth",
    is_flag=True,
    help="Require no token. By default, calls need one unless --host is loopback: the value of "
    "MINDVIZ_AUTH_TOKEN, or a new token, which is printed.",
)
@click.option("--die-after-stdin", is_flag=True, help="Exit at the end of stdin.")
@click.option("-v", "--verbose", count=True, help="Log more to stderr; repeat for debug output.")
@click.version_option(__version__, "-V", "--version", prog_name=_PROGRAM)
def data_server(
    *,
    logdir: str,
    host: str,
    port: int,
    port_file: Path | None,
    error_file: Path | None,
    reload: float,
    samples_per_plugin: Mapping[str, int],
    checksum: bool,
    no_auth: bool,
    die_after_stdin: bool,
    verbose: int,
) -> None:
    """Serve the logs in DIR to TensorBoard over gRPC, until a signal."""
    logging.basicConfig(level=_LEVELS[min(verbose, 2)])
    limit_repeats()
    try:
        base_dir = _base_dir(logdir)
    except StartError as error:
        _fail(error, BAD_LOGDIR, error_file)
    try:
        address, _ = find_address(host, port)
        config = Config(
            summary_base_dir=base_dir,
            reload_interval=reload,
            checksum="always" if checksum else "lazy",
            follow_external_links=True,
            auth_token="" if no_auth or is_loopback(address) else _token(),
        )
        _serve(
            config,
            (address, port),
            port_file,
            samples_per_plugin,
            die_after_stdin=die_after_stdin,
        )
    except MindvizError as error:
        _fail(error, CANNOT_LISTEN, error_file)


def _base_dir(logdir: str) -> Path | str:
    base_dir = location(logdir)
    if isinstance(base_dir, Path):
        find_base_dir(base_dir)
    return base_dir


def _token() -> str:
    """The token for calls. Not required on loopback, because TensorBoard cannot send one."""
    from mindviz.access_token import new_token

    if given := environment_value("auth-token"):
        return parse_auth_token(given)
    token = new_token()
    click.echo(f"calls need the metadata `authorization: Bearer {token}`", err=True)
    return token


def _fail(error: MindvizError, code: int, error_file: Path | None) -> NoReturn:
    try:
        if error_file is not None:
            error_file.write_text(f"{error}\n", "utf-8")
            sys.exit(code)
    except OSError:
        pass  # print to stderr instead
    click.echo(f"{_PROGRAM}: {error}", err=True)
    sys.exit(code)


def _serve(
    config: Config,
    address: tuple[str, int],
    port_file: Path | None,
    max_samples: Mapping[str, int],
    *,
    die_after_stdin: bool,
) -> None:
    from mindviz.rpc.requirement import require_grpc

    require_grpc(_PROGRAM)
    from mindviz.answer_memory import AnswerBudget
    from mindviz.backend.server import ended_by_signals, wait_for_signal
    from mindviz.datavisual.generic.data_provider import StoreProvider
    from mindviz.datavisual.logs.log_store import LogStore
    from mindviz.freed_memory import map_large_blocks
    from mindviz.gc_control import pause_gc_while_loading
    from mindviz.rpc.data_provider_service import DataProviderService
    from mindviz.rpc.grpc_server import serving

    map_large_blocks()
    store = LogStore(config)
    service = DataProviderService(StoreProvider.of(store), max_samples)
    budget = AnswerBudget.beside_columns(config.max_memory)
    answering = serving(service, *address, config.auth_token, budget=budget)
    with ended_by_signals(), answering as port:
        if die_after_stdin:
            threading.Thread(target=_stop_after_stdin, name="mindviz-stdin", daemon=True).start()
        _report_port(port, address[0], port_file)
        try:
            store.start()
            pause_gc_while_loading(store.wait_until_loaded)
            wait_for_signal()
        finally:
            store.close()


def _report_port(port: int, host: str, port_file: Path | None) -> None:
    if port_file is None:
        click.echo(f"listening on {host}:{port}", err=True)
        return
    try:
        port_file.write_text(f"{port}\n", "ascii")
    except OSError as error:
        raise StartError(f"Cannot write the port file {str(port_file)!r}: {error}.") from error


def _stop_after_stdin() -> None:
    # Not `sys.stdin.read`: its lock would still be held if a signal ends the program first.
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Entry point of the `mindviz-data-server` program."""
    spare_threads()
    data_server(prog_name=_PROGRAM)
