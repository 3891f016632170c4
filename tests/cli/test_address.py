"""Addresses: what cannot be listened on is said before anything starts."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mindviz.cli.address import find_address, remote_link, url
from mindviz.config import Config
from mindviz.errors import StartError


def test_port_0_finds_a_free_port() -> None:
    address, port = find_address("127.0.0.1", 0)
    assert address == "127.0.0.1"
    with socket.create_server((address, port)):
        pass


def test_a_host_name_becomes_an_address() -> None:
    address, _ = find_address("localhost", 0)
    assert address in {"127.0.0.1", "::1"}


def test_the_error_names_a_port_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StartError, match=f"Port {port} is in use"):
            find_address("127.0.0.1", port)


@pytest.mark.parametrize("host", ["no such host", "-", "a..b", "x" * 300])
def test_the_error_names_an_unknown_host(host: str) -> None:
    with pytest.raises(StartError, match="Unknown host"):
        find_address(host, 0)


def test_an_address_of_another_machine_is_an_error() -> None:
    with pytest.raises(StartError, match="not an address of this machine"):
        find_address("192.0.2.1", 0)  # RFC 5737: nobody's


@pytest.mark.parametrize(
    ("host", "prefix", "expected"),
    [
        ("127.0.0.1", "", "http://127.0.0.1:80/"),
        ("0.0.0.0", "/a/b", "http://127.0.0.1:80/a/b/"),
        ("::1", "", "http://[::1]:80/"),
        ("::", "", "http://[::1]:80/"),
    ],
)
def test_a_local_browser_can_open_the_url(host: str, prefix: str, expected: str) -> None:
    config = Config(Path("logs"), host=host, port=80, url_path_prefix=prefix)
    assert url(config) == expected


def test_the_link_for_other_machines_has_this_machines_name() -> None:
    config = Config(Path("logs"), host="0.0.0.0", port=80, url_path_prefix="/a", auth_token="t/+")
    assert remote_link(config) == f"http://{socket.gethostname()}:80/a/?token=t/%2B"
    assert remote_link(Config(Path("logs"), host="127.0.0.1", auth_token="t")) == ""
