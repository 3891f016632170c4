from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.declared_plugin import blobs_of
from mindviz.datavisual.plugins.graph import series, tags, values, view
from mindviz.datavisual.series import series_view
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import AnswerTooLarge, TagNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import tensorboard_pb2 as pb
from tests.store_fake import FakeStore
from tests.written_logs import loaded, write

GRAPH = pb.GraphDef(
    node=[pb.NodeDef(name="s/x", op="Const"), pb.NodeDef(name="y", op="Neg", input=["s/x"])]
)
KERAS = b'{"class_name": "Sequential", "config": {"layers": []}}'


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("logs")
    keras = tensorboard.strings_tensor("m", [KERAS], (), plugin_name="graph_keras_model")
    records = [
        tensorboard.graph_event(1.0, GRAPH.SerializeToString()),
        tensorboard.event(2.0, 0, [keras]),
    ]
    write(directory, "tfevents.1", frames(records, Framing.TFRECORD))
    return directory


def test_the_form_of_a_graph_is_shown() -> None:
    store = FakeStore()
    graphs = [LoggedGraph("visualdl", {}), LoggedGraph("tensorflow", None)]
    store.add("./a").add_values("graph", "g", [0, 1], graphs)
    seen = view(store, "./a", "g").whole()
    assert seen.columns["form"] == ["visualdl", "tensorflow"]
    assert seen.details == {"kind": "run"}


def test_tags_are_scoped_by_kind(logs: Path) -> None:
    store = loaded(logs)
    assert sorted(tags(store, "./")) == ["__model_graph__/m", "__run_graph__"]
    for tag in ("__model_graph__/m", "m"):
        seen = view(store, "./", tag).whole()
        assert (seen.columns["form"], seen.details) == (["keras"], {"kind": "conceptual"})
    with pytest.raises(TagNotFound):
        view(store, "./", "__op_graph__/m")


def test_the_data_of_a_graph_is_its_nodes_and_edges(logs: Path) -> None:
    (data,) = values(loaded(logs), "./", "__run_graph__").whole().columns["data"]
    assert data == {
        "nodes": [{"name": "x", "group": "s"}, {"name": "y", "group": ""}],
        "edges": [{"from": 0, "to": 1, "type": "data"}],
    }


def test_a_graph_is_a_sequence_of_one_blob(logs: Path) -> None:
    store = loaded(logs)
    (blob,) = blobs_of(series(store, "./", "__run_graph__").read(0))
    assert pb.GraphDef.FromString(blob) == GRAPH
    (blob,) = blobs_of(series(store, "./", "__model_graph__/m").read(0))
    assert blob == KERAS.replace(b" ", b"")


def test_nodes_and_edges_are_counted_not_their_names(
    logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = loaded(logs)
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 3)
    assert len(values(store, "./", "__run_graph__").whole().columns["data"]) == 1
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 2)
    with pytest.raises(AnswerTooLarge, match="series/<plugin_name>/blob has the bytes"):
        values(store, "./", "__run_graph__").whole()
