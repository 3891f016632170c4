"""Access to servers of `mindviz start`: real processes, requests with and without a token."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping
from html import unescape
from http.client import HTTPConnection
from pathlib import Path

import grpc
import pytest

import mindviz
from mindviz.cli.workspace import Workspace
from mindviz.errors import CannotOpen, TokenRequired
from tests.data_provider_client import DataProviderClient
from tests.mindviz_process import PATIENCE, Mindviz, Service, run, wait_until
from tests.proto import data_provider_pb2 as proto
from tests.written_logs import tensorboard_log, write

EVERYWHERE = ("--host", "0.0.0.0")
OWN = {"MINDVIZ_AUTH_TOKEN": "0123456789abcdefghij"}
STATUS = "/v1/mindviz/status"


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    write(tmp_path / "logs" / "a", "tfevents.1", tensorboard_log([(1, 0.5)]))
    return tmp_path / "logs"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def status_code(server: Service, token: str = "") -> int:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return server.request(STATUS, headers=headers)[0]


def kept_text(workspace: Path) -> str:
    """All that a server wrote into its workspace."""
    files = [path for path in workspace.rglob("*") if path.is_file()]
    return "".join(f"{path.name} {path.read_text(errors='replace')}" for path in files)


def test_beyond_loopback_a_new_token_is_printed_but_not_stored(
    base_dir: Path, workspace: Path
) -> None:
    with Mindviz(base_dir, workspace, *EVERYWHERE) as server:
        server.wait_for_line("1 run")
        assert len(server.token) == 36
        assert (status_code(server), status_code(server, server.token)) == (401, 200)
        page, remote = [line for line in server.lines if server.token in line]
        assert page.split() == ["Page", f"{server.url}?token={server.token}"]
        port = server.url.rstrip("/").rpartition(":")[2]
        address = f"http://{socket.gethostname()}:{port}/?token={server.token}"
        assert remote.split() == ["From", "other", "machines", address]
        assert any("contains a token" in line for line in server.lines)
        body = server.request(STATUS, headers={"Authorization": f"Bearer {server.token}"})[1]
        assert server.token not in body.decode()
        assert server.token not in kept_text(workspace)
        with Mindviz(base_dir, workspace, *EVERYWHERE) as other:
            assert other.token != server.token
            assert status_code(other, server.token) == 401


@pytest.mark.parametrize(
    ("options", "env", "code"),
    [
        ((), {}, 200),
        ((), OWN, 401),
        (EVERYWHERE, OWN, 401),
        ((*EVERYWHERE, "--no-auth"), {}, 200),
        ((*EVERYWHERE, "--no-auth"), OWN, 200),
        (EVERYWHERE, {"MINDVIZ_NO_AUTH": "1"}, 200),
        (("--auth-token", OWN["MINDVIZ_AUTH_TOKEN"]), {"MINDVIZ_NO_AUTH": "1"}, 401),
    ],
)
def test_a_configured_token_is_not_printed(
    options: tuple[str, ...],
    env: Mapping[str, str],
    code: int,
    base_dir: Path,
    workspace: Path,
) -> None:
    with Mindviz(base_dir, workspace, *options, env=env) as server:
        server.wait_for_line("1 run")
        token = OWN["MINDVIZ_AUTH_TOKEN"]
        assert (status_code(server), status_code(server, token)) == (code, 200)
        output = "".join(server.lines)
        assert token not in output + kept_text(workspace)
        assert server.token == ""
        assert ("asks for the configured token" in output) == (code == 401)
        assert ("Anyone who can connect" in output) == (code == 200 and bool(options or env))


@pytest.mark.parametrize("text", ["short", "has a blank in it....", "ümläuteümläuteüml", "a" * 513])
def test_the_error_for_an_invalid_token_does_not_show_it(
    text: str, base_dir: Path, workspace: Path
) -> None:
    for options, env in ((["--auth-token", text], {}), ([], {"MINDVIZ_AUTH_TOKEN": text})):
        result = run("start", str(base_dir), "--workspace", str(workspace), *options, env=env)
        assert (result.returncode, result.stdout) == (2, "")
        assert "16 to 512 characters" in result.stderr
        assert text not in result.stderr


def test_auth_token_and_no_auth_exclude_each_other(base_dir: Path, workspace: Path) -> None:
    options = ["--no-auth", "--auth-token", OWN["MINDVIZ_AUTH_TOKEN"]]
    result = run("start", str(base_dir), "--workspace", str(workspace), *options)
    assert result.returncode == 2
    assert "exclude each other" in result.stderr
    assert OWN["MINDVIZ_AUTH_TOKEN"] not in result.stderr


def test_a_daemons_link_is_printed_but_not_logged(base_dir: Path, workspace: Path) -> None:
    options = ("--workspace", str(workspace))
    started = run("start", str(base_dir), "--port", "0", "--daemon", *EVERYWHERE, *options)
    try:
        assert started.returncode == 0, started.stderr
        token, remote_token = re.findall(r"http://\S+/\?token=(\S+)", started.stdout)
        assert token == remote_token
        assert f"From other machines: http://{socket.gethostname()}:" in started.stdout
        (instance,) = Workspace(workspace).instances()
        server = Service(instance.url)
        assert (status_code(server), status_code(server, token)) == (401, 200)
        log = workspace / "log" / f"mindviz.{instance.port}.log"
        wait_until(lambda: "1 run" in log.read_text(), "the log has the totals")
        assert token not in kept_text(workspace)
        arguments = Path(f"/proc/{instance.pid}/cmdline")
        assert not arguments.exists() or token.encode() not in arguments.read_bytes()
    finally:
        assert run("stop", *options).returncode == 0


def test_a_file_redirects_the_browser_to_the_link(
    base_dir: Path, workspace: Path, tmp_path: Path
) -> None:
    """Else the token would be among a browser's arguments, which everybody can see."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o755)
    options = (*EVERYWHERE, "--open")
    with Mindviz(base_dir, workspace, *options, env={"BROWSER": str(browser)}) as server:
        wait_until(opened.exists, "the browser is opened")
        url = opened.read_text().strip()
        assert url.startswith("file://")
        path = Path(url.removeprefix("file://"))
        assert path.stat().st_mode & 0o077 == 0
        link = unescape(path.read_text())
        assert f'content="0;url={server.url}?token={server.token}"' in link
    assert not path.exists()


