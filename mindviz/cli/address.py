"""Addresses: which one to listen on, and how to say it as a URL."""

from __future__ import annotations

import errno
import ipaddress
import socket
from urllib.parse import quote

from mindviz.config import Config, port_command
from mindviz.errors import StartError

_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - named here to be replaced


def find_address(host: str, port: int, option: str = "--port") -> tuple[str, int]:
    """The numeric address of `host` and a port that can be listened on now; 0 asks for a free one.

    `option` is what the port was given by, and what a complaint says to change.
    Raises StartError: no such host, not an address of this machine, the port is busy or reserved.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise StartError(f"There is no host {host!r}: give a name or an IP address.") from None
    # `localhost` may mean both; what a person types into a browser is more often IPv4.
    family, _, _, _, name = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(name)
            probe.listen(1)
        except OSError as error:
            raise StartError(_why_not(host, port, option, error)) from None
        return str(name[0]), int(probe.getsockname()[1])


def _why_not(host: str, port: int, option: str, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            if option == "--port" and (command := port_command()):
                return (
                    f"Port {port} is busy: choose another with `{command}{port + 1}`, or "
                    f"`{command}0` for a free one."
                )
            return (
                f"Port {port} is busy: choose another with {option}, or {option} 0 for a free one."
            )
        case errno.EACCES:
            return f"Port {port} is reserved for root: choose one from 1024 on with {option}."
        case errno.EADDRNOTAVAIL:
            return f"{host!r} is not an address of this machine: choose another with --host."
        case _:
            return f"Cannot listen on {host!r}, port {port}: {error.strerror}."


def origin(config: Config) -> tuple[str, int]:
    """Host and port at which this machine itself reaches the mindviz with this config."""
    return _WILDCARDS.get(config.host, config.host), config.port


def authority(config: Config) -> str:
    """Host and port as they stand in a URL and in the header `Host`."""
    host, port = origin(config)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches this numeric address."""
    return ipaddress.ip_address(address).is_loopback


def url(config: Config) -> str:
    """Where a browser on this machine finds the page."""
    return f"{_scheme(config)}://{authority(config)}{config.url_path_prefix}/"


def link(config: Config) -> str:
    """The same, logged in."""
    return url(config) + _query(config)


def remote_link(config: Config) -> str:
    """`link` for browsers on other machines; empty unless mindviz listens on all addresses."""
    if config.host not in _WILDCARDS:
        return ""
    page = f"{_scheme(config)}://{socket.gethostname()}:{config.port}{config.url_path_prefix}/"
    return page + _query(config)


def _scheme(config: Config) -> str:
    return "http" if config.certificate is None else "https"


def _query(config: Config) -> str:
    return f"?token={quote(config.auth_token)}" if config.auth_token else ""
