"""TensorBoard's questions over a real channel, and the traps that its client sets."""

from __future__ import annotations

import math
import re
from pathlib import Path

import grpc
import numpy as np
import pytest

from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.datavisual.payloads.tensor_message import tensorflow_tensor
from mindviz.datavisual.series.selection import Downsample
from mindviz.datavisual.series.series_query import RunTagFilter
from mindviz.datavisual.series.time_series import DataClass
from mindviz.rpc.run_names import run_name
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.data_provider_client import DataProviderClient, asking, series_request
from tests.proto import data_provider_pb2 as proto
from tests.provider_logs import LISTED, PLUGINS, SEQUENCES, TENSORS
from tests.written_logs import loaded, tensorboard_log, write

CONTEXT = RequestContext()
LISTS = {
    DataClass.SCALAR: "ListScalars",
    DataClass.TENSOR: "ListTensors",
    DataClass.BLOB_SEQUENCE: "ListBlobSequences",
}
READS = ["ReadScalars", "ReadTensors", "ReadBlobSequences"]
ALL = 10_000


def refusal(client: DataProviderClient, name: str, request: object) -> tuple[str, str]:
    """Status and message of a call that fails."""
    with pytest.raises(grpc.RpcError) as caught:
        client.call(name, request)  # type: ignore[arg-type]
    assert isinstance(caught.value, grpc.Call)
    return caught.value.code().name, caught.value.details() or ""


# The experiment -----------------------------------------------------------------------------------


@pytest.mark.parametrize("experiment_id", ["", "exp"])
def test_the_experiment_has_a_location(
    client: DataProviderClient, provider: DataProvider, experiment_id: str
) -> None:
    answer = client.call("GetExperiment", proto.GetExperimentRequest(experiment_id=experiment_id))
    info = provider.experiment(CONTEXT, experiment_id="")
    assert (answer.data_location, answer.name) == (info.data_location, "exp")
    assert info.creation_time is not None
    assert answer.creation_time.ToNanoseconds() / 1e9 == pytest.approx(info.creation_time)


def test_an_empty_experiment_has_no_creation_time(tmp_path: Path) -> None:
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        answer = client.call("GetExperiment", proto.GetExperimentRequest())
        assert answer.data_location == str(tmp_path)
        assert not answer.HasField("creation_time")
        assert list(client.call("ListRuns", proto.ListRunsRequest()).runs) == []


def test_an_unknown_experiment_is_not_found(client: DataProviderClient) -> None:
    for name in ("GetExperiment", "ListPlugins", "ListRuns"):
        request = getattr(proto, f"{name}Request")(experiment_id="other")
        assert refusal(client, name, request) == ("NOT_FOUND", "There is no experiment 'other'.")
    request = series_request("ListScalars", "scalars", experiment_id="other")
    assert refusal(client, "ListScalars", request)[0] == "NOT_FOUND"


def test_plugins_are_listed(client: DataProviderClient) -> None:
    answer = client.call("ListPlugins", proto.ListPluginsRequest())
    assert [plugin.name for plugin in answer.plugins] == PLUGINS


def test_runs_have_the_names_that_tensorboard_gives_them(
    client: DataProviderClient, provider: DataProvider
) -> None:
    answer = client.call("ListRuns", proto.ListRunsRequest())
    assert [(run.name, run.start_time) for run in answer.runs] == [
        (run_name(run.train_id), run.start_time)
        for run in provider.list_train_jobs(CONTEXT, experiment_id="")
    ]
    assert {".", "tb/all", "vdl", "ms"} <= {run.name for run in answer.runs}


def test_a_run_without_a_start_time_is_left_out(tmp_path: Path) -> None:
    write(tmp_path / "empty", "tfevents.1", b"")
    write(tmp_path / "full", "tfevents.1", tensorboard_log([(0, 1.0)], start=7.0))
    begun = frames([tensorboard.version_event(5.0)], Framing.TFRECORD)
    write(tmp_path / "begun", "tfevents.1", begun)
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        runs = client.call("ListRuns", proto.ListRunsRequest()).runs
        assert [(run.name, run.start_time) for run in runs] == [("begun", 5.0), ("full", 7.0)]