def test_programs_send_the_token(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace, *EVERYWHERE) as server:
        server.wait_for_line("1 run")
        for location, token in (
            (server.url, server.token),
            (f"{server.url}?token={server.token}", ""),
        ):
            logs = mindviz.open(location, token=token)
            assert logs.scalars()["step"].tolist() == [1]
            assert server.token not in repr(logs)
        with pytest.raises(CannotOpen, match="requires a token"):
            mindviz.open(server.url)
        with pytest.raises(CannotOpen, match="does not accept this token"):
            mindviz.open(server.url, token="x" * 20)
    logs.close()


def test_a_restart_with_another_token_is_noted(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace, env=OWN) as server:
        server.wait_for_line("1 run")
        logs = mindviz.open(server.url, token=OWN["MINDVIZ_AUTH_TOKEN"])
    port = server.url.rpartition(":")[2].rstrip("/")
    other = {"MINDVIZ_AUTH_TOKEN": "another token".replace(" ", "-") + "-of-this-one"}
    with Mindviz(base_dir, workspace, "--port", port, env=other) as server:
        server.wait_for_line("1 run")
        with pytest.raises(TokenRequired, match="does not accept"):
            logs.scalars()


def test_grpc_requires_the_token_too(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace, "--grpc-port", "0", env=OWN) as server:
        server.wait_for_line("1 run")
        (note,) = [line for line in server.lines if "gRPC" in line]
        assert "TensorBoard cannot" in note
        client = DataProviderClient(int(note.split("port ")[1].split()[0]))
        with pytest.raises(grpc.RpcError) as caught:
            client.call("GetExperiment", proto.GetExperimentRequest())
        client.close()
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_locked_server_of_another_workspace_is_found_by_stop(
    base_dir: Path, workspace: Path, tmp_path: Path
) -> None:
    with Mindviz(base_dir, workspace, env=OWN) as server:
        port = server.url.rpartition(":")[2].rstrip("/")
        result = run("stop", "--port", port, "--workspace", str(tmp_path / "other"))
    assert "does not belong to the workspace" in result.stderr


def test_a_page_of_another_origin_cannot_write_notes(base_dir: Path, workspace: Path) -> None:
    route = "/v1/mindviz/lineagemgr/lineages"
    note = b'{"remark": "from elsewhere"}'
    with Mindviz(base_dir, workspace) as server:
        server.wait_for_line("1 run")

        def put(**headers: str) -> int:
            connection = HTTPConnection(server.url.split("/")[2], timeout=PATIENCE)
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request("PUT", f"{route}?train_id=./a", note, named)
            status = connection.getresponse().status
            connection.close()
            return status

        json = "application/json"
        assert put(Origin="https://evil.example", Content_Type="text/plain") == 400
        assert put(Origin="https://evil.example", Content_Type=json) == 400
        assert put(Sec_Fetch_Site="cross-site", Content_Type=json) == 400
        assert put(Content_Type="text/plain") == 415
        assert "elsewhere" not in kept_text(workspace)
        assert put(Origin=server.url.rstrip("/"), Content_Type=json) == 200
        assert "elsewhere" in kept_text(workspace)


def test_the_token_is_in_no_representation_of_the_settings() -> None:
    program = "from mindviz.config import Config; print(Config('x', auth_token='0123456789abcdef'))"
    command = [sys.executable, "-c", program]
    said = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, check=True, env={**os.environ}
    ).stdout
    assert "0123456789abcdef" not in said
