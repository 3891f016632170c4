"""Finds an address to listen on, and formats it as a URL."""

from __future__ import annotations

import errno
import ipaddress
import socket
from urllib.parse import quote

from mindviz.config import Config, port_command
from mindviz.errors import StartError

_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - no socket is bound here


def find_address(host: str, port: int, option: str = "--port") -> tuple[str, int]:
    """The numeric address of `host`, and an available port: the given one, or any if it is 0.

    `option` is the name of the port's option, for error messages. Raises StartError if the host is
    unknown or not local, or the port is in use or reserved.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise StartError(f"Unknown host {host!r}: use a host name or an IP address.") from None
    # `localhost` may be both; prefer IPv4, as browsers do.
    family, _, _, _, name = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(name)
            probe.listen(1)
        except OSError as error:
            raise StartError(_message(host, port, option, error)) from None
        return str(name[0]), int(probe.getsockname()[1])


def _message(host: str, port: int, option: str, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            command = option == "--port" and port_command()
            other = f"`{command}{port + 1}`" if command else option
            free = f"`{command}0`" if command else f"{option} 0"
            return f"Port {port} is in use: choose another with {other}, or any with {free}."
        case errno.EACCES:
            return f"Port {port} is reserved for root: use {option} with 1024 or higher."
        case errno.EADDRNOTAVAIL:
            return f"{host!r} is not an address of this machine: choose another with --host."
        case _:
            return f"Cannot listen on {host!r}, port {port}: {error.strerror}."


def origin(config: Config) -> tuple[str, int]:
    """Host and port for connections from this machine."""
    return _WILDCARDS.get(config.host, config.host), config.port


def authority(config: Config) -> str:
    """Host and port in the form of a URL and of the header `Host`."""
    host, port = origin(config)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(address: str) -> bool:
    """Whether this numeric address accepts only local connections."""
    return ipaddress.ip_address(address).is_loopback


def url(config: Config) -> str:
    """The page's URL for browsers on this machine."""
    return f"{_scheme(config)}://{authority(config)}{config.url_path_prefix}/"


def link(config: Config) -> str:
    """The page's URL with the access token."""
    return url(config) + _query(config)


def remote_link(config: Config) -> str:
    """`link` for other machines; empty unless the server listens on all addresses."""
    if config.host not in _WILDCARDS:
        return ""
    page = f"{_scheme(config)}://{socket.gethostname()}:{config.port}{config.url_path_prefix}/"
    return page + _query(config)


def _scheme(config: Config) -> str:
    return "http" if config.certificate is None else "https"


def _query(config: Config) -> str:
    return f"?token={quote(config.auth_token)}" if config.auth_token else ""
