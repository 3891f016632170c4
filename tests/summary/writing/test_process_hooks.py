"""What becomes of a recording when its process forks, ends or is killed."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from mindviz.summary import SummaryRecord
from tests.summary.recordings import scalars, values
from tests.written_logs import loaded

PRELUDE = """
import os, signal, sys, time
import numpy as np
from mindviz.summary import SummaryRecord
directory = sys.argv[1]
"""


def run(directory: Path, code: str) -> int:
    """Run a separate training; its exit status."""
    command = [sys.executable, "-c", PRELUDE + code, str(directory)]
    return subprocess.run(command, timeout=60, check=False).returncode


RECORD = """
record = SummaryRecord(directory, flush_seconds=3600)
for step in range(50):
    record.add_value("scalar", "loss", step)
    record.add_value("tensor", "kernel", np.ones((10, 10)))
    record.record(step)
"""


OWN_HANDLER = """
signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
os.kill(os.getpid(), signal.SIGTERM)
time.sleep(60)
"""


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("raise MemoryError", 1),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT),
        (OWN_HANDLER, 5),
        ("del record", 0),
    ],
    ids=["end", "exit", "error", "SIGTERM", "SIGINT", "own handler", "forgotten"],
)
def test_everything_is_written_when_a_process_exits(tmp_path: Path, end: str, code: int) -> None:
    assert run(tmp_path, RECORD + end) == code
    assert scalars(tmp_path)["loss"] == [(step, float(step)) for step in range(50)]
    assert len(values(tmp_path)["kernel"]) == 50


def test_a_forked_child_writes_a_separate_file(tmp_path: Path) -> None:
    code = """
pid = os.fork()
if pid == 0:
    record.add_value("scalar", "loss", -1)
    record.record(100)
    record.flush()
    os._exit(0)
os.waitpid(pid, 0)
record.add_value("scalar", "loss", 50)
record.record(50)
"""
    assert run(tmp_path, RECORD + code) == 0
    logs = sorted(tmp_path.iterdir())
    assert len(logs) == 2
    found = scalars(tmp_path)["loss"]
    assert sorted(found) == [*((step, float(step)) for step in range(51)), (100, -1.0)]


def test_a_forked_child_that_records_nothing_creates_no_file(tmp_path: Path) -> None:
    code = """
pid = os.fork()
if pid == 0:
    sys.exit()
os.waitpid(pid, 0)
"""
    assert run(tmp_path, RECORD + code) == 0
    assert len(list(tmp_path.iterdir())) == 1
    assert len(scalars(tmp_path)["loss"]) == 50


def test_a_fork_during_a_write_blocks_neither_process(tmp_path: Path) -> None:
    code = """
record = SummaryRecord(directory, flush_seconds=0)
children = []
for step in range(300):
    record.add_value("scalar", "loss", step)
    record.add_value("tensor", "kernel", np.ones(1000))
    record.record(step)
    if step % 30 == 0:
        pid = os.fork()
        if pid == 0:
            record.add_value("scalar", "child", step)
            record.record(step)
            record.close()
            os._exit(0)
        children.append(pid)
codes = [os.waitpid(pid, 0)[1] for pid in children]
record.close()
sys.exit(max(codes))
"""
    assert run(tmp_path, code) == 0
    found = scalars(tmp_path)
    assert sorted(found["loss"]) == [(step, float(step)) for step in range(300)]
    assert sorted(found["child"]) == [(step, float(step)) for step in range(0, 300, 30)]


def test_ranks_write_several_files_in_one_directory(tmp_path: Path) -> None:
    code = f"""
import multiprocessing
def train(rank):
    os.environ["RANK"] = str(rank)
    with SummaryRecord({str(tmp_path)!r}) as record:
        record.add_value("scalar", f"loss{{rank}}", rank)
        record.record(0)
