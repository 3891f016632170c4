"""TensorBoard 2.21 with mindviz as its data provider."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindviz.datavisual.generic.data_provider import StoreProvider
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.rpc.data_provider_service import SERVICE_NAME, DataProviderService
from mindviz.rpc.grpc_server import serving
from mindviz.rpc.tensor_encoding import tensor_message
from tests.mindviz_process import wait_until
from tests.peers.tensorboard_comparison import mistakes
from tests.peers.tensorboard_differences import FLOAT32, RESTART, differences
from tests.peers.tensorboard_logs import STEPS, write_logs
from tests.peers.tensorboard_pages import answers
from tests.peers.tensorboard_servers import (
    TensorBoard,
    with_data_server,
    with_mindviz,
    with_provider,
)
from tests.provider_logs import write_provider_logs
from tests.written_logs import loaded

GOLDEN = Path(__file__).parents[1] / "golden" / "real"
SAMPLES = Path(__file__).parents[3] / "shared" / "samples"

COMPARE_MESSAGES = """
from tensorboard.data.proto import data_provider_pb2 as theirs
from tests.proto import data_provider_pb2 as ours

def form(message):
    return [(field.number, field.name, field.type, field.is_repeated) for field in message.fields]

def compare(one, other):
    assert {*one} == {*other}
    for name, message in one.items():
        assert form(message) == form(other[name]), name
        compare(message.nested_types_by_name, other[name].nested_types_by_name)

compare(theirs.DESCRIPTOR.message_types_by_name, ours.DESCRIPTOR.message_types_by_name)
(service,) = theirs.DESCRIPTOR.services_by_name.values()
print(service.full_name, *(method.name for method in service.methods))
"""

DECODE = """
import sys
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.util.tensor_util import make_ndarray
for line in sys.stdin:
    array = make_ndarray(TensorProto.FromString(bytes.fromhex(line.strip())))
    print(array.dtype, array.shape, array.tolist())
"""


ASK = """
import sys
import grpc
from tensorboard import errors
from tensorboard.data.grpc_provider import GrpcDataProvider, make_stub
from tensorboard.data.provider import RunTagFilter

address = sys.stdin.readline().strip()
channel = grpc.secure_channel(address, grpc.local_channel_credentials())
provider = GrpcDataProvider(address, make_stub(channel))
asked = dict(experiment_id="", plugin_name="scalars")
for given in (
    None,
    RunTagFilter(),
    RunTagFilter(runs=[]),
    RunTagFilter(tags=[]),
    RunTagFilter(runs=["resumed", "nobody"]),
    RunTagFilter(runs=["all"], tags=["extremes", "nothing"]),
):
    found = provider.list_scalars(None, run_tag_filter=given, **asked)
    read = provider.read_scalars(None, downsample=5, run_tag_filter=given, **asked)
    print({run: sorted(tags) for run, tags in sorted(found.items())})
    assert {run for run, tags in read.items() if tags} == found.keys()
last = provider.read_last_scalars(None, run_tag_filter=RunTagFilter(runs=["resumed"]), **asked)
print(last["resumed"]["loss"].step)
for wrong in (
    lambda: provider.read_scalars(None, downsample=-1, **asked),
    lambda: provider.read_blob(None, blob_key="AAAA"),
    lambda: provider.list_runs(None, experiment_id="other"),
):
    try:
        wrong()
    except errors.PublicError as error:
        print(error.http_code, error)
