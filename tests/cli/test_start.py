"""`mindviz start` as its user sees it: real processes, real ports, real signals."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from mindviz.cli.workspace import Workspace
from mindviz.wire.encode import frames
from mindviz.wire.encode_tensorboard import event, scalar, version_event
from mindviz.wire.framing import Framing
from tests.data_provider_client import DataProviderClient
from tests.mindviz_process import PATIENCE, Mindviz, Service, run, wait_until

HEAVY = {"numpy", "flask", "flask_smorest", "marshmallow", "orjson", "rich", "PIL"}


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "logs" / "run"
    folder.mkdir(parents=True)
    payloads = [version_event(1e9), *(event(1e9, i, [scalar("loss", i)]) for i in range(5))]
    (folder / "events.out.tfevents.1.host").write_bytes(frames(payloads, Framing.TFRECORD))
    return folder.parent


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_it_prints_its_url_and_the_totals(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace) as mindviz:
        line = mindviz.wait_for_line("1 run")
        assert "5 scalar points" in line
        assert "problem" not in line
        assert any(str(base_dir) in line for line in mindviz.lines)
        assert mindviz.json("/status")["train_jobs"] == 1


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0", "::1", "::"])
def test_it_listens_on_the_given_address(host: str, base_dir: Path, workspace: Path) -> None:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        if ":" in host:
            pytest.skip("this machine has no IPv6")
    with Mindviz(base_dir, workspace, "--host", host) as mindviz:
        mindviz.wait_for_line("1 run")
        assert bool(mindviz.token) == (host in {"0.0.0.0", "::"})
        assert not any("Anyone who can connect" in line for line in mindviz.lines)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_it_cleanly(base_dir: Path, workspace: Path, number: signal.Signals) -> None:
    with Mindviz(base_dir, workspace) as mindviz:
        port = int(mindviz.url.rstrip("/").rpartition(":")[2])
        assert mindviz.signal(number) == 0
        assert not is_listening(port)
        mindviz.end()
        assert "Traceback" not in "".join(mindviz.lines)
    assert list((workspace / "run").iterdir()) == []


def test_a_port_in_use_is_one_line_with_exit_code_2(base_dir: Path, workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = run("start", str(base_dir), "--port", str(port), "--workspace", str(workspace))
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert f"Port {port} is in use" in result.stderr


def test_the_error_for_a_port_used_by_mindviz_names_its_logs(
    base_dir: Path, workspace: Path
) -> None:
    with Mindviz(base_dir, workspace) as mindviz:
        port = mindviz.url.rstrip("/").rpartition(":")[2]
        result = run("start", str(base_dir), "--port", port, "--workspace", str(workspace))
    assert result.returncode == 2
    assert str(base_dir) in result.stderr
    assert f"mindviz stop --port {port}" in result.stderr


def test_it_waits_for_a_missing_base_dir(tmp_path: Path, workspace: Path) -> None:
    with Mindviz(tmp_path / "later", workspace) as mindviz:
        mindviz.wait_for_line("waits for it")
        mindviz.wait_for_line("No runs yet: new ones appear")


def test_several_experiments_are_served(base_dir: Path, workspace: Path) -> None:
    others = [f"more={base_dir / 'run'}", f"later={base_dir / 'later'}"]
    options = [part for other in others for part in ("--summary-base-dir", other)]
    with Mindviz(f"first={base_dir}", workspace, *options, as_option=True) as mindviz:
        assert "2 runs, 10 scalar points" in mindviz.wait_for_line("runs")
        assert any("later does not exist yet" in line for line in mindviz.lines)
        found = mindviz.json("/experiments")["experiments"]
        assert [item["train_jobs"] for item in found] == [1, 1, 0]
        more = Service(f"{mindviz.url}experiment/more/")
        assert more.json("/datavisual/train-jobs")["train_jobs"][0]["train_id"] == "./"
        assert mindviz.json("/datavisual/train-jobs")["train_jobs"][0]["train_id"] == "./run"
        assert mindviz.signal(signal.SIGTERM) == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["my logs=x"], "Invalid experiment name 'my logs'"),
        (["a=x", "y/a"], "Experiment name 'a' is ambiguous"),
        (["a=x", "b=pyproject.toml"], "is a file"),
        (["a=x", "b="], "path is empty"),
    ],
)
def test_invalid_experiments_are_a_one_line_error(
    options: list[str], complaint: str, workspace: Path
) -> None:
    given = [part for option in options for part in ("--summary-base-dir", option)]
    result = run("start", *given, "--workspace", str(workspace), "--port", "0")
    assert (result.returncode, result.stdout) == (2, "")
    assert complaint in result.stderr


def test_the_workspace_must_not_be_the_base_dir(base_dir: Path) -> None:
    result = run("start", str(base_dir), "--workspace", str(base_dir), "--port", "0")
    assert result.returncode == 2
    assert "must not be the base dir" in result.stderr


def test_the_prefix_applies_to_all_paths(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace, "--url-path-prefix", "/team/a/") as mindviz:
        assert mindviz.url.endswith("/team/a/")
        assert mindviz.json("/status")["train_jobs"] in {0, 1}


def test_the_environment_sets_other_options(base_dir: Path, workspace: Path) -> None:
    settings = {
        "MINDVIZ_RELOAD_INTERVAL": "0.5",
        "MINDVIZ_URL_PATH_PREFIX": "env",
        "MINDVIZ_NO_INOTIFY": "1",
        "MINDVIZ_PORT": "1",
    }
    with Mindviz(base_dir, workspace, env=settings) as mindviz:
        assert mindviz.url.endswith("/env/")
        status = mindviz.json("/status")
        assert status["reload_interval"] == 0.5
        assert status["watching"] == "polling"


def test_other_origins_need_permission_to_call(base_dir: Path, workspace: Path) -> None:
    path, origin = "/v1/mindviz/status", {"Origin": "https://example.org"}
    with Mindviz(base_dir, workspace, "--cors-origin", "https://example.org/") as mindviz:
        assert mindviz.request(path, headers=origin)[0] == 200


def test_it_keeps_serving_when_its_output_is_closed(base_dir: Path, workspace: Path) -> None:
    command = [sys.executable, "-m", "mindviz", "start", str(base_dir), "--port", "0"]
    command += ["--workspace", str(workspace)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        (instance,) = wait_until(Workspace(workspace).instances, "it runs")
        service = Service(instance.url)
        wait_until(lambda: is_listening(instance.port), "it listens")
        assert service.json("/status")["train_jobs"] == 1
        process.terminate()
        assert b"Traceback" not in process.stderr.read()


def test_no_process_listens_after_sigkill(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace) as mindviz:
        port = int(mindviz.url.rstrip("/").rpartition(":")[2])
        mindviz.signal(signal.SIGKILL)
        wait_until(lambda: not is_listening(port), "something still listens")


def imported_by_start(base_dir: Path, workspace: Path, moment: str) -> set[str]:
    """Top-level packages that a `mindviz start` has imported when `moment` calls `tell`."""
    program = f"""
