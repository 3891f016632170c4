"""SummaryWatcher: hints of changes behind links."""

from __future__ import annotations

from pathlib import Path

from tests.log_directories import append, write_log
from tests.watched_directories import (
    PATIENCE,
    hinted,
    needs_inotify,
    polled_until,
    wait_for_the_truth,
    wait_until_watched,
)


@needs_inotify
def test_growth_behind_a_link_to_the_latest_run_is_hinted_for_the_run_and_for_the_link(
    tmp_path: Path,
) -> None:
    log = write_log(tmp_path / "run")
    (tmp_path / "latest").symlink_to("run")
    with hinted(tmp_path) as watcher:
        for removed, left in (("", {"./run", "./latest"}), ("latest", {"./run"})):
            if removed:
                (tmp_path / removed).unlink()
                wait_for_the_truth(watcher, tmp_path)
            append(log)
            discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
            assert discovery.changed == left


@needs_inotify
def test_a_link_that_is_turned_shows_its_new_target(tmp_path: Path) -> None:
    logs = [write_log(tmp_path / name) for name in ("one", "two")]
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "latest").symlink_to("../one")
    with hinted(tmp_path) as watcher:
        (tmp_path / "links" / "next").symlink_to("../two")
        (tmp_path / "links" / "next").rename(tmp_path / "links" / "latest")
        wait_for_the_truth(watcher, tmp_path)
        for log, changed in zip(logs, ({"./one"}, {"./two", "./links/latest"}), strict=True):
            append(log)
            discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
            assert discovery.changed == changed


@needs_inotify
def test_circles_of_links_are_watched_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "self").symlink_to(".")
        (tmp_path / name / "up").symlink_to("..")
    (tmp_path / "a" / "to_b").symlink_to("../b")
    (tmp_path / "b" / "to_a").symlink_to("../a")
    with hinted(tmp_path) as watcher:
        write_log(tmp_path / "b" / "run")
        wait_for_the_truth(watcher, tmp_path)
        assert set(watcher.poll().jobs) == {"./b/run", "./a/to_b/run"}
        directories = [tmp_path, tmp_path / "a", tmp_path / "b", tmp_path / "b" / "run"]
        wait_until_watched(watcher, directories)


@needs_inotify
def test_links_out_of_the_base_dir_are_hinted_on_request(tmp_path: Path) -> None:
    base, outside = tmp_path / "base", tmp_path / "outside"
    log = write_log(outside / "run")
    base.mkdir()
    (base / "link").symlink_to(outside)
    with hinted(base, follow_external_links=True) as watcher:
        append(log)
        discovery = polled_until(watcher, lambda d: bool(d.changed), interval=PATIENCE)
        assert discovery.changed == {"./link/run"}
        write_log(outside / "next")
        wait_for_the_truth(watcher, base, follow_external_links=True)
        assert "./link/next" in watcher.poll().jobs


@needs_inotify
def test_links_out_of_the_base_dir_are_not_watched(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (base / "outside").symlink_to(tmp_path)
    with hinted(base) as watcher:
        write_log(tmp_path / "elsewhere")
        write_log(base / "run")
        wait_for_the_truth(watcher, base)
        wait_until_watched(watcher, [base, base / "run"])