"""


def peer(code: str, lines: str = "") -> str:
    """What a program prints that runs in TensorBoard's environment."""
    result = subprocess.run(
        [os.environ["MINDVIZ_PEER_PYTHON"], "-c", code],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_service_has_tensorboards_calls(tmp_path: Path) -> None:
    name, *calls = peer(COMPARE_MESSAGES).split()
    service = DataProviderService(StoreProvider.of(loaded(tmp_path)))
    assert name == SERVICE_NAME
    assert {*calls} == {*service.answers, *service.streams}


def test_their_client_decodes_every_tensor_that_is_sent() -> None:
    names = ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16"]
    tensors = [np.ones(shape, name) for name in names for shape in ((), (1,), (2, 2), (0,), (2, 0))]
    for shape in ((), (1,), (3, 2), (0, 2)):
        strings = np.empty(shape, object)
        strings.fill(b"ab\xff")
        tensors.append(strings)
    encoded = [tensor_message(tensor) for tensor in tensors]
    lines = "\n".join(one.hex() for one in encoded if one is not None)
    for tensor, seen in zip(tensors, peer(DECODE, lines).splitlines(), strict=True):
        dtype = "int64" if tensor.dtype in ("u4", "u8") and not tensor.size else tensor.dtype
        assert seen == f"{dtype} {tensor.shape} {tensor.tolist()}"


def test_tensorboards_client_filters_and_gets_error_messages(
    tmp_path: Path,
) -> None:
    write_logs(tmp_path)
    service = DataProviderService(StoreProvider.of(loaded(tmp_path)))
    with serving(service, "127.0.0.1", 0) as port:
        everything, all_of_it, *lines = peer(ASK, f"localhost:{port}\n").splitlines()
    assert everything == all_of_it
    assert everything.startswith("{'.': ['loss'], 'all': ['accuracy', ")
    # A set without names is none, not all.
    assert lines[:2] == ["{}", "{}"]
    assert lines[2:5] == ["{'resumed': ['loss']}", "{'all': ['extremes']}", "11"]
    assert [line.partition(" ")[0] for line in lines[5:]] == ["400", "404", "404"]


def test_every_page_equals_that_of_tensorboards_own_reader(tmp_path: Path) -> None:
    write_logs(tmp_path)
    wrong, meant, requested = mistakes(tmp_path)
    assert [str(difference) for difference in wrong] == []
    assert requested > 150
    # What is meant was met, so it is not a name for nothing.
    assert {*meant} == {FLOAT32, RESTART}


@pytest.mark.parametrize("logs", ["golden", "tensorboard", "real/tensorboard"])
def test_logs_of_trainings_are_shown_alike(logs: str, tmp_path: Path) -> None:
    directory = SAMPLES / logs
    if logs == "golden":
        directory = tmp_path
        for log in (GOLDEN / "tensorboard").iterdir():
            (tmp_path / log.name[-6:]).mkdir()
            shutil.copy(log, tmp_path / log.name[-6:])
    elif not directory.is_dir():
        pytest.skip(f"there are no logs in {directory}")
    wrong, _, requested = mistakes(directory)
    assert [str(difference) for difference in wrong] == []
    assert requested > 10


def test_a_database_is_shown_like_the_logs_that_were_imported(tmp_path: Path) -> None:
    write_logs(tmp_path / "logs")
    with with_mindviz(tmp_path / "logs") as server:
        of_logs = answers(server)
    database = Database(str(tmp_path / "db"))
    try:
        Importer(database, ImportOptions(tmp_path / "logs", "first")).run()
        with with_provider(StoreProvider.of(SqlStore(database))) as server:
            of_database = answers(server)
    finally:
        database.close()
    assert [str(one) for one in differences(of_logs, of_database)] == []


def golden(directory: Path, name: str) -> Path:
    """A directory with one train job of a format."""
    shutil.copytree(GOLDEN / name, directory / "job")
    return directory


def shown(requested: dict[str, Any]) -> set[str]:
    """Questions about series that have an answer with something in it; none may have failed."""
    failed = {
        question for question, answer in requested.items() if str(answer).startswith("status")
    }
    # TensorBoard has no answer where a session lacks another's metric.
    failed -= {question for question in failed if question.startswith("hparams/metric_evals")}
    assert failed == set()
    return {
        question.split()[0]
        for question, answer in requested.items()
        if answer and not question.endswith(("tags", "runs", "info", "layout", "listing"))
    }


@pytest.fixture
def mindspore(tmp_path: Path) -> Iterator[TensorBoard]:
    with with_mindviz(golden(tmp_path, "mindspore")) as server:
        yield server


@pytest.fixture
def visualdl(tmp_path: Path) -> Iterator[TensorBoard]:
    write_provider_logs(tmp_path / "all")
    (tmp_path / "logs").mkdir()
    (tmp_path / "all" / "vdl").rename(tmp_path / "logs" / "every kind")
    with with_mindviz(golden(tmp_path / "logs", "visualdl")) as server:
        yield server


def test_logs_of_mindspore_are_shown(mindspore: TensorBoard) -> None:
    requested = answers(mindspore)
    assert requested["runs"] == ["job"]
    assert shown(requested) >= {
        *("scalars/scalars", "timeseries/timeSeries", "images/images", "histograms/histograms"),
        *("distributions/distributions", "graphs/graph"),
        *("hparams/experiment", "hparams/session_groups", "hparams/download_data"),
    }
    assert requested["plugins_listing"]["hparams"]
    (group,) = requested["hparams/session_groups"]["sessionGroups"]
    assert "learning_rate" in group["hparams"]


def test_logs_of_visualdl_are_shown(visualdl: TensorBoard) -> None:
    requested = answers(visualdl)
    assert {*requested["runs"]} == {"job", "every kind"}
    assert shown(requested) >= {
        *("scalars/scalars", "timeseries/timeSeries", "images/images", "histograms/histograms"),
        *("distributions/distributions", "audio/audio", "text/text", "pr_curves/pr_curves"),
        *("hparams/experiment", "hparams/session_groups"),
    }
    assert "lr" in {info["name"] for info in requested["hparams/experiment"]["hparamInfos"]}


def test_tensorboard_accepts_it_as_its_data_server(tmp_path: Path) -> None:
    write_logs(tmp_path / "logs")
    golden(tmp_path / "logs" / "more", "mindspore")
    with with_data_server(tmp_path / "logs", tmp_path) as server:
        wait_until(lambda: "more/job" in server.json("runs"), "the runs")
        points = wait_until(
            lambda: server.json("plugin/scalars/scalars", run="all", tag="loss/old"), "points"
        )
        assert [step for _, step, _ in points] == list(STEPS)
        environment = server.json("environment")
        assert environment["data_location"] == str(tmp_path / "logs")


def test_a_bad_logdir_ends_tensorboard_with_our_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with (
        pytest.raises(RuntimeError, match="is a file: use its directory"),
        with_data_server(tmp_path / "file", tmp_path),
    ):
        pass


def test_invalid_requests_are_no_server_errors(mindspore: TensorBoard) -> None:
    questions = [
        ("scalars/scalars", {"run": "nobody", "tag": "loss"}),
        ("scalars/scalars", {"run": "job", "tag": "nothing"}),
        ("images/individualImage", {"blob_key": "AAAA"}),
        ("images/individualImage", {"blob_key": "../../etc/passwd"}),
        ("timeseries/imageData", {"imageId": "x"}),
    ]
    for route, query in questions:
        status, _ = mindspore.ask(f"plugin/{route}", **query)
        assert status in (400, 404), (route, query)