import json, os, sys, threading, time
def tell(*_args, **_more):
    os.write(1, json.dumps(list(sys.modules)).encode() + b"\\n")
    os._exit(0)
{moment}
from mindviz.cli import main
sys.argv[1:] = ["start", {str(base_dir)!r}, "--port", "0", "--workspace", {str(workspace)!r}]
main()
"""
    command = [sys.executable, "-c", program]
    output = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True).stdout
    modules = json.loads(output.splitlines()[-1])
    return {name.partition(".")[0] for name in modules} - {"google"} | {
        name for name in modules if name.startswith("google.protobuf")
    }


@pytest.mark.usefixtures("untraced")
def test_no_large_module_is_imported_before_the_server(tmp_path: Path, workspace: Path) -> None:
    moment = """
import types
server = types.ModuleType("mindviz.backend.server")
server.serve = tell
sys.modules["mindviz.backend.server"] = server
"""
    imported = imported_by_start(tmp_path, workspace, moment)
    assert HEAVY.isdisjoint(imported)
    assert {"asyncio", "email", "http", "multiprocessing"}.isdisjoint(imported)


@pytest.mark.usefixtures("untraced")
def test_the_scan_starts_before_the_web_framework_is_imported(
    base_dir: Path, workspace: Path
) -> None:
    moment = """
