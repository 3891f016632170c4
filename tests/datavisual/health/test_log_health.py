from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import pytest

from mindviz import deadline
from mindviz.datavisual.health import log_health
from mindviz.datavisual.health.anomalies import AnomalyKind
from mindviz.datavisual.health.event_pages import EventPages, Marks
from mindviz.datavisual.health.kept_checks import MAX_EVENTS
from mindviz.datavisual.health.log_health import HealthPage, LogHealth
from mindviz.datavisual.run_listing import JobVersion
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.deadline import allow, doing
from mindviz.errors import DatabaseUnavailable, LogUnreadable, TagUnreadable
from tests.store_fake import FakeStore
from tests.written_logs import loaded, tensorboard_log, write

NAN = math.nan


def complete(ask: Callable[[], HealthPage]) -> HealthPage:
    """The answer once all requested jobs have been analyzed."""
    for _ in range(1000):
        page = ask()
        if page.looked_into == page.jobs and page.outdated == 0:
            return page
    pytest.fail("It never came to its end.")


def shown(page: HealthPage) -> list[tuple[str | None, str]]:
    return [(train_id, event.kind.value) for train_id, event in page.events]


def mixed() -> FakeStore:
    store = FakeStore()
    store.problems = (Finding(FindingKind.OUTSIDE, "link"),)
    store.add("./a").append("loss", [1, 2, 3, 2, 3], [0.5, 0.5, 0.5, 0.5, NAN])
    store.add("./b").append("loss", [1, 2], [0.5, NAN])
    store.jobs["./b"].problems = (
        Finding(FindingKind.LARGE_TENSOR, "b/f"),
        Finding(FindingKind.BAD_PAYLOAD, "b/f", 3),
        Finding(FindingKind.BAD_PAYLOAD, "b/f", 9),
    )
    store.add("./sound").append("loss", [1, 2], [0.5, 0.5])
    return store


def test_the_worst_event_of_all_runs_comes_first() -> None:
    health = LogHealth(mixed())
    page = complete(health.page)
    assert shown(page) == [
        ("./a", "nan"),
        ("./b", "bad_payload"),
        ("./b", "nan"),
        (None, "outside"),
        ("./a", "restart"),
        ("./b", "large_tensor"),
    ]
    assert page.counts == {
        "nan": 2, "restart": 1, "bad_payload": 1, "large_tensor": 1, "outside": 1,
    }  # fmt: skip
    assert page.severities == {"severe": 3, "warning": 2, "note": 1}
    assert page.diverged == {"./a": ["nan"], "./b": ["nan"]}
    assert (page.jobs, page.total, page.total_count) == (3, 6, 7)


def test_a_loss_that_rises_and_stays_up_has_diverged() -> None:
    store = FakeStore()
    losses = [5.0 - 0.04 * step if step < 100 else 1.0 + 0.5 * (step - 100) for step in range(200)]
    store.add("./a").append("loss", range(200), losses)
    store.add("./sound").append("loss", range(200), [5.0 - 0.02 * step for step in range(200)])
    assert complete(LogHealth(store).page).diverged == {"./a": ["divergence"]}


def test_filters_by_run_and_kind_apply_before_pagination() -> None:
    health = LogHealth(mixed())
    everything = shown(complete(health.page))
    pages = [shown(health.page(offset=at, limit=2)) for at in range(0, 7, 2)]
    assert [event for page in pages for event in page] == everything
    assert health.page(["./a"], kinds=["restart"]).diverged == {"./a": ["nan"]}
    page = health.page(kinds=["nan", "bad_payload"])
    assert (page.total, page.total_count, page.counts[AnomalyKind.RESTART]) == (3, 4, 1)
    worst = health.page(severities=["severe"])
    assert (shown(worst), worst.total_count) == (everything[:3], 4)
    assert shown(health.page(severities=["severe", "note"], kinds=["large_tensor"])) == [
        ("./b", "large_tensor")
    ]
    assert {train_id for train_id, _ in health.page(["./a", "./gone"]).events} == {"./a"}
    assert {train_id for train_id, _ in health.page(without=["./a"]).events} == {"./b", None}
    assert (health.page(["./gone"]).jobs, health.page(["./gone"]).total) == (0, 0)


def test_evicted_events_are_recomputed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    health = LogHealth(mixed())
    everything = complete(health.page).events
    monkeypatch.setattr(health, "_pages", EventPages(most=3))
    pages = [health.page(offset=at, limit=1).events for at in range(6)]
    assert [event for page in pages for event in page] == list(everything)
    assert health.page(offset=6).events == []


def test_marks_are_all_places_of_a_rule_in_each_series(monkeypatch: pytest.MonkeyPatch) -> None:
    store = FakeStore()
    values = [NAN if step in {30, 60, 61} else 0.5 for step in range(100)]
    store.add("./a").append("loss", range(100), values)
    store.jobs["./a"].append("acc", [1, 2, 1], [NAN, 0.5, 0.5])
    store.add("./sound").append("loss", [1, 2], [0.5, 0.5])
    health = LogHealth(store)
    assert health.marks(["./a"]) == {}  # not analyzed
    complete(health.page)
    expected = {"./a": [Marks(AnomalyKind.NAN, "nan", "loss", [(30, 20, 40), (60, 50, 71)])]}
    assert health.marks(["./a", "./sound", "./gone"]) == expected
    assert health.marks(["./a"], ["nan"]) == expected
    assert health.marks(["./a"], ["spike"]) == {}
    monkeypatch.setattr(health, "_pages", EventPages())
    assert health.marks(["./a"]) == expected


