"""`mindviz cache` lists and clears what servers keep; the cache survives kill -9."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from tests.mindviz_process import Mindviz, run
from tests.written_logs import loaded, tensorboard_log, write

LOG = tensorboard_log([(step, step / 7) for step in range(100)])
NAME = "events.out.tfevents.1.h"


def keep(base: Path, workspace: Path) -> None:
    write(base / "run", NAME, LOG)
    loaded(base, cache_dir=workspace / "cache")


def packs(workspace: Path) -> list[Path]:
    return list((workspace / "cache").rglob("*.pack"))


def test_log_directories_are_listed_and_cleared(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    option = ("--workspace", str(workspace))
    assert run("cache", "ls", *option).stdout == f"0 B in {workspace / 'cache'}\n"
    for name in ("a", "b"):
        keep(tmp_path / name, workspace)
    heading, *rows, total = run("cache", "ls", *option).stdout.splitlines()
    assert heading.split() == ["LOG", "DIRECTORY", "FILES", "SIZE", "LAST", "USED"]
    assert [row.split()[:2] for row in rows] == [
        [str(tmp_path / "b"), "1"],
        [str(tmp_path / "a"), "1"],
    ]
    assert total.endswith(f"KB in {workspace / 'cache'}")
    assert run("cache", "clear", str(tmp_path / "a"), *option).stdout.startswith("Deleted ")
    assert len(packs(workspace)) == 1
    assert run("cache", "clear", *option).returncode == 0
    assert packs(workspace) == []


def test_damaged_packs_belong_to_the_logs_of_their_folder(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    option = ("--workspace", str(workspace))
    damaged: list[tuple[Path, Path]] = []
    for name in ("a", "b"):
        keep(tmp_path / name, workspace)
        (pack,) = set(packs(workspace)) - {path for pair in damaged for path in pair}
        damaged.append((pack, write(pack.parent, "0.pack", b"damaged")))
    rows = run("cache", "ls", *option).stdout.splitlines()[1:-1]
    assert [row.split()[0] for row in rows] == [str(tmp_path / "b"), str(tmp_path / "a")]
    run("cache", "clear", str(tmp_path / "a"), *option)
    assert set(packs(workspace)) == set(damaged[1])
    damaged[1][0].unlink()
    assert "(damaged)" in run("cache", "ls", *option).stdout
    run("cache", "clear", str(tmp_path / "b"), *option)
    assert packs(workspace) == [damaged[1][1]]
    run("cache", "clear", *option)
    assert packs(workspace) == []


def test_a_server_keeps_what_it_reads_unless_told_not_to(tmp_path: Path) -> None:
    base, workspace = tmp_path / "logs", tmp_path / "workspace"
    write(base, NAME, LOG)
    with Mindviz(base, workspace, "--no-cache") as mindviz:
        mindviz.process.send_signal(signal.SIGTERM)
        mindviz.process.wait(10)
    assert packs(workspace) == []
    with Mindviz(base, workspace) as mindviz:
        mindviz.process.send_signal(signal.SIGTERM)
        mindviz.process.wait(10)
    # One, and one of anomalies if it has found these meanwhile.
    assert packs(workspace) != []


def test_nothing_is_kept_below_the_logs(tmp_path: Path) -> None:
    write(tmp_path, NAME, LOG)
    with Mindviz(tmp_path, tmp_path / "workspace") as mindviz:
        mindviz.process.send_signal(signal.SIGTERM)
        mindviz.process.wait(10)
    assert packs(tmp_path / "workspace") == []


def test_servers_killed_at_any_moment_leave_a_usable_cache(tmp_path: Path) -> None:
    base, workspace = tmp_path / "logs", tmp_path / "workspace"
    for number in range(40):
        write(base / f"run{number}", NAME, tensorboard_log([(i, i / 3) for i in range(2000)]))
    deleted = [write(base / f"old{number}", NAME, LOG) for number in range(60)]
    known(base, workspace / "cache")
    for path in deleted:  # to be dropped by servers
        path.unlink()
        path.parent.rmdir()
    expected = known(base, None)
    for attempt in range(0, 8, 2):
        with Mindviz(base, workspace) as first, Mindviz(base, workspace) as second:
            deadline = time.monotonic() + 0.2 * attempt
            # Kill them before, while and after they write.
            while time.monotonic() < deadline and len(packs(workspace)) < attempt:
                pass
            for server in (first, second):
                server.process.kill()
                server.process.wait()
        assert known(base, workspace / "cache") == expected


def known(base: Path, cache: Path | None) -> object:
    store = loaded(base, cache_dir=cache)
    return [
        (info.train_id, info.points, store.read_scalars(info.train_id, "loss").value.tobytes())
        for info in store.list_train_jobs()
    ]
