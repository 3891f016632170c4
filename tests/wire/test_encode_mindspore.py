from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire.proto import mindspore_pb2 as proto
from tests.lineage_logs import lineage_event
from tests.strategies import steps, tags, values, wall_times


@given(wall_time=wall_times(), step=steps(), tag=tags(), value=values())
def test_hand_packed_events_are_those_of_the_generated_classes(
    wall_time: float, step: int, tag: bytes, value: float
) -> None:
    packed = mindspore.event(wall_time, step, [mindspore.scalar(tag, value)])
    summary = proto.Summary(value=[proto.Summary.Value(tag=tag, scalar_value=value)])
    generated = proto.Event(wall_time=wall_time, step=step, summary=summary)
    # Compared as text, in which NaN equals NaN.
    assert str(proto.Event.FromString(packed)) == str(generated)


def test_the_first_event_names_the_version() -> None:
    event = proto.Event.FromString(mindspore.version_event(2.5))
    assert (event.wall_time, event.version) == (2.5, "MindSpore.Event:1")
    assert not event.HasField("step")


def test_a_graph_event_has_no_step() -> None:
    event = proto.Event.FromString(
        mindspore.graph_event(2.5, proto.GraphProto(name="net").SerializeToString())
    )
    assert event.graph_def.name == "net"
    assert not event.HasField("step")


def test_a_histogram_counts_everything_in_it() -> None:
    encoded = mindspore.histogram("h", [0, 1, 3], [4, 5], nan_count=2)
    histogram = proto.Summary.Value.FromString(encoded).histogram
    assert [(b.left, b.width, b.count) for b in histogram.buckets] == [(0, 1, 4), (1, 2, 5)]
    assert (histogram.count, histogram.nan_count, histogram.min, histogram.max) == (11, 2, 0, 3)


def test_tensors_are_written_as_mindspore_does_by_default() -> None:
    array = np.array([[1, 2]], np.int32)
    plain = proto.Summary.Value.FromString(mindspore.tensor("t", array)).tensor
    assert (list(plain.dims), plain.data_type) == ([1, 2], proto.DT_INT32)
    assert list(plain.float_data) == [1, 2]


@pytest.mark.parametrize(
    ("fact", "name"),
    [
        (proto.TrainLineage(), "train_lineage"),
        (proto.EvaluationLineage(metric="{}"), "evaluation_lineage"),
        (proto.DatasetGraph(), "dataset_graph"),
        (proto.UserDefinedInfo(), "user_defined_info"),
    ],
    ids=["train", "evaluation", "dataset", "user defined"],
)
def test_lineage_facts_are_in_their_fields(fact: proto.TrainLineage, name: str) -> None:
    event = proto.LineageEvent.FromString(lineage_event(2.5, fact))
    assert event.WhichOneof("what") == name
    assert getattr(event, name) == fact
