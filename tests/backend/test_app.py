"""create_app: from config and store to an application."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from flask import Flask

from mindviz.backend import app as app_module
from mindviz.backend.app import ExperimentApps, create_app
from mindviz.config import Config
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.series.time_series import ScalarTimeSeries
from mindviz.errors import StartError
from tests.store_fake import FakeStore

CONTRACT = {
    "/datavisual/train-jobs",
    "/datavisual/single-job",
    "/datavisual/plugins",
    "/datavisual/train-job-caches",
    "/datavisual/scalar/metadata",
    "/datavisual/scalars",
    "/datavisual/image/metadata",
    "/datavisual/image/single-image",
    "/datavisual/histograms",
    "/datavisual/tensors",
    "/datavisual/graphs/nodes",
    "/datavisual/graphs/nodes/all",
    "/datavisual/graphs/nodes/names",
    "/datavisual/graphs/single-node",
    "/datavisual/landscape/intervals",
    "/datavisual/landscape/landscapes",
    "/ui-config",
    "/lineagemgr/lineages",
    "/datasets/dataset_graph",
    "/optimizer/targets/search",
}
OURS = {
    "/snapshot",
    "/ask",
    "/ask/question",
    "/datavisual/embeddings/neighbours",
    "/datavisual/embeddings/points",
    "/datavisual/export",
    "/datavisual/scalars/groups",
    "/datavisual/scalars/restarts",
    "/status",
    "/experiments",
    *("/changes", "/views", "/views/<view_id>"),
    "/data/blob/<blob_key>",
    *("/data/experiment", "/data/plugins", "/data/train-jobs", "/data/series", "/data/lineage"),
    *("/data/scalars", "/data/scalar-aggregates", "/data/tensors", "/data/blob-sequences"),
    "/parity",
    "/plugins",
    "/series/<plugin_name>",
    "/series/<plugin_name>/blob",
    "/series/<plugin_name>/overview",
    "/series/<plugin_name>/tags",
    "/series/<plugin_name>/values",
    "/series/<plugin_name>/npy",
    "/datavisual/scalars/batch",
    "/datavisual/scalars/formulas",
    "/datavisual/scalars/formulas/lines",
    "/findings",
    "/findings/place",
    "/graphs/tags",
    "/graphs/plain",
    "/graphs/scope",
    "/graphs/costs",
    "/graphs/summary",
    "/datasets/train_jobs",
    "/datavisual/train-job-columns",
    "/datavisual/train-job-groups",
    "/datavisual/train-job-ids",
    "/datavisual/train-job-overview",
    "/datavisual/train-job-values",
    "/lineagemgr/diff",
    "/lineagemgr/lineage-columns",
    "/openapi.json",
    "/docs",
}


def rules(app: Flask, prefix: str) -> set[str]:
    found = (rule.rule for rule in app.url_map.iter_rules())
    return {
        re.sub(r"<\w+:", "<", rule.removeprefix(prefix))
        for rule in found
        if rule.startswith(f"{prefix}/")
    }


def test_the_contracts_routes_have_two_prefixes_and_ours_one(app: Flask) -> None:
    assert rules(app, "/v1/mindviz") == CONTRACT | OURS
    assert rules(app, "/v1/mindinsight") == CONTRACT


@pytest.mark.parametrize("before", ["", "/viz", "/lab/viz"])
def test_all_paths_start_with_the_configured_prefix(store: FakeStore, before: str) -> None:
    app = create_app(Config(Path("/data"), url_path_prefix=before), store)
    client = app.test_client()
    for path in ("/v1/mindviz/status", "/v1/mindinsight/ui-config", "/"):
        assert client.get(before + path).status_code == 200
        if before:
            assert client.get(path).status_code == 404


def test_a_plugin_that_cannot_be_loaded_is_an_error_at_startup(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise StartError("Plugin acme.best:PLUGIN cannot be loaded.")

    monkeypatch.setattr(app_module, "plugins", broken)
    with pytest.raises(StartError, match="acme"):
        create_app(Config(Path("/data")), store)


def test_two_apps_are_independent() -> None:
    experiments = [FakeStore("/logs/one"), FakeStore("/logs/two")]
    apps = [create_app(Config(Path("/logs")), store) for store in experiments]
    names = [app.test_client().get("/v1/mindviz/status").get_json()["name"] for app in apps]
    assert names == ["one", "two"]


class ReadStore(FakeStore):
    """Tells when a series is read."""

    def __init__(self) -> None:
        super().__init__()
        self.was_read = threading.Event()
        self.add("./a").append("loss", [1, 2], [0.5, 0.4])

    def read_scalars(self, *names: str, **options: object) -> ScalarTimeSeries:
        self.was_read.set()
        return super().read_scalars(*names, **options)  # type: ignore[arg-type]


def test_runs_of_directories_are_checked_without_a_request(tmp_path: Path) -> None:
    store = ReadStore()
    experiments = Experiments([ServedExperiment("", store)])
    ExperimentApps(Config(tmp_path, workspace=tmp_path), experiments).check()
    assert store.was_read.wait(30)
