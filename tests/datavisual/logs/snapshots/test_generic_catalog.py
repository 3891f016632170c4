from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.datavisual.logs.snapshots.generic_catalog import GenericCatalog
from mindviz.datavisual.logs.snapshots.train_job_snapshot import TrainJobSnapshot
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.time_series import DataClass
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.sql_store import SqlStore
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2
from tests.imported_logs import imported
from tests.mindspore_graphs import graph, model
from tests.proto import tensorboard_pb2 as pb
from tests.written_logs import found_job, loaded, snapshot_of, write

VECTOR, NUMBER = np.zeros(3, np.float32), np.float32(1)
BLOBS, TENSOR = pb.DATA_CLASS_BLOB_SEQUENCE, pb.DATA_CLASS_TENSOR


def job(directory: Path, *values: bytes) -> TrainJobSnapshot:
    """A job whose only log has one value per step."""
    events = [tensorboard.event(1000.0 + step, step, [value]) for step, value in enumerate(values)]
    write(directory, "tfevents.1", frames(events, Framing.TFRECORD))
    found = found_job(directory)
    files = tuple(snapshot_of(Path(file.path)) for file in found.files)
    return TrainJobSnapshot(found, files, version=1, complete=True)


def findings(snapshot: TrainJobSnapshot) -> Sequence[Finding]:
    return snapshot.generic.findings(snapshot.files)


def test_series_without_values_are_a_finding(tmp_path: Path) -> None:
    snapshot = job(
        tmp_path,
        tensorboard.tensor("a", VECTOR, plugin_name="nobody"),
        tensorboard.tensor("b", VECTOR, plugin_name="nobody"),
        tensorboard.tensor("c", VECTOR),
        tensorboard.scalar_tensor("d", NUMBER, plugin_name=""),
        tensorboard.scalar("e", 1.0),
    )
    assert snapshot.generic.plugin_names == {"scalars"}
    reported = [(one.kind, one.path, one.detail) for one in findings(snapshot)]
    why = "without a data class: 2. They are not available over gRPC."
    assert reported == [
        (FindingKind.UNKNOWN_CLASS, "tfevents.1", f"Tags of no plugin {why}"),
        (FindingKind.UNKNOWN_CLASS, "tfevents.1", f"Tags of plugin 'nobody' {why}"),
    ]


def test_such_series_do_not_harm_a_job(tmp_path: Path) -> None:
    job(tmp_path, tensorboard.tensor("a", VECTOR))
    (info,) = loaded(tmp_path).list_train_jobs()
    assert [problem.kind for problem in info.problems] == [FindingKind.UNKNOWN_CLASS]
    assert info.is_integrity


@pytest.mark.parametrize(
    ("values", "lost"),
    [
        ([tensorboard.tensor("x", VECTOR, plugin_name="scalars")] * 2, 2),
        ([tensorboard.scalar_tensor("x", NUMBER, plugin_name="text")], 1),
        ([tensorboard.tensor("x", np.asarray(NUMBER), plugin_name="y", data_class=BLOBS)] * 3, 3),
    ],
)
def test_numbers_are_accepted_only_in_series_of_numbers(
    tmp_path: Path, values: Sequence[bytes], lost: int
) -> None:
    snapshot = job(tmp_path, *values)
    assert snapshot.generic.entries == {}
    (finding,) = findings(snapshot)
    assert finding.kind is FindingKind.BROKEN_CLASS
    assert finding.lost_records == lost
    assert f"{lost} of its values" in finding.detail


def test_a_series_lives_on_without_the_values_that_break_its_class(tmp_path: Path) -> None:
    snapshot = job(
        tmp_path,
        tensorboard.scalar_tensor("x", NUMBER),
        tensorboard.tensor("x", VECTOR, plugin_name="scalars"),
    )
    assert snapshot.generic.entries["scalars"]["x"].logged.is_scalar
    assert [finding.lost_records for finding in findings(snapshot)] == [1]


def test_only_one_of_scalars_and_tensors_of_a_tag_is_served(tmp_path: Path) -> None:
    snapshot = job(
        tmp_path,
        tensorboard.tensor("x", np.asarray(NUMBER), plugin_name="y", data_class=TENSOR),
        tensorboard.tensor("x", VECTOR, plugin_name="y", data_class=TENSOR),
    )
    assert snapshot.generic.entries["y"]["x"].series.metadata.data_class is DataClass.TENSOR
    assert len(findings(snapshot)) == 1


def test_a_catalog_is_made_once_for_equal_files(tmp_path: Path) -> None:
    before = job(tmp_path, tensorboard.scalar("x", 1.0))
    assert isinstance(before.generic, GenericCatalog)
    after = TrainJobSnapshot(before.found, before.files, version=2, complete=True)
    assert after.with_catalog_of(before).generic is before.generic
    assert after.without_columns().generic is before.generic


def test_one_of_several_graphs_is_the_runs_and_the_others_are_functions(
    tmp_path: Path,
) -> None:
    for name in ("ms_output_a.pb", "ms_output_b.pb"):
        network = graph([mindspore_pb2.NodeProto(name="1", op_type=name)])
        write(tmp_path / "logs", name, model(network))
    write(tmp_path / "logs", "x.out.events.summary.1000.h_MS", mindspore.version_event(1000.0))
    database = Database(str(tmp_path / "x.db"))
    imported(database, tmp_path / "logs")
    for provider in (
        StoreProvider.of(loaded(tmp_path / "logs")),
        StoreProvider.of(SqlStore(database)),
    ):
        run = blob(provider, "graphs", "__run_graph__")
        assert [node.op for node in pb.GraphDef.FromString(run).node] == ["ms_output_a.pb"]
        (tag,) = listed(provider, "graph_run_metadata_graph")
        assert tag == ("ms_output_b.pb", b"1")
        (function,) = pb.RunMetadata.FromString(
            blob(provider, "graph_run_metadata_graph", "ms_output_b.pb")
        ).function_graphs
        assert [node.op for node in function.pre_optimization_graph.node] == ["ms_output_b.pb"]
    database.close()


def listed(provider: DataProvider, plugin_name: str) -> Sequence[tuple[str, bytes]]:
    answer = provider.list_blob_sequences(
        RequestContext(), experiment_id="", plugin_name=plugin_name
    )
    return [(tag, series.summary_metadata.plugin_content) for tag, series in answer["./"].items()]


def blob(provider: DataProvider, plugin_name: str, tag: str) -> bytes:
    answer = provider.read_blob_sequences(
        RequestContext(), experiment_id="", plugin_name=plugin_name
    )
    ((reference,),) = answer["./"][tag].references
    return b"".join(provider.read_blob(RequestContext(), blob_key=reference.key).chunks())
