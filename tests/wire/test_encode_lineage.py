from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire.encode_lineage import (
    TrainLineage,
    dataset_graph,
    train_lineage,
    user_defined_info,
)
from mindviz.wire.proto import mindspore_pb2 as proto

PLAIN = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=5)
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=10,
)
KEYS = st.one_of(st.sampled_from(["children", "operations", "sampler"]), st.text(max_size=9))


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_any_dataset_description_becomes_a_message(dataset: dict[str, object]) -> None:
    proto.DatasetGraph.FromString(dataset_graph(dataset))


@given(
    st.dictionaries(
        st.text(), st.one_of(st.text(), st.floats(allow_nan=False), st.integers(-(2**31), 2**31))
    )
)
def test_user_defined_facts_round_trip(values: dict[str, str | float]) -> None:
    message = proto.UserDefinedInfo.FromString(user_defined_info(values))
    found: dict[str, str | float] = {}
    for info in message.user_info:
        for one in (info.map_str, info.map_int32, info.map_double):
            found.update(one)
    assert found == {name.encode(errors="replace").decode(): v for name, v in values.items()}


def test_zero_differs_from_missing() -> None:
    lineage = proto.TrainLineage.FromString(train_lineage(TrainLineage(epoch=0, learning_rate=0.0)))
    assert lineage.hyper_parameters.HasField("epoch")
    assert lineage.hyper_parameters.HasField("learning_rate")
    assert not lineage.hyper_parameters.HasField("batch_size")
