from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.reading.snapshot_reader import summed_up
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.generic_series import ScalarAggregate
from tests.provider_suite import DataProviderSuite
from tests.written_logs import found_job, loaded, snapshot_of, tensorboard_log, write


class TestLogDirectory(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        yield StoreProvider.of(loaded(base_dir), experiment_id, bounds=bounds)

    def test_a_blob_keeps_no_file_open(self, provider: DataProvider) -> None:
        before = set(Path("/proc/self/fd").iterdir())
        _, blob = self.one_blob(provider)
        assert b"".join(blob.chunks())
        assert set(Path("/proc/self/fd").iterdir()) <= before  # others may be closed meanwhile


def job(directory: Path, *logs: list[tuple[int, float]]) -> TrainJobSnapshot:
    for number, points in enumerate(logs):
        log = tensorboard_log(points, start=1000.0 * number)
        write(directory, f"tfevents.{number}", log)
    found = found_job(directory)
    files = tuple(snapshot_of(Path(file.path)) for file in found.files)
    return TrainJobSnapshot(found, files, version=1, complete=True)


def test_aggregates_from_summaries_equal_those_of_the_points(tmp_path: Path) -> None:
    snapshot = job(tmp_path, [(1, 3.0), (2, float("nan")), (5, -1.0)])
    entry = snapshot.generic.entries["scalars"]["loss"]
    known = summed_up(snapshot, entry)
    assert known == ScalarAggregate.of(snapshot.counting_points(entry.logged))
    assert known == ScalarAggregate(3, -1.0, 5, 3.0, 1, 3.0, -1.0)


def test_aggregates_after_a_restart_need_the_points(tmp_path: Path) -> None:
    snapshot = job(tmp_path, [(1, 3.0), (2, 9.0)], [(2, 4.0)])
    entry = snapshot.generic.entries["scalars"]["loss"]
    assert summed_up(snapshot, entry) is None
    assert snapshot.counting_points(entry.logged).value.tolist() == [3.0, 4.0]
