"""RestartSuite: which points of a log count, with logs of real writers.

A subclass opens a base dir as a store. The logs are `golden/restarts/`: one directory per library
and case, each a train job with the series `val/acc`. The first writer wrote step / 100 at steps
0..19; later points are 0.5 higher.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.analysis.session_groups import session_groups
from mindviz.datavisual.health.anomalies import (
    AnomalyKind,
    find_log_anomalies,
    restart_steps,
    strays,
)
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.lineage_table import Lineages
from tests.written_logs import Points

LOGS = Path(__file__).parent / "golden" / "restarts"
TAG = "val/acc"


def first(*steps: int) -> list[tuple[int, float]]:
    """Points of the first writer."""
    return [(step, step / 100) for step in steps]


def second(*steps: int) -> list[tuple[int, float]]:
    """Points of later writers."""
    return [(step, 0.5 + step / 100) for step in steps]


Case = tuple[list[tuple[int, float]], list[tuple[int, float]], list[int]]

FIRST = first(*range(20))
STRAY: Case = FIRST, second(0), []
RESUMED: Case = [*first(*range(15)), *second(*range(15, 25))], first(*range(15, 20)), [15]
CASES: dict[str, Case] = {
    "hparams": STRAY,
    "hparams_within": STRAY,
    "stray": STRAY,
    "stray_in_file": STRAY,
    "reopened_stray": STRAY,
    "resumed": RESUMED,
    "resumed_in_file": RESUMED,
    "reopened": RESUMED,
    "rerun": (second(*range(5)), FIRST, [0]),
    "declared": ([*first(*range(15)), (17, 0.5)], first(*range(15, 20)), [17]),
    "interleaved": (first(*range(35)), second(*range(6)), []),
    "clock_set_back": (FIRST, [], []),
    "two_at_once": (FIRST, [], []),
}
"""Case -> points that count, points set aside, steps of restarts."""


def logged(*names: str) -> list[str]:
    """The train jobs of these cases."""
    found = sorted(path.parent for path in LOGS.rglob("*") if path.is_file())
    return sorted({path.relative_to(LOGS).as_posix() for path in found if path.name in names})


SESSIONS = logged("hparams", "hparams_within")
"""Train jobs with an hparams session."""


def near(points: Points) -> list[tuple[int, Any]]:
    """Points whose values may be float32."""
    return [(step, pytest.approx(value, abs=1e-6)) for step, value in points]


_CAUSES = (AnomalyKind.RESTART, AnomalyKind.STRAY)


class RestartSuite(ABC):
    """Requirements of every `Store`."""

    @staticmethod
    @abstractmethod
    def opened(base_dir: Path, scratch: Path) -> AbstractContextManager[Store]:
        """Everything below a base dir."""

    @pytest.fixture(scope="class")
    @classmethod
    def store(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
        with cls.opened(LOGS, tmp_path_factory.mktemp("restarts")) as store:
            yield store

    def test_every_case_was_written_by_every_library_that_can(self) -> None:
        libraries = {name: {job.split("/")[0] for job in logged(name)} for name in CASES}
        everyone = {"keras", "mindspore", "mindviz", "tensorboardx", "torch", "visualdl"}
        for name in (
            "stray",
            "stray_in_file",
            "resumed",
            "resumed_in_file",
            "rerun",
            "interleaved",
        ):
            assert libraries[name] == everyone
        assert libraries["two_at_once"] == everyone - {"mindspore"}
        assert libraries["hparams"] == everyone - {"mindspore", "visualdl"}
        assert libraries["declared"] == {"mindviz", "tensorboardx", "torch"}
        assert libraries["reopened"] == libraries["reopened_stray"] == {"visualdl"}

    @pytest.mark.parametrize("job", logged(*CASES))
    def test_points_count_by_the_rule(self, store: Store, job: str) -> None:
        counting, aside, restarts = CASES[job.rpartition("/")[2]]
        series = store.read_scalars(f"./{job}", TAG)
        assert list(zip(series.step, series.value, strict=True)) == near(counting)
        assert series.superseded_count == len(aside)
        written = store.read_scalars(f"./{job}", TAG, restarts="all")
        gone = written.superseded
        assert list(zip(written.step[gone], written.value[gone], strict=True)) == near(aside)
        assert restart_steps(written) == restarts
        assert int(strays(written).sum()) == (0 if restarts else len(aside))
        kinds = {one.kind for one in find_log_anomalies(written)} & {
            AnomalyKind.RESTART,
            AnomalyKind.STRAY,
        }
        assert kinds == (
            {AnomalyKind.RESTART if restarts else AnomalyKind.STRAY} if aside else set()
        )

    def test_many_series_read_at_once_have_the_points_that_count(self, store: Store) -> None:
        jobs = [f"./{job}" for job in logged(*CASES)]
        every = list(store.read_points([*jobs, "./missing"], TAG))
        for points, job in zip(every, jobs, strict=True):
            series = store.read_scalars(job, TAG)
            for name in ("step", "wall_time", "value"):
                np.testing.assert_array_equal(getattr(points, name), getattr(series, name))
        assert not list(store.read_points(jobs, "no such tag"))

    @pytest.mark.parametrize("job", logged("two_at_once"))
    def test_two_writers_at_once_are_two_lines(self, store: Store, job: str) -> None:
        one, other = store.read_scalars(f"./{job}", TAG).writers
        series = store.read_scalars(f"./{job}", TAG, writer=other)
        assert list(zip(series.step, series.value, strict=True)) == near(second(*range(20)))
        assert store.read_scalars(f"./{job}", TAG, writer=one).superseded_count == 0
        kinds = [problem.kind for problem in store.train_job(f"./{job}").problems]
        assert kinds == [FindingKind.SEVERAL_WRITERS]

    @pytest.mark.parametrize("job", SESSIONS)
    def test_an_hparams_session_is_no_second_writer(self, store: Store, job: str) -> None:
        assert len(store.read_scalars(f"./{job}", TAG).writers) == 1
        assert not store.train_job(f"./{job}").problems

    @pytest.mark.parametrize("job", SESSIONS)
    def test_a_metric_is_the_value_of_the_hparams_session(self, store: Store, job: str) -> None:
        # It is set aside from the line, but it is the value written last, the result of the run.
        sessions = {
            session.train_id: session
            for group in session_groups(store, None).groups
            for session in group.sessions
        }
        metric = sessions[f"./{job}"].metrics[TAG]
        assert (metric.value, metric.step) == (0.5, 0)
        table = Lineages(store).table()
        row = table.index_of(f"./{job}")
        assert table.rows[row].metric[TAG] == 0.5
        # The last value of the line.
        assert table.column(f"scalar/{TAG}/last")[row] == pytest.approx(0.19)

    def test_a_callback_that_fits_twice_is_a_rerun(self, store: Store) -> None:
        written = store.read_scalars("./keras/fitted_twice/train", "epoch_loss", restarts="all")
        assert written.step.tolist() == [0, 1, 2, 0, 1, 2]
        assert written.superseded.tolist() == [True] * 3 + [False] * 3
        assert restart_steps(written) == [0]

    @pytest.mark.parametrize("job", logged("stray", "hparams", "resumed", "rerun", "two_at_once"))
    def test_summaries_are_of_the_points_that_count(self, store: Store, job: str) -> None:
        summaries = store.scalar_summaries(f"./{job}")
        row = summaries.index_of(TAG)
        series = store.read_scalars(f"./{job}", TAG)
        assert summaries.stats.max[row] == series.value.max()
        assert summaries.stats.last_step[row] == series.step[-1]
