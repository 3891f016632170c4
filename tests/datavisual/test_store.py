from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.series.lineage_facts import LineageFacts, MetricValue
from tests.fake_series import FakeScalars
from tests.provider_scalars import ScalarAnswers
from tests.store_fake import FakeStore
from tests.written_logs import loaded, tensorboard_log, write


def test_a_series_is_found_among_the_summaries() -> None:
    store = FakeStore()
    job = store.add("./a")
    for tag in ("loss", "", "accuracy", "z"):
        job.append(tag, [1], [0.5])
    summaries = store.scalar_summaries("./a")
    for tag in summaries.tags:
        assert summaries.tags[summaries.index_of(tag)] == tag
    assert [summaries.index_of(tag) for tag in ("b", "zz", "LOSS")] == [-1, -1, -1]


def test_the_version_equals_that_of_the_status(tmp_path: Path) -> None:
    write(tmp_path, "events.out.tfevents.1.host", tensorboard_log([(1, 0.5)]))
    store = loaded(tmp_path)
    assert store.version == store.status().version > 0


@pytest.mark.parametrize(
    ("written", "shown"),
    [(20.0, (0.9, 0)), (5.0, (0.7, 2)), (None, (0.7, 2)), (math.nan, (0.7, 2))],
)
def test_a_metric_is_the_value_that_was_written_last(
    written: float | None, shown: tuple[float, int]
) -> None:
    """Earlier values of a session are placeholders: some trainings write them at the start."""
    store = FakeStore()
    store.add("./a").append("acc", [1, 2], [0.5, 0.7], wall_time=9.0)
    summaries = store.scalar_summaries("./a")
    facts = LineageFacts(session_values={"acc": MetricValue(0.9, 0, written)})
    metric = summaries.metric("acc", facts)
    assert metric is not None
    assert (metric.value, metric.step) == shown
    assert summaries.metric("loss", facts) is None


class TestFakeStore(ScalarAnswers):
    """The tests' own store answers about scalars as real ones do."""

    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        logged, fake = loaded(base_dir), FakeStore()
        for train_id in logged.list_train_ids():
            job = fake.add(train_id)
            for tag in logged.list_tags(train_id).get("scalar", ()):
                points = logged.read_scalars(train_id, tag, restarts="all")
                job.scalars[tag] = FakeScalars(
                    points.step.tolist(), points.wall_time.tolist(), points.value.tolist()
                )
        yield StoreProvider.of(fake, experiment_id, bounds)
