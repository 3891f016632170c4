"""`mindviz start --certfile`: pages, programs and TensorBoard are answered over TLS only."""

from __future__ import annotations

import json
import ssl
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import urlsplit

import grpc
import pytest

import mindviz
from mindviz.cli.workspace import Workspace
from mindviz.errors import CannotOpen
from mindviz.rpc.data_provider_service import SERVICE_NAME
from tests.certificates import certificate
from tests.http_servers import connect, get
from tests.mindviz_process import PATIENCE, Mindviz, run
from tests.proto import data_provider_pb2 as proto
from tests.written_logs import tensorboard_log, write


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    write(tmp_path / "logs" / "a", "tfevents.1", tensorboard_log([(1, 0.5)]))
    return tmp_path / "logs"


def tls_options(directory: Path) -> list[str]:
    mine = certificate(directory)
    return ["--certfile", str(mine.certfile), "--keyfile", str(mine.keyfile)]


def test_everything_is_served_over_tls_only(tmp_path: Path, base_dir: Path) -> None:
    options = [*tls_options(tmp_path), "--grpc-port", "0"]
    with Mindviz(base_dir, tmp_path / "workspace", *options) as server:
        assert server.url.startswith("https://")
        # It follows its own start over TLS, too.
        note = server.wait_for_line("--grpc_data_provider")
        server.wait_for_line("1 run")
        port = urlsplit(server.url).port
        assert port is not None

        context = ssl.create_default_context(cafile=tmp_path / "server.authority")
        connection = HTTPSConnection("127.0.0.1", port, context=context, timeout=PATIENCE)
        for _ in range(2):
            connection.request("GET", "/v1/mindviz/status")
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["train_jobs"]) == (200, 1)
        connection.close()

        with connect(port) as plain:
            plain.sendall(get("/v1/mindviz/status"))
            assert b"HTTP" not in plain.recv(1000)

        assert "--grpc_creds_type ssl" in note
        address = note.partition("--grpc_data_provider ")[2].split()[0]
        root = (tmp_path / "server.authority").read_bytes()
        with grpc.secure_channel(address, grpc.ssl_channel_credentials(root)) as channel:
            request = proto.ListRunsRequest().SerializeToString()
            call = channel.unary_unary(f"/{SERVICE_NAME}/ListRuns", bytes, bytes)
            runs = proto.ListRunsResponse.FromString(call(request, timeout=PATIENCE)).runs
        assert [run.name for run in runs] == ["a"]


def test_a_daemon_responds_over_tls_before_the_command_returns(
    tmp_path: Path, base_dir: Path
) -> None:
    workspace = tmp_path / "workspace"
    common = ("--workspace", str(workspace))
    started = run(
        "start", str(base_dir), *common, "--port", "0", "--daemon", *tls_options(tmp_path)
    )
    try:
        assert started.returncode == 0, started.stderr
        assert "mindviz is running at https://127.0.0.1:" in started.stdout
        (instance,) = Workspace(workspace).instances()
        assert instance.url.startswith("https://")
    finally:
        stopped = run("stop", *common)
    assert stopped.returncode == 0


def test_invalid_certificate_files_are_a_one_line_error(tmp_path: Path, base_dir: Path) -> None:
    missing = tmp_path / "missing.pem"
    for options, why in [
        (["--certfile", str(missing)], f"Cannot read {missing}: No such file"),
        (["--keyfile", str(missing)], "--keyfile needs --certfile"),
    ]:
        failed = run("start", str(base_dir), "--workspace", str(tmp_path / "ws"), *options)
        assert failed.returncode == 2
        assert why in failed.stderr


def test_http_to_the_https_port_names_the_right_url(tmp_path: Path, base_dir: Path) -> None:
    with Mindviz(base_dir, tmp_path / "workspace", *tls_options(tmp_path)) as server:
        with pytest.raises(CannotOpen, match="SSL_CERT_FILE"):
            mindviz.open(server.url)
        with pytest.raises(CannotOpen, match="If it uses TLS, write https://"):
            mindviz.open(server.url.replace("https", "http"))
    with (
        Mindviz(base_dir, tmp_path / "workspace") as server,
        pytest.raises(CannotOpen, match="does not use TLS, write http://"),
    ):
        mindviz.open(server.url.replace("http", "https"))