# Lists --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: " ".join(listed[:3]))
def test_series_are_listed_with_their_metadata(
    client: DataProviderClient, listed: tuple[str, str, str, DataClass, int, int, bytes]
) -> None:
    plugin_name, train_id, tag, data_class, max_step, max_length, content = listed
    run = run_name(train_id)
    for listed_class, name in LISTS.items():
        seen = client.ask(name, plugin_name, runs=[run], tags=[tag])
        if listed_class is not data_class:
            assert seen == {}
            continue
        metadata = seen[run][tag]
        assert metadata.max_step == max_step
        assert math.isfinite(metadata.max_wall_time)
        assert getattr(metadata, "max_length", 0) == max_length
        assert metadata.summary_metadata.plugin_data.plugin_name == plugin_name
        assert metadata.summary_metadata.plugin_data.content == content
        assert metadata.summary_metadata.data_class == list(DataClass).index(data_class)


def test_a_series_has_display_metadata(tmp_path: Path) -> None:
    log = frames(
        [
            tensorboard.event(
                1.0,
                0,
                [tensorboard.tensor("t", np.zeros((1, 3)), plugin_name="histograms")],
            ),
            tensorboard.event(2.0, 1, [tensorboard.scalar("v1", 1.0)]),
        ],
        Framing.TFRECORD,
    )
    write(tmp_path, "tfevents.1", log)
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        seen = client.ask("ListScalars", "scalars")["."]["v1"].summary_metadata
        assert seen.display_name == "v1"


@pytest.mark.parametrize("name", [*LISTS.values(), *READS])
def test_an_empty_filter_accepts_nothing(client: DataProviderClient, name: str) -> None:
    plugin_name = {"Scalars": "scalars", "Tensors": "text", "BlobSequences": "images"}[name[4:]]
    points = ALL if name in READS else None
    assert len(client.ask(name, plugin_name, points)) > 1
    assert client.ask(name, plugin_name, points, runs=[]) == {}
    assert client.ask(name, plugin_name, points, runs=["tb/all"]).keys() == {"tb/all"}
    empty = client.ask(name, plugin_name, points, tags=[])
    assert [tag for tags in empty.values() for tag in tags] == []


def test_unknown_names_in_a_filter_are_ignored(client: DataProviderClient) -> None:
    assert client.ask("ListScalars", "scalars", runs=["nobody", "./tb/all", "../.."]) == {}
    seen = client.ask("ReadScalars", "scalars", ALL, runs=["tb/all"], tags=["loss", "no such"])
    assert {run: [*tags] for run, tags in seen.items()} == {"tb/all": ["loss"]}
    assert client.ask("ListScalars", "no such plugin") == {}


# Values -------------------------------------------------------------------------------------------


def test_scalars_are_the_providers_as_float32(
    client: DataProviderClient, provider: DataProvider
) -> None:
    seen = client.ask("ReadScalars", "scalars", ALL)
    expected = provider.read_scalars(CONTEXT, experiment_id="", plugin_name="scalars")
    assert seen.keys() == {run_name(train_id) for train_id in expected}
    for train_id, tags in expected.items():
        for tag, columns in tags.items():
            data = seen[run_name(train_id)][tag]
            np.testing.assert_array_equal(data.step, columns.step)
            np.testing.assert_array_equal(data.wall_time, columns.wall_time)
            np.testing.assert_array_equal(data.value, columns.value.astype(np.float32))


def test_nan_and_numbers_beyond_float32_arrive(client: DataProviderClient, tmp_path: Path) -> None:
    data = client.ask("ReadScalars", "scalars", ALL, runs=["tb/all"], tags=["loss"])
    assert any(math.isnan(value) for value in data["tb/all"]["loss"].value)
    values = [1e300, -1e300, math.inf, -math.inf]
    events = [
        tensorboard.event(1.0, step, [tensorboard.scalar_tensor("x", np.float64(value))])
        for step, value in enumerate(values)
    ]
    write(tmp_path, "tfevents.1", frames(events, Framing.TFRECORD))
    with asking(StoreProvider.of(loaded(tmp_path))) as other:
        column = other.ask("ReadScalars", "scalars", ALL)["."]["x"].value
        assert list(column) == [math.inf, -math.inf, math.inf, -math.inf]


def test_steps_below_zero_arrive(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(-5, 1.0), (300, 2.0)]))
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        assert list(client.ask("ReadScalars", "scalars", ALL)["."]["loss"].step) == [-5, 300]


