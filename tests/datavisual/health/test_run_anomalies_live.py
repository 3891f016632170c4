"""A server that watches a run grow finds the same as one that reads the finished log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.datavisual.evictable_caches import JobCaches
from mindviz.datavisual.health import log_health
from mindviz.datavisual.health.event_pages import marks_of
from mindviz.datavisual.health.health_events import SeriesEvent, series_events
from mindviz.datavisual.health.kept_checks import MAX_EVENTS
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.health.run_anomalies import GrowingRuns, run_anomalies
from mindviz.datavisual.series.time_series import ScalarIncrement
from mindviz.datavisual.store import Store
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.datavisual.health.test_log_health import complete
from tests.datavisual.health.test_rule_evaluation import TAGS, columns_of, short_rules
from tests.datavisual.logs.test_log_store import watched
from tests.store_fake import FakeStore

RUN = "./run"


class GrowingLog:
    """A run whose log is written, continued, rewound and replaced."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory / "run"
        self._directory.mkdir()
        self._files = 0
        self._time = 1_000.0
        self._next_step = dict.fromkeys(TAGS, 0)
        self.restart()

    def restart(self, back: int = 0) -> None:
        """Go on in a new file, some steps before."""
        self._files += 1
        self._path = self._directory / f"events.out.tfevents.{1_000 + self._files}.host"
        self._write(frames([tensorboard.version_event(self._time)], Framing.TFRECORD))
        self.rewind(back)

    def go_on(self, _: int) -> None:
        """Nothing happens."""

    def rewind(self, back: int) -> None:
        """Go on some steps before, in the same file."""
        for tag, step in self._next_step.items():
            self._next_step[tag] = max(0, step - back)

    def replace(self, _: int) -> None:
        """Rewrite the newest file."""
        self._path.write_bytes(b"")
        self._write(frames([tensorboard.version_event(self._time)], Framing.TFRECORD))

    def grow(self, tag: str, seed: int, points: int, odd: list[tuple[int, int]]) -> None:
        step, wall_time, value = columns_of(seed, points, odd)
        step += self._next_step[tag]
        wall_time += self._time
        self._next_step[tag] = int(step[-1]) + 1
        self._time = float(wall_time[-1])
        rows = zip(wall_time.tolist(), step.tolist(), value.tolist(), strict=True)
        events = [tensorboard.scalars_event(time, at, {tag: one}) for time, at, one in rows]
        self._write(frames(events, Framing.TFRECORD))

    def _write(self, content: bytes) -> None:
        with self._path.open("ab") as file:
            file.write(content)


def live_events(health: LogHealth) -> list[SeriesEvent]:
    page = complete(lambda: health.page([RUN], limit=MAX_EVENTS))
    return [event for _, event in page.events if isinstance(event, SeriesEvent)]


def expect_batch(health: LogHealth, store: Store) -> list[SeriesEvent]:
    """Events and marks are those of all points at once; reprs are equal for NaN, too."""
    anomalies = run_anomalies(store, RUN, health.rules)
    expected = series_events(anomalies)[:MAX_EVENTS]
    assert sorted(map(repr, live_events(health))) == sorted(map(repr, expected))
    assert repr(health.marks([RUN]).get(RUN, [])) == repr(marks_of(anomalies))
    return expected


odd = st.lists(st.tuples(st.integers(0, 79), st.integers(0, 5)), max_size=2)
grows = st.tuples(st.sampled_from(TAGS), st.integers(0, 99), st.integers(1, 80), odd)
before = st.one_of(
    st.just(("go_on", 0)),
    st.tuples(st.sampled_from(["go_on", "restart", "rewind"]), st.integers(1, 60)),
    st.just(("replace", 0)),
)
operations = st.lists(st.tuples(before, grows), min_size=4, max_size=8)


@pytest.fixture(autouse=True)
def _no_pauses() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_health, "_PAUSE_FACTOR", 0)
        yield


@given(operations)
@settings(max_examples=40, deadline=None)
def test_live_equals_batch_whatever_happens_to_the_log(
    drawn: list[tuple[tuple[str, int], tuple[str, int, int, list[tuple[int, int]]]]],
) -> None:
    with TemporaryDirectory() as directory:
        log = GrowingLog(Path(directory))
        for tag in TAGS:
            log.grow(tag, 0, 60, [])
        with watched(Path(directory)) as store:
            health = LogHealth(store, short_rules())
            expect_batch(health, store)
            for (name, steps), points in drawn:
                version = store.version
                getattr(log, name)(steps)
                log.grow(*points)
                store.refresh()
                assert store.version > version
                expect_batch(health, store)


def test_a_growing_log_has_events_of_every_rule(tmp_path: Path) -> None:
    log = GrowingLog(tmp_path)
    log.grow("train/loss", 0, 160, [])
    kinds = set()
    with watched(tmp_path) as store:
        health = LogHealth(store, short_rules())
        for kind in range(6):
            for tag in TAGS:
                log.grow(tag, kind, 160, [(80, kind)])
                store.refresh()
                kinds |= {event.kind for event in expect_batch(health, store) if event.rule}
    assert kinds == {rule.kind for rule in short_rules().all}


class CountingStore(FakeStore):
    """Counts the points that are read as increments."""

    def __init__(self) -> None:
        super().__init__()
        self.increments: list[int] = []

    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        found = super().read_scalars_since(train_id, tag, epoch=epoch, total=total, writer=writer)
        self.increments.append(len(found.points.step))
        return found


def grown(store: CountingStore, first: int, points: int) -> None:
    values = np.random.default_rng(first).normal(0, 1, points)
    store.jobs[RUN].append("loss", range(first, first + points), values.tolist(), first)


def test_the_rules_evaluate_only_new_points_of_a_run_that_grows() -> None:
    store = CountingStore()
    store.add(RUN)
    health = LogHealth(store)
    for first in range(0, 500, 100):
        grown(store, first, 100)
        live_events(health)
    # The first time, it was not known to grow; the second time, all points were new.
    assert store.increments == [100, 100, 100]


def test_memory_pressure_makes_the_next_evaluation_start_over() -> None:
    store = CountingStore()
    caches: JobCaches = store.add(RUN).caches
    runs = GrowingRuns(store, short_rules())
    for first in (0, 100):
        grown(store, first, 100)
        runs.anomalies(RUN, grows=True)
    assert (store.increments, caches.nbytes > 0) == ([100], True)
    caches.drop_all()
    grown(store, 200, 100)
    found = runs.anomalies(RUN, grows=True)
    assert store.increments == [100]
    assert repr(found) == repr(run_anomalies(store, RUN, short_rules()))


class FailingStore(CountingStore):
    """Fails to read increments while told to."""

    error: Exception | None = None

    def read_scalars_since(
        self, train_id: str, tag: str, *, epoch: str, total: int, writer: str | None = None
    ) -> ScalarIncrement:
        if self.error is not None and tag == "other":
            raise self.error
        return super().read_scalars_since(train_id, tag, epoch=epoch, total=total, writer=writer)


def test_an_error_makes_the_next_evaluation_start_over() -> None:
    store = FailingStore()
    store.add(RUN).append("other", range(50), [1.0] * 50)
    runs = GrowingRuns(store, short_rules())
    grown(store, 0, 100)
    runs.anomalies(RUN, grows=True)
    grown(store, 100, 100)
    store.error = MemoryError()
    with pytest.raises(MemoryError):
        runs.anomalies(RUN, grows=True)
    store.error = None
    found = runs.anomalies(RUN, grows=True)
    assert repr(found) == repr(run_anomalies(store, RUN, short_rules()))
