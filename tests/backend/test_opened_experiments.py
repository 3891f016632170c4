from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from mindviz.backend.app import answer_bounds
from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.experiments import ServedExperiment
from mindviz.datavisual.generic.data_provider import RequestContext, StoreProvider
from mindviz.datavisual.plugins.tensor import read_slice
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.sql.database import Database
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.imported_logs import imported
from tests.written_logs import tensorboard_log, write


def test_directories_and_databases_are_opened_and_closed(tmp_path: Path) -> None:
    for name in ("here", "stored"):
        write(tmp_path / name / f"job_{name}", "tfevents.1", tensorboard_log([(1, 1.0)]))
    url = f"sqlite:///{tmp_path / 'x.db'}"
    database = Database(url)
    for name in ("first", "second"):
        imported(database, tmp_path / "stored", name)
    database.close()
    sources = (
        ExperimentSource("here", tmp_path / "here"),
        ExperimentSource("first", url),
        ExperimentSource("second", url),
    )
    threads = threading.active_count()
    config = Config(tmp_path / "here", experiments=sources, inotify=False)
    with OpenedExperiments(config) as opened:
        opened.wait_until_loaded(30)
        served = opened.experiments
        for source in sources:
            one = served.find(source.experiment_id)
            wanted = "./job_here" if source.experiment_id == "here" else "./job_stored"
            assert [job.train_id for job in one.store.list_train_jobs()] == [wanted]
            runs = StoreProvider(served).list_train_jobs(
                RequestContext(), experiment_id=source.experiment_id
            )
            assert [run.train_id for run in runs] == [wanted]
    assert threading.active_count() <= threads


def test_a_broken_experiment_does_not_hide_later_ones(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write(tmp_path / "logs", "tfevents.1", tensorboard_log([(1, 1.0)]))
    url = f"sqlite:///{tmp_path / 'x.db'}"
    database = Database(url)
    imported(database, tmp_path / "logs", "first")
    config = Config(
        tmp_path,
        experiments=(ExperimentSource("first", url),),
        database=url,
        reload_interval=0.01,
    )
    is_mounted = threading.Event()

    def mount(source: ExperimentSource, _served: ServedExperiment) -> None:
        if source.experiment_id == "bad":
            raise ZeroDivisionError
        is_mounted.set()

    with OpenedExperiments(config) as opened:
        opened.follow(mount)
        for name in ("bad", "good"):
            imported(database, tmp_path / "logs", name)
        assert is_mounted.wait(30)
    database.close()
    assert [one.experiment_id for one in opened.experiments] == ["first", "good"]
    assert "'bad' of the database cannot be shown" in caplog.text


def test_tensors_over_the_limit_are_omitted_but_available_in_slices(tmp_path: Path) -> None:
    sizes = {1: 10, 2: 3000}
    payloads = [
        mindspore.event(1e9, step, [mindspore.tensor("t", np.arange(size, dtype=np.float32))])
        for step, size in sizes.items()
    ]
    log = frames([mindspore.version_event(1e9), *payloads], Framing.TFRECORD)
    write(tmp_path / "logs", "x.out.events.summary.1000.h_MS", log)
    database = Database(str(tmp_path / "x.db"))
    imported(database, tmp_path / "logs", "stored")
    database.close()
    sources = (
        ExperimentSource("here", tmp_path / "logs"),
        ExperimentSource("stored", f"sqlite:///{tmp_path / 'x.db'}"),
    )
    for allowed, steps in ((10_000, [1]), (20_000, [1, 2])):
        config = Config(
            tmp_path / "logs", experiments=sources, max_tensor_bytes=allowed, inotify=False
        )
        with OpenedExperiments(config) as opened:
            opened.wait_until_loaded(30)
            provider = StoreProvider(opened.experiments, answer_bounds(config))
            for one in opened.experiments:
                answer = provider.read_tensors(
                    RequestContext(), experiment_id=one.experiment_id, plugin_name="tensors"
                )
                assert answer["./"]["t"].step.tolist() == steps
                part = read_slice(one.store, "./", "t", 2, "[2998:]")
                assert part.data.tolist() == [2998.0, 2999.0]
            here = opened.experiments.first.store
            kinds = [problem.kind for problem in here.train_job("./").problems]
            assert kinds == ([] if len(steps) == 2 else [FindingKind.LARGE_TENSOR])
