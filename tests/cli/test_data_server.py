"""`mindviz-data-server` as TensorBoard starts it: real processes, real files."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from mindviz.cli.data_server import BAD_LOGDIR, CANNOT_LISTEN, parse_reload, parse_samples
from mindviz.errors import StartError
from tests.data_provider_client import DataProviderClient
from tests.mindviz_process import PATIENCE, wait_until
from tests.proto import data_provider_pb2 as proto
from tests.written_logs import events, tensorboard_log, write

PROGRAM = [sys.executable, "-c", "from mindviz.cli.data_server import main; main()"]
WITHOUT_GRPC = "import sys; sys.modules['grpc'] = None; from mindviz.cli.data_server import main; main()"  # noqa: E501  # fmt: skip


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    write(tmp_path / "logs" / "run", "tfevents.1", tensorboard_log((i, i) for i in range(20)))
    return tmp_path / "logs"


@contextmanager
def started(logdir: Path, port_file: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server as TensorBoard starts it, once it has written its port; killed afterwards."""
    command = [*PROGRAM, f"--logdir={logdir}", "--port=0", f"--port-file={port_file}", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        try:
            wait_until(
                lambda: port_file.exists() and port_file.read_text().endswith("\n"), "the port file"
            )
            yield process
        finally:
            process.kill()


@contextmanager
def asking(port_file: Path) -> Iterator[DataProviderClient]:
    client = DataProviderClient(int(port_file.read_text()))
    try:
        yield client
    finally:
        client.close()


def failed(*options: str, program: list[str] = PROGRAM) -> tuple[int, str]:
    """Exit code and stderr of a server that cannot start."""
    result = subprocess.run(
        [*program, *options], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return result.returncode, result.stderr


def test_it_serves_logs_once_the_port_file_is_written(logdir: Path, tmp_path: Path) -> None:
    options = "--reload=5", "--samples-per-plugin=", "--die-after-stdin", "--verbose"
    error_file = tmp_path / "error"
    port_file = tmp_path / "port"
    with (
        started(logdir, port_file, *options, f"--error-file={error_file}"),
        asking(port_file) as client,
    ):
        assert re.fullmatch(r"\d+\n", port_file.read_text())
        answer = client.call("GetExperiment", proto.GetExperimentRequest())
        assert answer.data_location == str(logdir)
        tags = wait_until(lambda: client.ask("ReadScalars", "scalars", 1000), "the scalars")
        assert list(tags["run"]["loss"].step) == list(range(20))
    assert not error_file.exists()


def test_it_exits_at_the_end_of_stdin(logdir: Path, tmp_path: Path) -> None:
    with started(logdir, tmp_path / "port", "--die-after-stdin") as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_by_default_it_exits_by_a_signal_only(
    logdir: Path, tmp_path: Path, number: signal.Signals
) -> None:
    with started(logdir, tmp_path / "port") as process:
        assert process.stdin is not None
        process.stdin.close()
        with asking(tmp_path / "port") as client:
            assert client.call("GetExperiment", proto.GetExperimentRequest()).data_location
        process.send_signal(number)
        assert process.wait(PATIENCE) == 0


def test_a_signal_stops_it_while_it_waits_for_stdin(logdir: Path, tmp_path: Path) -> None:
    with started(logdir, tmp_path / "port", "--die-after-stdin") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


def test_appended_points_appear(logdir: Path, tmp_path: Path) -> None:
    with (
        started(logdir, tmp_path / "port", "--reload=1"),
        asking(tmp_path / "port") as client,
    ):
        wait_until(lambda: client.ask("ListScalars", "scalars"), "the first points")
        with (logdir / "run" / "tfevents.1").open("ab") as log:
            log.write(events([(20, 20.0)], start=2000.0))
        wait_until(
            lambda: client.ask("ListScalars", "scalars")["run"]["loss"].max_step == 20, "step 20"
        )


def test_samples_can_be_limited(logdir: Path, tmp_path: Path) -> None:
    with (
        started(logdir, tmp_path / "port", "--samples-per-plugin=scalars=5,images=all"),
        asking(tmp_path / "port") as client,
    ):
        seen = wait_until(lambda: client.ask("ReadScalars", "scalars", 1000), "the scalars")
        assert len(seen["run"]["loss"].step) == 5


def test_it_waits_for_a_missing_directory(tmp_path: Path) -> None:
    with (
        started(tmp_path / "later", tmp_path / "port", "--reload=1"),
        asking(tmp_path / "port") as client,
    ):
        assert client.call("ListRuns", proto.ListRunsRequest()).runs == []
        write(tmp_path / "later", "tfevents.1", tensorboard_log([(0, 1.0)]))
        wait_until(lambda: client.call("ListRuns", proto.ListRunsRequest()).runs, "the run")


@pytest.mark.parametrize("kind", ["url", "file"])
def test_the_error_file_reports_an_invalid_logdir(kind: str, tmp_path: Path) -> None:
    file = write(tmp_path, "file", b"")
    logdir, reason = {
        "url": ("hdfs://bucket/logs", "only from s3://"),
        "file": (str(file), "is a file"),
    }[kind]
    error_file = tmp_path / "error"
    code, stderr = failed(f"--logdir={logdir}", "--port=0", f"--error-file={error_file}")
    assert (code, stderr) == (BAD_LOGDIR, "")
    assert reason in error_file.read_text()
    for options in ([], [f"--error-file={tmp_path}/no/error"]):
        code, stderr = failed(f"--logdir={logdir}", "--port=0", *options)
        assert (code, reason in stderr) == (BAD_LOGDIR, True)
        assert "Traceback" not in stderr


def test_a_port_in_use_is_an_error(logdir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, stderr = failed(f"--logdir={logdir}", f"--port={port}", "--host=127.0.0.1")
    assert code == CANNOT_LISTEN
    assert f"Port {port} is in use" in stderr
    assert "Traceback" not in stderr


def test_an_unwritable_port_file_is_an_error(logdir: Path, tmp_path: Path) -> None:
    code, stderr = failed(f"--logdir={logdir}", "--port=0", f"--port-file={tmp_path}/no/port")
    assert (code, "port file" in stderr) == (CANNOT_LISTEN, True)


def test_without_a_port_file_stderr_shows_the_address(logdir: Path) -> None:
    command = [*PROGRAM, f"--logdir={logdir}", "--port=0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        process.kill()
    assert re.fullmatch(r"listening on 127\.0\.0\.1:\d+\n", line)


@pytest.mark.parametrize(
    ("options", "env", "answers", "prints"),
    [
        (["--host=127.0.0.1"], {"MINDVIZ_AUTH_TOKEN": "0123456789abcdef"}, True, False),
        (["--host=0.0.0.0"], {"MINDVIZ_AUTH_TOKEN": "0123456789abcdef"}, False, False),
        (["--host=0.0.0.0"], {}, False, True),
        (["--host=0.0.0.0", "--no-auth"], {}, True, False),
    ],
)
def test_beyond_loopback_calls_need_a_token(
    options: list[str], env: dict[str, str], answers: bool, prints: bool, logdir: Path
) -> None:
    command = [*PROGRAM, f"--logdir={logdir}", "--port=0", *options]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}
    ) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        found = re.search(r"`authorization: (Bearer \S+)`", first)
        assert bool(found) == prints
        line = process.stderr.readline() if found else first
        port = int(line.rpartition(":")[2])
        header = found[1] if found else "Bearer 0123456789abcdef" if env else ""
        for sent, accepted in (("", answers), (header, True)):
            client = DataProviderClient(port, sent)
            try:
                assert client.call("ListPlugins", proto.ListPluginsRequest()) is not None
                assert accepted
            except grpc.RpcError:
                assert not accepted
            client.close()
        process.terminate()


def test_without_grpcio_the_error_names_the_extra(logdir: Path, tmp_path: Path) -> None:
    program = [sys.executable, "-c", WITHOUT_GRPC]
    code, stderr = failed(f"--logdir={logdir}", "--port=0", program=program)
    assert (code, "pip install 'mindviz[tensorboard]'" in stderr) == (CANNOT_LISTEN, True)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--reload=soon", "Invalid interval 'soon'"),
        ("--reload=-1", "Invalid interval '-1'"),
        ("--samples-per-plugin=scalars", "Invalid 'scalars': use PLUGIN=NUMBER"),
        ("--port=66000", "66000"),
        ("--colour", "--colour"),
    ],
)
def test_an_invalid_option_is_an_error(option: str, reason: str, logdir: Path) -> None:
    code, stderr = failed(f"--logdir={logdir}", option)
    assert (code, reason in stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "seconds"), [("once", 0.0), ("5", 5.0), ("0", 1.0), ("1000", 1000.0)]
)
def test_intervals(text: str, seconds: float) -> None:
    assert parse_reload(text) == seconds


@pytest.mark.parametrize(
    ("text", "samples"),
    [
        ("", {}),
        ("scalars=500,images=all,audio=0", {"scalars": 500, "audio": 0}),
        ("a=1,", {"a": 1}),
    ],
)
def test_samples(text: str, samples: Mapping[str, int]) -> None:
    assert parse_samples(text) == samples


@pytest.mark.parametrize("text", ["scalars", "scalars=", "scalars=-1", "scalars=many", "a=²"])
def test_invalid_samples(text: str) -> None:
    with pytest.raises(StartError):
        parse_samples(text)