ranks = [multiprocessing.get_context("fork").Process(target=train, args=[n]) for n in range(3)]
for rank in ranks: rank.start()
for rank in ranks: rank.join()
"""
    assert run(tmp_path, code) == 0
    assert {path.name.split(".")[5] for path in tmp_path.iterdir()} == {"0", "1", "2"}
    assert set(scalars(tmp_path)) == {"loss0", "loss1", "loss2"}


def test_an_existing_signal_handler_is_kept(tmp_path: Path) -> None:
    def handler(number: int, frame: object) -> None: ...

    before = signal.signal(signal.SIGTERM, handler)
    try:
        SummaryRecord(tmp_path).close()
        assert signal.getsignal(signal.SIGTERM) is handler
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become a user who may not write")
def test_a_read_only_directory_is_an_error() -> None:
    code = """
from mindviz.errors import RecordingFailed
os.setuid(65534)
try:
    SummaryRecord(directory)
except RecordingFailed as error:
    sys.exit(7 if directory in str(error) else 1)
"""
    with tempfile.TemporaryDirectory() as directory:  # only root may read tmp_path
        Path(directory).chmod(0o555)
        assert run(Path(directory), code) == 7


FLUSH_SECONDS = 1.0

RECORD_UNTIL_KILLED = f"""
def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())
record = SummaryRecord(directory, flush_seconds={FLUSH_SECONDS})
for step in range(100_000):
    record.add_value("scalar", "loss", step)
    record.add_value("tensor", "kernel", np.full(50, step))
    record.record(step)
    say("recorded", step, time.monotonic())
    if sys.argv[2] == "flush" and step % 10 == 9:
        record.flush()
        say("flushed", step)
    time.sleep(0.004)
"""


@dataclass
class Victim:
    """A training that is killed in the midst of it."""

    directory: Path
    process: subprocess.Popen[str]
    killed: float = 0.0

    @staticmethod
    def of(directory: Path, flushes: str) -> Victim:
        command = [sys.executable, "-c", PRELUDE + RECORD_UNTIL_KILLED, str(directory), flushes]
        return Victim(directory, subprocess.Popen(command, stdout=subprocess.PIPE, text=True))

    def kill(self) -> None:
        self.killed = time.monotonic()
        self.process.kill()

    def must_have(self) -> int:
        """The last step that has to be there: flushed, or recorded long enough before the end."""
        output = [line.split() for line in self.process.communicate()[0].splitlines()]
        flushed = [int(line[1]) for line in output if line[0] == "flushed"]
        old = [
            int(line[1])
            for line in output
            if line[0] == "recorded" and float(line[2]) < self.killed - FLUSH_SECONDS
        ]
        return max([-1, *flushed, *old])


@pytest.mark.usefixtures("untraced")
def test_sigkill_loses_only_unflushed_records(tmp_path: Path) -> None:
    random = Random(9)
    count = int(os.environ.get("MINDVIZ_TEST_KILLS", "20"))
    kept = []
    for first in range(0, count, 10):
        names = range(first, min(first + 10, count))
        victims = [Victim.of(tmp_path / str(n), ("flush", "wait")[n % 2]) for n in names]
        for victim in victims:
            assert victim.process.stdout is not None
            select.select([victim.process.stdout], [], [], 60)  # it has begun
        for victim in sorted(victims, key=lambda _: random.random()):
            time.sleep(random.uniform(0, 0.4))
            victim.kill()
        for victim in victims:
            kept.append(victim.must_have())
            store = loaded(victim.directory)
            try:
                for job in store.list_train_jobs():
                    assert job.problems == ()
                    series = store.read_scalars("./", "loss")
                    assert series.step.tolist() == series.value.tolist()
                    assert series.step.tolist() == list(range(len(series.step)))
                    assert len(series.step) > kept[-1]
                    kernels = store.read_values("./", "tensor", "kernel")
                    assert len(kernels.step) > kept[-1]
                    assert kernels.read(len(kernels.step) - 1).data.max() == kernels.step[-1]  # type: ignore[union-attr]
                assert store.list_train_jobs() or kept[-1] == -1
            finally:
                store.close()
    assert max(kept) > 50