@pytest.mark.parametrize("points", [0, 1, 3, ALL])
def test_downsampling_keeps_the_last_point_and_what_the_provider_keeps(
    client: DataProviderClient, provider: DataProvider, points: int
) -> None:
    data = client.ask("ReadScalars", "scalars", points, runs=["tb/all"], tags=["loss"])
    expected = provider.read_scalars(
        CONTEXT,
        experiment_id="",
        plugin_name="scalars",
        run_tag_filter=RunTagFilter(frozenset(["./tb/all"]), frozenset(["loss"])),
        downsample=Downsample(points),
    )["./tb/all"]["loss"]
    assert list(data["tb/all"]["loss"].step) == expected.step.tolist()
    assert list(data["tb/all"]["loss"].step)[-1:] == ([100] if points else [])


def test_no_more_points_than_a_plugin_may_have(provider: DataProvider) -> None:
    with asking(provider, {"scalars": 2, "text": 0}) as client:
        seen = client.ask("ReadScalars", "scalars", ALL, runs=["tb/all"])["tb/all"]["loss"]
        assert len(seen.step) == 2
        assert len(client.ask("ReadScalars", "scalars", 1)["tb/all"]["loss"].step) == 1
        assert len(client.ask("ReadTensors", "text", ALL)["tb/all"]["t/rank0"].step) == 0
        assert len(client.ask("ReadTensors", "histograms", ALL)["tb/all"]["h/v1"].step) > 2


@pytest.mark.parametrize(("plugin_name", "train_id", "tag", "first"), TENSORS)
def test_tensors_arrive(
    client: DataProviderClient, plugin_name: str, train_id: str, tag: str, first: object
) -> None:
    data = client.ask("ReadTensors", plugin_name, ALL)[run_name(train_id)][tag]
    assert len(data.step) == len(data.wall_time) == len(data.value)
    assert tensorflow_tensor(data.value[0].SerializeToString()).data.tolist() == first


def test_hyperparameters_are_empty_tensors_with_metadata(
    client: DataProviderClient,
) -> None:
    runs = {"tb/all": "_hparams_/session_start_info", "vdl": "_hparams_/session_start_info"}
    for run, tag in runs.items():
        metadata = client.ask("ListTensors", "hparams")[run][tag].summary_metadata
        assert metadata.plugin_data.content[:1] == b"\x1a"  # SessionStartInfo
        data = client.ask("ReadTensors", "hparams", ALL)[run][tag]
        assert len(data.value) >= 1
        assert [dim.size for dim in data.value[0].tensor_shape.dim] == [0]


def test_an_invalid_value_is_left_out_alone(
    client: DataProviderClient,
) -> None:
    assert "broken/h" in client.ask("ListTensors", "histograms")["tb/declared"]
    seen = client.ask("ReadTensors", "histograms", ALL)
    assert len(seen["tb/declared"]["broken/h"].value) == 1
    assert len(seen["tb/all"]["h/v1"].value) > 1


# Blobs --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("plugin_name", "train_id", "tag", "blobs"), SEQUENCES)
def test_blobs_arrive_by_their_keys(
    client: DataProviderClient, plugin_name: str, train_id: str, tag: str, blobs: list[bytes]
) -> None:
    data = client.ask("ReadBlobSequences", plugin_name, ALL)[run_name(train_id)][tag]
    assert len(data.step) == len(data.wall_time) == len(data.values)
    keys = [reference.blob_key for reference in data.values[0].blob_refs]
    assert [client.blob(key) for key in keys] == blobs
    # They are part of URLs unchanged.
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", key) for key in keys)


def test_a_large_blob_is_sent_in_pieces(tmp_path: Path) -> None:
    image = b"\x89PNG" + bytes(range(256)) * 20_000
    event = tensorboard.event(1.0, 0, [tensorboard.image("i", [image], 2, 1)])
    write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        data = client.ask("ReadBlobSequences", "images", 1)["."]["i"]
        key = data.values[0].blob_refs[2].blob_key
        pieces = client.call("ReadBlob", proto.ReadBlobRequest(blob_key=key))
        assert len(pieces) > 1
        assert b"".join(piece.data for piece in pieces) == image


