"""The runs of a directory, a database and a server, as they are compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from mindviz.client.compared_logs import ComparedLogs
from mindviz.client.opening import open_source
from mindviz.datavisual.sql.database import Database
from mindviz.errors import TrainJobNotFound
from tests.imported_logs import imported
from tests.lineage_logs import training, user_defined, write_mindspore_job
from tests.served_logs import serving
from tests.written_logs import tensorboard_log, write


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base_dir = tmp_path_factory.mktemp("compared") / "logs"
    write_mindspore_job(base_dir / "ms", user_defined(seed=1), training(learning_rate=0.25))
    damaged = bytearray(tensorboard_log([(1, 1.0), (2, 2.0)]))
    damaged[-10] ^= 1
    write(base_dir / "tb", "tfevents.1", bytes(damaged))
    return base_dir


@pytest.fixture(scope="module", params=["directory", "database", "server"])
def logs(
    base_dir: Path, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ComparedLogs]:
    if request.param == "server":
        with serving(base_dir) as url, closing(open_source(url)) as source:
            yield ComparedLogs(source)
        return
    location = str(base_dir)
    if request.param == "database":
        location = str(tmp_path_factory.mktemp("database") / "logs.db")
        database = Database(f"sqlite:///{location}")
        imported(database, base_dir)
        database.close()
    with closing(open_source(location)) as source:
        yield ComparedLogs(source)


def test_points_are_those_of_the_tags(logs: ComparedLogs) -> None:
    run = logs.run("./tb")
    assert {name: list(tags) for name, tags in run.series.tags.items()} == {"scalar": ["loss"]}
    points = run.series.points(frozenset(["loss"]))["loss"]
    assert (points.step.tolist(), points.value.tolist()) == ([1], [1.0])


def test_config_has_fields_and_what_was_logged_besides(logs: ComparedLogs) -> None:
    config = logs.run("./ms").config
    assert (config["learning_rate"], config["seed"]) == (0.25, 1)
    assert "loss" not in config
    assert logs.run("./tb").config == {}


def test_lost_data_is_reported_per_run(logs: ComparedLogs) -> None:
    assert logs.run("./ms").series.lost_data() == []
    (problem,) = logs.run("./tb").series.lost_data()
    assert str(problem).startswith("tb/tfevents.1: ")


def test_runs_are_found_by_name(logs: ComparedLogs) -> None:
    assert list(logs.train_ids) == ["./ms", "./tb"]
    assert logs.train_id("ms") == logs.train_id("./ms") == "./ms"
    with pytest.raises(TrainJobNotFound, match=r"Did you mean './tb'"):
        logs.train_id("tbb")
