"""DirectoryTree: links, cycles, depth, and replaced entries."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from mindviz.datavisual.logs.directories import log_directory
from mindviz.datavisual.logs.directories.change_hints import ChangeHints
from mindviz.datavisual.logs.directories.directory_tree import DirectoryTree
from mindviz.datavisual.logs.directories.log_directory import directory_identity
from mindviz.datavisual.logs.storage.file_system import LocalFiles
from mindviz.datavisual.series.findings import FindingKind
from tests.log_directories import EVENTS, append, as_ordinary_user, locked, write_log
from tests.watched_directories import PATIENCE, needs_inotify


def tree_at(
    path: Path, *, max_depth: int | None = None, follow_external_links: bool = False
) -> DirectoryTree:
    status = path.stat()
    tree = DirectoryTree(
        str(path),
        directory_identity(status),
        LocalFiles(str(path)),
        max_depth=max_depth,
        follow_external_links=follow_external_links,
        hot_seconds=600,
    )
    look_everywhere(tree)
    return tree


def look_everywhere(tree: DirectoryTree) -> set[str]:
    now = time.monotonic()
    for directory in tuple(tree.turns):
        tree.check(directory, now, thoroughly=True)
    return tree.update_jobs()


def test_jobs_are_found_at_any_depth(tmp_path: Path) -> None:
    for part in (".", "a", "a/b c"):
        write_log(tmp_path / part)
    assert set(tree_at(tmp_path).jobs) == {"./", "./a", "./a/b c"}


def test_directories_may_nest_deeper_than_python_recurses(tmp_path: Path) -> None:
    depth = 1500
    parent = str(tmp_path)
    for _ in range(depth):
        parent += "/d"
        os.mkdir(parent)  # noqa: PTH102 - pathlib recurses
    log = f"{parent}/events.1.tfevents"
    os.close(os.open(log, os.O_CREAT))
    assert set(tree_at(tmp_path).jobs) == {"./" + "/".join("d" * depth)}
    os.unlink(log)  # noqa: PTH108 - as above
    os.removedirs(parent)  # the cleanup by shutil.rmtree recurses, too


def test_max_depth_bounds_how_deep(tmp_path: Path) -> None:
    for part in (".", "a", "a/b", "a/b/c"):
        write_log(tmp_path / part)
    assert set(tree_at(tmp_path, max_depth=0).jobs) == {"./"}
    assert set(tree_at(tmp_path, max_depth=2).jobs) == {"./", "./a", "./a/b"}


def test_profiler_directories_are_not_entered(tmp_path: Path) -> None:
    write_log(tmp_path / "run" / "profiler")
    write_log(tmp_path / "run" / "profiler_7" / "sub")
    assert tree_at(tmp_path).jobs == {}


def test_links_to_directories_are_followed_and_circles_are_not(tmp_path: Path) -> None:
    write_log(tmp_path / "a" / "run")
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "a" / "self").symlink_to(".")
    (tmp_path / "latest").symlink_to("a/run")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "to_a").symlink_to("../a")
    (tmp_path / "a" / "to_b").symlink_to("../b")
    tree = tree_at(tmp_path)
    assert set(tree.jobs) == {"./a/run", "./latest", "./b/to_a/run"}
    assert tree.findings() == []


def test_a_hint_leads_to_all_paths_of_a_directory_and_of_its_subdirectory(tmp_path: Path) -> None:
    write_log(tmp_path / "run" / "below")
    write_log(tmp_path / "other")
    (tmp_path / "latest").symlink_to("run")
    tree = tree_at(tmp_path)

    def hinted(path: Path, name: str) -> set[str]:
        found = tree.same.hinted(directory_identity(path.stat()), name)
        return {directory.shown for directory in found}

    for name in ("", EVENTS):
        assert hinted(tmp_path / "run", name) == {"latest", "run"}
    below = {"latest/below", "run/below"}
    assert hinted(tmp_path / "run", "below") == {"latest", "run"} | below
    assert hinted(tmp_path, "new") == {""}
    assert tree.same.hinted(0, "") == set()


@needs_inotify
def test_only_changes_of_watched_directories_require_hints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_directory, "_SETTLE_SECONDS", 0.0)
    log = write_log(tmp_path)
    (tmp_path / "link.tfevents").symlink_to(write_log(tmp_path / "run"))
    os.utime(log, (1e9, 1e9))
    tree = tree_at(tmp_path)
    look_everywhere(tree)  # listed once more, because directory times are coarse
    tree.noticed.clear()
    append(log)
    os.utime(log, (1e9, 1e9))
    tree.hints = ChangeHints("base", lambda _: None, lambda: None)
    tree.check(tree.base, time.monotonic(), thoroughly=False)
    assert tree.noticed == set()
    for changed, expected in (
        ((), set()),
        ((log,), {tree.base.identity}),
        ((tmp_path / "run" / EVENTS,), {tree.base.subdirectories["run"].identity}),
    ):
        tree.noticed.clear()
        for path in changed:
            append(path)
        look_everywhere(tree)
        assert tree.noticed == expected
    tree.hints.stop()
    tree.hints.join(PATIENCE)


def test_links_that_cross_do_not_multiply_without_end(tmp_path: Path) -> None:
    levels = 12
    for level in range(levels):
        write_log(tmp_path / f"level{level}")
        for name in ("x", "y", "z"):
            (tmp_path / f"level{level}" / name).symlink_to(f"../level{level + 1}")
    tree = tree_at(tmp_path)
    assert {f"./level{level}" for level in range(levels)} <= set(tree.jobs)
    assert len(tree.jobs) <= 17 * levels  # not 3 ** 12


def test_links_out_of_the_base_dir_are_reported_and_followed_on_request(tmp_path: Path) -> None:
    write_log(tmp_path / "elsewhere" / "run")
    base = tmp_path / "base"
    base.mkdir()
    (base / "link").symlink_to("../elsewhere")
    tree = tree_at(base)
    assert tree.jobs == {}
    assert [(f.kind, f.path) for f in tree.findings()] == [(FindingKind.OUTSIDE, "link")]
    tree = tree_at(base, follow_external_links=True)
    assert set(tree.jobs) == {"./link/run"}
    assert tree.findings() == []


def test_a_link_redirected_to_the_outside_is_no_longer_followed(tmp_path: Path) -> None:
    base = tmp_path / "base"
    write_log(base / "store" / "run")
    (base / "link").symlink_to("store/run")
    tree = tree_at(base)
    assert set(tree.jobs) == {"./store/run", "./link"}
    # The same directory with the same inode, now outside.
    (base / "store").rename(tmp_path / "moved")
    (base / "store").symlink_to("../moved")
    look_everywhere(tree)
    assert tree.jobs == {}
    assert [finding.path for finding in tree.findings()] == ["link", "store"]


def test_a_replaced_directory_is_listed_again(tmp_path: Path) -> None:
    write_log(tmp_path / "run", "events.out.tfevents.1")
    write_log(tmp_path / "next", "events.out.tfevents.2")
    tree = tree_at(tmp_path)
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "next").rename(tmp_path / "run")
    assert look_everywhere(tree) == {"./run", "./next"}
    assert [file.name for file in tree.jobs["./run"].files] == ["events.out.tfevents.2"]
    assert set(tree.jobs) == {"./run"}


def test_a_directory_that_becomes_a_file_is_gone(tmp_path: Path) -> None:
    write_log(tmp_path / "run" / "sub")
    tree = tree_at(tmp_path)
    shutil.rmtree(tmp_path / "run")
    (tmp_path / "run").touch()
    assert look_everywhere(tree) == {"./run/sub"}
    assert tree.jobs == {}
    assert [one.path for one in tree.turns if not one.gone] == [str(tmp_path)]


def test_a_directory_named_like_a_log_is_a_problem_unless_it_contains_a_job(
    tmp_path: Path,
) -> None:
    (tmp_path / "my.tfevents").mkdir()
    tree = tree_at(tmp_path)
    (finding,) = tree.findings()
    assert finding.kind is FindingKind.NOT_A_LOG
    assert finding.path == "my.tfevents"
    write_log(tmp_path)
    look_everywhere(tree)
    assert tree.jobs["./"].findings == (finding,)
    assert tree.findings() == []
    write_log(tmp_path / "my.tfevents" / "run")
    assert look_everywhere(tree) == {"./", "./my.tfevents/run"}
    assert not tree.jobs["./"].findings
    shutil.rmtree(tmp_path / "my.tfevents" / "run")
    look_everywhere(tree)
    assert tree.jobs["./"].findings == (finding,)


def test_a_later_directory_named_like_a_log_is_a_problem_of_the_job(
    tmp_path: Path,
) -> None:
    write_log(tmp_path)
    tree = tree_at(tmp_path)
    (tmp_path / "my.tfevents").mkdir()
    assert look_everywhere(tree) == {"./"}
    assert [finding.path for finding in tree.jobs["./"].findings] == ["my.tfevents"]


def test_non_utf8_names_are_shown_with_replacements(tmp_path: Path) -> None:
    directory = os.fsencode(tmp_path) + b"/caf\xe9"
    Path(os.fsdecode(directory)).mkdir()
    name = b"events.out.tfevents.1.\xff"
    Path(os.fsdecode(directory + b"/" + name)).write_bytes(b"\x18")
    (job,) = tree_at(tmp_path).jobs.values()
    assert job.train_id == "./caf%E9"
    assert os.fsencode(job.directory) == directory
    (found,) = job.files
    assert found.relative_path == "caf%E9/events.out.tfevents.1.%FF"
    assert os.fsencode(found.path) == directory + b"/" + name


def test_unreadable_directories_are_reported_and_the_rest_is_served(readable_path: Path) -> None:
    write_log(readable_path / "open")
    write_log(readable_path / "closed")
    with locked(readable_path / "closed"):
        tree = tree_at(readable_path)
    assert set(tree.jobs) == {"./open"}
    (finding,) = tree.findings()
    assert (finding.kind, finding.path) == (FindingKind.UNREADABLE, "closed")
    with as_ordinary_user():
        assert look_everywhere(tree) == {"./closed"}
    assert tree.findings() == []


def test_an_unreachable_job_keeps_its_files_and_reports_it(
    readable_path: Path,
) -> None:
    write_log(readable_path / "run")
    tree = tree_at(readable_path)
    files = tree.jobs["./run"].files
    with locked(readable_path / "run"):
        look_everywhere(tree)
    assert tree.jobs["./run"].files == files
    assert FindingKind.UNREADABLE in {finding.kind for finding in tree.jobs["./run"].findings}
    with as_ordinary_user():
        look_everywhere(tree)
    assert tree.jobs["./run"].files == files
    assert not tree.jobs["./run"].findings


def test_children_of_an_unsearchable_directory_appear_once_readable(
    readable_path: Path,
) -> None:
    write_log(readable_path / "group" / "run")
    (readable_path / "group").chmod(0o444)
    with as_ordinary_user():
        tree = tree_at(readable_path)
    assert tree.jobs == {}
    assert [finding.path for finding in tree.findings()] == ["group/run"]
    (readable_path / "group").chmod(0o755)
    with as_ordinary_user():
        look_everywhere(tree)
    assert set(tree.jobs) == {"./group/run"}
    assert tree.findings() == []


def test_an_idle_tree_is_not_listed_repeatedly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        write_log(tmp_path / f"run{number}")
    listed: list[str] = []
    real = os.scandir

    def counted(path: str) -> object:
        listed.append(path)
        return real(path)

    monkeypatch.setattr(os, "scandir", counted)
    monkeypatch.setattr(log_directory, "_SETTLE_SECONDS", 0.0)
    tree = tree_at(tmp_path)
    assert len(listed) == 21
    look_everywhere(tree)  # listed once more, because directory times are coarse
    listed.clear()
    for _ in range(5):
        look_everywhere(tree)
    assert listed == []
    write_log(tmp_path / "run3", "events.out.tfevents.2")
    assert look_everywhere(tree) == {"./run3"}
    assert listed == [str(tmp_path / "run3")]