def test_a_run_lists_its_worst_events_and_counts_the_others() -> None:
    store = FakeStore()
    job = store.add("./a")
    values = [NAN if step % 2 else 0.5 for step in range(120)]
    for number in range(60):
        # Different steps: overlapping findings would be one event.
        steps = [number * 1_000 + step for step in range(120)]
        job.append(f"t{number}", steps, values, wall_time=number * 1e6)
    page = complete(LogHealth(store).page)
    assert (page.total, page.unlisted) == (MAX_EVENTS, page.total_count - MAX_EVENTS)
    assert page.counts == {AnomalyKind.NAN: MAX_EVENTS}
    assert page.unlisted > 0


def test_a_series_is_analyzed_once_per_version_of_its_job() -> None:
    store = mixed()
    health = LogHealth(store)
    complete(health.page)
    reads = store.reads
    assert reads == 5  # three series, and two again for their events
    complete(health.page)
    assert store.reads == reads
    store.jobs["./sound"].append("loss", [3], [NAN])
    page = complete(health.page)
    assert store.reads == reads + 2
    assert ("./sound", "nan") in shown(page)
    store.remove("./sound")
    assert health.page().jobs == 2


def test_only_requested_runs_are_analyzed() -> None:
    store = mixed()
    health = LogHealth(store)
    complete(lambda: health.page(["./b"]))
    assert store.reads == 2  # its series, and again for its event
    assert health.page().counts[FindingKind.BAD_PAYLOAD] == 1


class HeldStore(FakeStore):
    """Reads of series block until the test releases them."""

    def __init__(self) -> None:
        super().__init__()
        self.may_read = threading.Event()

    def read_scalars(self, *names: str, **options: object) -> ScalarTimeSeries:
        self.may_read.wait()
        return super().read_scalars(*names, **options)  # type: ignore[arg-type]


def test_findings_are_listed_while_series_are_analyzed() -> None:
    store = HeldStore()
    store.add("./a").append("loss", [1, 2], [0.5, NAN])
    store.jobs["./a"].problems = (Finding(FindingKind.TRUNCATED, "a/f", 7),)
    health = LogHealth(store)
    page = health.page()
    assert (page.jobs, page.looked_into, shown(page)) == (1, 0, [("./a", "truncated")])
    store.may_read.set()
    assert shown(complete(health.page)) == [("./a", "nan"), ("./a", "truncated")]


def test_series_are_analyzed_only_while_requests_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_LONGEST_PAUSE", 60.0)
    store = mixed()
    health = LogHealth(store)
    with doing(allow(60.0)):
        assert health.page(wait=0.0).looked_into == 0
        time.sleep(0.05)
        assert store.reads == 0
        assert health.page(wait=30.0).looked_into == 3


class FailingStore(FakeStore):
    """The first reads of series fail."""

    def __init__(self, error: Exception, times: int) -> None:
        super().__init__()
        self.error = error
        self.times = times

    def read_scalars(self, *names: str, **options: object) -> ScalarTimeSeries:
        if self.times:
            self.times -= 1
            raise self.error
        return super().read_scalars(*names, **options)  # type: ignore[arg-type]


def test_an_unavailable_database_is_retried() -> None:
    store = FailingStore(DatabaseUnavailable("sqlite:///gone", "away"), 2)
    store.add("./a").append("loss", [1, 2], [0.5, NAN])
    assert complete(LogHealth(store).page).counts == {"nan": 1}


def test_a_failing_job_does_not_block_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = FailingStore(ZeroDivisionError(), 1)
    for train_id in ("./a", "./b"):
        store.add(train_id).append("loss", [1, 2], [0.5, NAN])
    page = complete(LogHealth(store).page)
    assert (page.looked_into, page.counts) == (2, {"nan": 1})
    assert "Analyzing the series of ./a failed" in caplog.text


@pytest.mark.parametrize(
    "error", [LogUnreadable("EIO"), TagUnreadable("./a", "scalar", "loss", "EIO")], ids=repr
)
def test_an_unreadable_log_is_retried(error: Exception) -> None:
    store = FailingStore(error, 2)
    store.add("./a").append("loss", [1, 2], [0.5, NAN])
    assert complete(LogHealth(store).page).counts == {"nan": 1}


class UnreliableStore(FakeStore):
    """The first lookups of a job's version fail with an unexpected error."""

    def __init__(self) -> None:
        super().__init__()
        self.failures = 2

    def versions_of(self, train_ids: Collection[str]) -> Sequence[JobVersion]:
        if self.failures:
            self.failures -= 1
            raise MemoryError
        return super().versions_of(train_ids)


def test_an_unexpected_error_does_not_stop_the_thread(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_health, "_RETRY_AFTER", 0.0)
    store = UnreliableStore()
    for train_id in ("./a", "./b"):
        store.add(train_id).append("loss", [1, 2], [0.5, NAN])
    page = complete(LogHealth(store).page)
    assert (page.looked_into, page.counts) == (2, {"nan": 2})
    assert "Analyzing ./a failed" in caplog.text


def test_of_logs_on_disk(tmp_path: Path) -> None:
    name = "events.out.tfevents.1.h"
    write(tmp_path / "a", name, tensorboard_log([(0, 1.0), (1, NAN), (2, 1.0)]))
    write(tmp_path / "b", name, tensorboard_log([(0, 1.0), (1, 1.0)])[:-3])
    health = LogHealth(loaded(tmp_path))
    page = complete(health.page)
    assert shown(page) == [("./a", "nan"), ("./b", "truncated")]