from mindviz.datavisual.logs.log_store import LogStore
LogStore.start = tell
"""
    imported = imported_by_start(base_dir, workspace, moment)
    assert "numpy" in imported
    assert (HEAVY - {"numpy"}).isdisjoint(imported)


@pytest.mark.usefixtures("untraced")
def test_the_first_response_imports_little_beyond_numpy_and_flask(
    base_dir: Path, workspace: Path
) -> None:
    """What pictures, messages, terminals and the API's description need comes when it is needed."""
    moment = """
import mindviz.cli.startup_report as announcement
announcement._totals = tell
"""
    imported = imported_by_start(base_dir, workspace, moment)
    assert {"numpy", "flask"} <= imported
    assert {"PIL", "rich", "google.protobuf", "flask_cors", "yaml", "apispec"}.isdisjoint(imported)


def test_it_also_serves_tensorboard(base_dir: Path, workspace: Path) -> None:
    with Mindviz(base_dir, workspace, "--grpc-port", "0") as mindviz:
        mindviz.wait_for_line("1 run")
        (note,) = [line for line in mindviz.lines if "--grpc_data_provider" in line]
        client = DataProviderClient(int(note.split("localhost:")[1].split()[0]))
        assert client.ask("ListScalars", "scalars")["run"]["loss"].max_step == 4
        client.close()
        assert mindviz.json("/status")["train_jobs"] == 1


def test_a_daemon_prints_the_tensorboard_command(base_dir: Path, workspace: Path) -> None:
    options = "--workspace", str(workspace)
    started = run("start", str(base_dir), "--port", "0", "--grpc-port", "0", "--daemon", *options)
    try:
        port = int(started.stdout.split("localhost:")[1].split()[0])
        client = DataProviderClient(port)
        wait_until(lambda: client.ask("ListScalars", "scalars"), "the scalars")
        client.close()
    finally:
        assert run("stop", *options).returncode == 0


def test_a_grpc_port_in_use_is_an_error(base_dir: Path, workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        options = "--workspace", str(workspace), "--port", "0", "--grpc-port", port
        result = run("start", str(base_dir), *options)
    assert result.returncode == 2
    assert result.stderr.startswith(
        f"mindviz: Port {port} is in use: choose another with --grpc-port"
    )


def test_http_and_grpc_need_different_ports(base_dir: Path, workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    options = "--workspace", str(workspace), "--port", port, "--grpc-port", port
    result = run("start", str(base_dir), *options)
    assert (result.returncode, "both" in result.stderr) == (2, True)


def test_without_grpcio_the_error_names_the_extra(base_dir: Path, workspace: Path) -> None:
    code = "import sys; sys.modules['grpc'] = None; from mindviz.cli import main; main()"
    options = ["--workspace", str(workspace), "--port", "0", "--grpc-port", "0"]
    result = subprocess.run(
        [sys.executable, "-c", code, "start", str(base_dir), *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 2
    assert "pip install 'mindviz[tensorboard]'" in result.stderr


def test_an_uncompiled_scanner_is_noted(base_dir: Path, workspace: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    name = "mindviz.datavisual.logs.scanner._scan"
    (hidden / "sitecustomize.py").write_text(f"import sys\nsys.modules[{name!r}] = None\n")
    with Mindviz(base_dir, workspace, env={"PYTHONPATH": str(hidden)}) as mindviz:
        mindviz.wait_for_line(r"^  Note  The scanner is not compiled: logs load 40 to 200 times")
        assert mindviz.json("/status")["scanner"] == "python"