@pytest.mark.parametrize("key", ["", "x", "../../etc/passwd", "AAAA", "é", "a" * 100_000])
def test_a_key_of_no_blob_is_not_found(client: DataProviderClient, key: str) -> None:
    request = proto.ReadBlobRequest(blob_key=key)
    assert refusal(client, "ReadBlob", request) == ("NOT_FOUND", "There is no blob with this key.")


def test_a_damaged_blob_is_not_found_with_a_reason(tmp_path: Path) -> None:
    image = b"\x89PNG" + bytes(200_000)
    event = tensorboard.event(1.0, 0, [tensorboard.image("i", [image], 2, 1)])
    log = bytearray(frames([event], Framing.TFRECORD))
    log[len(log) // 2] ^= 1
    write(tmp_path, "tfevents.1", bytes(log))
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        data = client.ask("ReadBlobSequences", "images", 1)["."]["i"]
        request = proto.ReadBlobRequest(blob_key=data.values[0].blob_refs[2].blob_key)
        status, message = refusal(client, "ReadBlob", request)
    assert (status, message) == ("NOT_FOUND", "The record fails its checksum.")


# Requests that make no sense ----------------------------------------------------------------------


@pytest.mark.parametrize("name", READS)
def test_downsampling_must_be_requested(client: DataProviderClient, name: str) -> None:
    status, message = refusal(client, name, series_request(name, "scalars"))
    assert (status, "downsample" in message) == ("INVALID_ARGUMENT", True)


@pytest.mark.parametrize("name", READS)
def test_a_negative_number_of_points_is_refused(client: DataProviderClient, name: str) -> None:
    status, message = refusal(client, name, series_request(name, "scalars", -1))
    assert (status, "-1" in message) == ("INVALID_ARGUMENT", True)


def test_a_huge_number_of_points_means_all(client: DataProviderClient) -> None:
    seen = client.ask("ReadScalars", "scalars", (1 << 63) - 1, runs=["tb/all"])
    assert len(seen["tb/all"]["loss"].step) == 10


@pytest.mark.parametrize("name", [*LISTS.values(), *READS])
def test_a_request_without_a_plugin_is_refused(client: DataProviderClient, name: str) -> None:
    kind = getattr(proto, f"{name}Request")
    for request in (kind(), kind(plugin_filter=proto.PluginFilter())):
        status, message = refusal(client, name, request)
        assert (status, "plugin" in message) == ("INVALID_ARGUMENT", True)


@pytest.mark.parametrize("name", ["GetExperiment", "ListRuns", "ReadScalars", "ReadBlob"])
def test_invalid_request_bytes_are_refused(client: DataProviderClient, name: str) -> None:
    status, message = refusal(client, name, b"\xff\xff\xff")
    assert (status, message) == ("INVALID_ARGUMENT", f"The request is not a {name}Request.")


# Several experiments ------------------------------------------------------------------------------


def test_ids_distinguish_several_experiments(tmp_path: Path) -> None:
    served = []
    for name, start in (("one", 10.0), ("two", 20.0)):
        log = tensorboard_log([(0, start), (1, start)], start=start)
        image = frames(
            [tensorboard.event(start, 0, [tensorboard.image("i", [name.encode()], 1, 1)])],
            Framing.TFRECORD,
        )
        write(tmp_path / name / "run", "tfevents.1", log + image)
        served.append(ServedExperiment(name, loaded(tmp_path / name)))
    with asking(StoreProvider(Experiments(served))) as client:
        for experiment_id, name, start in (("", "one", 10), ("one", "one", 10), ("two", "two", 20)):
            requested = proto.GetExperimentRequest(experiment_id=experiment_id)
            assert client.call("GetExperiment", requested).data_location == str(tmp_path / name)
            data = client.ask("ReadScalars", "scalars", ALL, experiment_id=experiment_id)
            assert list(data["run"]["loss"].value) == [start, start]
            images = client.ask("ReadBlobSequences", "images", ALL, experiment_id=experiment_id)
            key = images["run"]["i"].values[0].blob_refs[2].blob_key
            assert client.blob(key) == name.encode()
        request = series_request("ReadScalars", "scalars", 1, experiment_id="three")
        assert refusal(client, "ReadScalars", request)[0] == "NOT_FOUND"
