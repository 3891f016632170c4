"""Runs the measured programs, ours and the peers, as processes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = CHECKOUT / "tests" / "peers" / "environments.py"
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
"""Programs may cache compiled modules, otherwise each start would compile them again."""
_UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
_PATIENCE = 300.0
"""Timeout in seconds for a silent peer."""


@dataclass(frozen=True, slots=True)
class Load:
    """One complete load of a log."""

    seconds: float
    """As reported by the program: from discovery until everything is loaded."""
    peak_rss: int
    """Peak resident memory of the process in bytes."""


@cache
def peer_python(environment: str) -> str:
    """The interpreter of a peer's environment, created if necessary."""
    result = subprocess.run(
        [sys.executable, ENVIRONMENTS, "--path", environment],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return result.stdout.strip()


@cache
def rust_server() -> str:
    """The binary of TensorBoard's data server."""
    code = "import tensorboard_data_server as server; print(server.server_binary())"
    result = subprocess.run(
        [peer_python("tensorboard"), "-c", code], check=True, stdout=subprocess.PIPE, text=True
    )
    return result.stdout.strip()


def peak_rss(pid: int) -> int:
    """Peak resident memory of a live process in bytes."""
    status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) * 1024


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and its children, including live ones."""
    total = 0.0
    for member in (pid, *descendants(pid)):
        fields = (
            Path(f"/proc/{member}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        )
        total += (int(fields[11]) + int(fields[12])) / 100
    return total


def descendants(pid: int) -> list[int]:
    """Process ids of all live descendants."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(FileNotFoundError):  # the thread has ended
            for child in map(int, children.read_text("ascii").split()):
                found += [child, *descendants(child)]
    return found


def load_with_mindviz(directory: Path, checksum: str = "lazy") -> Load:
    """`mindviz inspect`, with the figures it reports."""
    command = [sys.executable, "-m", "mindviz", "inspect", str(directory), "--json", "--no-cache"]
    result = subprocess.run(
        [*command, "--checksum", checksum],
        check=True,
        stdout=subprocess.PIPE,
        cwd=CHECKOUT,
        env=ENVIRONMENT,
    )
    report = json.loads(result.stdout)
    return Load(report["load_seconds"], report["peak_rss_bytes"])


def load_with_rust_server(directory: Path, checksum: str = "lazy") -> Load:
    """One load cycle of TensorBoard's data server, as in its log."""
    command = [rust_server(), "--logdir", str(directory), "--reload", "once", "-v", "--port", "0"]
    command += ["--host", "127.0.0.1", "--checksum" if checksum == "always" else "--no-checksum"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            for line in process.stderr or ():
                if "Read error" in line:
                    raise RuntimeError(f"The data server cannot read {directory}: {line}")
                found = re.search(r"Finished load cycle \(([\d.]+)(ns|µs|ms|s)\)", line)
                if found:
                    return Load(float(found[1]) * _UNITS[found[2]], peak_rss(process.pid))
        finally:
            process.kill()
    raise RuntimeError("The data server ended before it had loaded anything.")


def load_with_script(environment: str, script: str, directory: Path) -> Load:
    """Run one of `peer_scripts/` in a peer's environment; it prints seconds and peak RSS."""
    path = Path(__file__).with_name("peer_scripts") / script
    result = subprocess.run(
        [peer_python(environment), path, directory], check=True, stdout=subprocess.PIPE
    )
    return Load(*json.loads(result.stdout.splitlines()[-1]))


@contextmanager
def serving(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A server process, stopped with all its children afterwards."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=output, cwd=CHECKOUT, env=ENVIRONMENT
        )
        try:
            yield process
        except Exception:
            output.seek(0)
            print(output.read().decode("utf-8", "replace")[-4000:], file=sys.stderr)
            raise
        finally:
            stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop a process and its children with SIGTERM, then SIGKILL."""
    family = descendants(process.pid) if process.poll() is None else []
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pid in family:
        subprocess.run(["kill", "-9", str(pid)], check=False, stderr=subprocess.DEVNULL)


def mindviz_command(directory: Path, port: int, workspace: Path) -> list[str]:
    """`mindviz start` in the foreground."""
    command = [sys.executable, "-m", "mindviz", "start", "--summary-base-dir", str(directory)]
    return [*command, "--port", str(port), "--workspace", str(workspace)]


def tensorboard_command(directory: Path, port: int) -> list[str]:
    """`tensorboard --logdir` in its fast mode, with the Rust server."""
    program = Path(peer_python("tensorboard")).with_name("tensorboard")
    command = [str(program), "--logdir", str(directory), "--port", str(port)]
    return [*command, "--host", "127.0.0.1", "--load_fast=true"]


@contextmanager
def workspace() -> Iterator[Path]:
    """A workspace for one `mindviz start`."""
    path = Path(tempfile.mkdtemp(prefix="mindviz-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def patience() -> Iterator[None]:
    """Yield until the timeout; then raise TimeoutError."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        yield
    raise TimeoutError(f"No answer within {_PATIENCE:.0f} s.")
