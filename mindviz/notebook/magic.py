"""`%mindviz DIR`: the page in a cell of a notebook."""

from __future__ import annotations

import html
import shlex
import socket
import sys
import time
from collections.abc import Sequence
from urllib.parse import quote

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.display import publish_display_data

from mindviz.access_token import new_token
from mindviz.config import environment_value, notebook_variables
from mindviz.errors import StartError
from mindviz.notebook.embedding import Embedding
from mindviz.notebook.page_servers import PageServer, PageServers

USAGE = """%mindviz [DIR] [--height PIXELS] [options of `mindviz start`]
%mindviz --list          the servers of this notebook
%mindviz --stop [PORT]   stop one of them, or all"""
_HEIGHT = "800"

_servers = PageServers()


def register(ipython: InteractiveShell) -> None:
    """Add the magic to a shell."""
    ipython.register_magic_function(  # type: ignore[call-arg]
        mindviz_magic,  # type: ignore[arg-type]
        magic_kind="line",
        magic_name="mindviz",
    )


def mindviz_magic(line: str) -> None:
    """Start a server, or reuse the one with the same arguments, and show its page."""
    try:
        arguments = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{error}.") from None
    if arguments[:1] in (["-h"], ["--help"]):
        _say(USAGE)
    elif arguments[:1] == ["--list"]:
        _list()
    elif arguments[:1] == ["--stop"]:
        _stop(arguments[1:])
    else:
        _show(arguments)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _list() -> None:
    servers = _servers.running()
    for server in servers:
        minutes = (time.time() - server.started) / 60
        _say(f"port {server.port}: {_name(server)}, started {minutes:.0f} min ago")
    if not servers:
        _say("No servers.")


def _stop(ports: Sequence[str]) -> None:
    servers = _servers.running()
    known = {str(server.port) for server in servers}
    for port in ports:
        if port not in known:
            raise UsageError(
                f"No server of this notebook has the port {port}: see %mindviz --list."
            )
    for server in servers:
        if not ports or str(server.port) in ports:
            server.stop()
            _say(f"Stopped port {server.port}: {_name(server)}")


def _name(server: PageServer) -> str:
    directory, *arguments = server.arguments
    return shlex.join(arguments) or directory


def _show(arguments: list[str]) -> None:
    height = _taken(arguments, "--height", _HEIGHT)
    if not (height.isascii() and height.isdigit()):
        raise UsageError(f"--height takes a number of pixels, not {height!r}.")
    for refused in ("--daemon", "--open"):
        if refused in arguments:
            raise UsageError(f"{refused} has no use in a notebook.")
    embedding = Embedding.here(notebook_variables())
    server = _servers.find(arguments)
    try:
        if server is None:
            server = _started(arguments, embedding)
        else:
            _say(f"Reusing the server on port {server.port}; stop it with %mindviz --stop.")
    except StartError as error:
        raise UsageError(str(error)) from None
    query = f"?token={quote(server.token)}" if server.token else ""
    url = html.escape(f"{embedding.url(server.port)}{query}")
    frame = (
        f'<iframe src="{url}" title="mindviz" width="100%" height="{height}" '
        f'style="border: 0" allow="fullscreen; clipboard-write"></iframe>'
    )
    publish_display_data(  # type: ignore[no-untyped-call]
        {"text/html": frame, "text/plain": "<the page of mindviz>"}
    )


def _started(arguments: Sequence[str], embedding: Embedding) -> PageServer:
    wanted = _taken(list(arguments), "--port", environment_value("port") or "")
    port = int(wanted) if wanted.isascii() and wanted.isdigit() else 0
    more: list[str] = []
    if not wanted:
        port = _free_port() if embedding.needs_port else 0
        more += ["--port", str(port)]
    more += embedding.options(port)
    has_token = "--no-auth" in arguments or any("--auth-token" in word for word in arguments)
    token = new_token() if embedding.needs_token and not has_token else ""
    return _servers.start(arguments, more, token)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def _taken(arguments: list[str], option: str, default: str) -> str:
    """The value of an option, which is removed."""
    for at, word in enumerate(arguments):
        name, has_value, value = word.partition("=")
        if name == option:
            del arguments[at]
            if has_value:
                return value
            if at < len(arguments):
                return arguments.pop(at)
            raise UsageError(f"{option} needs a value.")
    return default
