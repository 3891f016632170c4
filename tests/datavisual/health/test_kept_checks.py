from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from threading import Semaphore

import pytest

from mindviz.cli.checked_logs import CheckedLogs, check_logs
from mindviz.config import Config
from mindviz.datavisual.health import kept_checks, run_anomalies
from mindviz.datavisual.health.kept_checks import KeptChecks
from mindviz.datavisual.health.log_health import HealthPage, LogHealth
from mindviz.datavisual.health.rules import Rules, default_rules
from mindviz.datavisual.health.rules_file import parse_rules
from mindviz.datavisual.logs.log_store import LogStore
from tests.datavisual.health.test_log_health import complete
from tests.written_logs import events, loaded, tensorboard_log, write

NAME = "events.out.tfevents.1.h"
NAN = math.nan


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    base_dir = tmp_path / "logs"
    spiky = [(step, 40.0 if step in {150, 151} else step % 3 / 9) for step in range(200)]
    write(base_dir / "spiky", NAME, tensorboard_log(spiky) + events(spiky, tag="grad"))
    points = [(1, 0.5), (2, NAN), (3, math.inf), (2, NAN), (3, 0.5)]
    write(base_dir / "nan", NAME, tensorboard_log(points))
    write(base_dir / "sound", NAME, tensorboard_log([(1, 0.5), (2, 0.5)]))
    return base_dir


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs whose points were checked."""
    runs: list[str] = []
    update = run_anomalies.RunAnomalies.update

    def count(run: run_anomalies.RunAnomalies) -> object:
        runs.append(run._train_id)
        return update(run)

    monkeypatch.setattr(run_anomalies.RunAnomalies, "update", count)
    return runs


def opened(base_dir: Path) -> LogStore:
    return loaded(base_dir, cache_dir=base_dir.parent / "cache")


def whole(base_dir: Path, rules: Rules | None = None) -> tuple[HealthPage, object, object]:
    """Everything that a start shows of anomalies."""
    store = opened(base_dir)
    health = LogHealth(store, rules)
    page = complete(lambda: health.page(limit=1000))
    found = page, health.run_events(), health.marks(sorted(health.run_events()))
    store.close()  # the background thread may not have written everything
    return found


def test_the_next_start_shows_the_same_without_checking_again(
    base_dir: Path, checked: list[str]
) -> None:
    first = whole(base_dir)
    assert sorted(checked) == ["./nan", "./sound", "./spiky"]
    assert {event.kind.value for _, event in first[0].events} >= {"spike", "nan", "restart"}
    checked.clear()
    assert repr(whole(base_dir)) == repr(first)
    assert checked == []


def test_a_check_shares_its_results_with_servers(base_dir: Path, checked: list[str]) -> None:
    def check() -> CheckedLogs:
        config = Config(base_dir, cache_dir=base_dir.parent / "cache", inotify=False)
        return check_logs(config, native=True)

    first = check()
    assert len(checked) == 3
    checked.clear()
    assert repr(check()) == repr(first)
    whole(base_dir)
    assert checked == []


def test_only_runs_that_changed_are_checked_again(base_dir: Path, checked: list[str]) -> None:
    whole(base_dir)
    checked.clear()
    log = base_dir / "sound" / NAME
    log.write_bytes(log.read_bytes() + events([(3, NAN)]))
    page, *_ = whole(base_dir)
    assert checked == ["./sound"]
    assert ("./sound", "nan") in [(train_id, event.kind.value) for train_id, event in page.events]


OTHERS: dict[str, Callable[[], Rules]] = {
    "a parameter": lambda: parse_rules("[rules.spike]\nz = 12", ""),
    "a pattern": lambda: parse_rules("[rules.spike]\nexclude = 'x'", ""),
    "a rule less": lambda: parse_rules("[rules.spike]\nenabled = false", ""),
    "a kind less": lambda: parse_rules("[rules.restart]\nenabled = false", ""),
    "a rule more": lambda: parse_rules(
        "[rules.mine]\ntype = 'threshold'\nabove = 0.1\ntags = 'loss'", ""
    ),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS.keys())
def test_results_of_other_rules_are_not_used(
    base_dir: Path, checked: list[str], other: Callable[[], Rules]
) -> None:
    whole(base_dir)
    checked.clear()
    changed = whole(base_dir, other())
    assert len(checked) == 3
    checked.clear()
    assert repr(whole(base_dir, other())) == repr(changed)
    whole(base_dir, default_rules())
    assert checked == []


def test_results_of_another_release_are_not_used(
    base_dir: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole(base_dir)
    checked.clear()
    monkeypatch.setattr(kept_checks, "_REVISION", -1)
    whole(base_dir)
    assert len(checked) == 3


def test_a_run_that_changes_while_it_is_checked_is_not_kept(
    base_dir: Path, checked: list[str]
) -> None:
    store = opened(base_dir)
    checks = KeptChecks(store, default_rules())
    log = base_dir / "sound" / NAME

    def evaluate() -> list[object]:
        log.write_bytes(log.read_bytes() + events([(3, NAN)]))
        store.refresh()
        return []

    assert checks.anomalies("./sound", evaluate) == []  # type: ignore[arg-type]
    assert checks.counts("./sound") is None


def test_an_error_is_not_kept(
    base_dir: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(run_anomalies, "find_log_anomalies", lambda _: 1 / 0)
        page, *_ = whole(base_dir)
        assert page.events == []
    checked.clear()
    assert whole(base_dir)[0].events
    assert len(checked) == 3


def test_many_anomalies_are_counted_and_found_again(
    base_dir: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_checks, "MOST_KEPT", 1)
    first = whole(base_dir)
    checked.clear()
    assert repr(whole(base_dir)) == repr(first)
    assert "./sound" not in checked
    assert "./nan" in checked


def test_kept_events_are_reported_like_new_ones(base_dir: Path, checked: list[str]) -> None:
    reported = []
    for _ in range(2):
        store = opened(base_dir)
        health = LogHealth(store)
        of_runs: dict[str, str] = {}
        done = Semaphore(0)

        def report(
            train_id: str, found: object, of: dict[str, str] = of_runs, done: Semaphore = done
        ) -> None:
            of[train_id] = repr(found)
            done.release()

        health.on_events = report
        health.check()
        assert all(done.acquire(timeout=600) for _ in range(3))
        reported.append(of_runs)
        store.close()
    first, second = reported
    assert first == second
    assert len(checked) == 3
