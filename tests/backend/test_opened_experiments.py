from __future__ import annotations

import threading
from pathlib import Path

from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.data_transform.data_provider import RequestContext
from mindviz.datavisual.data_transform.sql.database import Database
from tests.imported_logs import imported
from tests.written_logs import tensorboard_log, write


def test_directories_and_databases_are_opened_alike_and_closed_together(tmp_path: Path) -> None:
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
        served = opened.experiments()
        for source in sources:
            one = served.find(source.experiment_id)
            wanted = "./job_here" if source.experiment_id == "here" else "./job_stored"
            assert [job.train_id for job in one.experiment.list_train_jobs()] == [wanted]
            runs = one.provider.list_train_jobs(
                RequestContext(), experiment_id=source.experiment_id
            )
            assert [run.train_id for run in runs] == [wanted]
    assert threading.active_count() <= threads
