from __future__ import annotations

from mindviz.datavisual.plugins.run_metadata import PLUGIN
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.wire.proto import tensorboard_pb2 as pb
from tests.store_fake import FakeStore

view = PLUGIN.view


def _metadata(*devices: pb.DeviceStepStats) -> LoggedGraph:
    return LoggedGraph("run_metadata", pb.RunMetadata(step_stats=pb.StepStats(dev_stats=devices)))


def test_the_view_has_devices_nodes_and_their_time() -> None:
    node = pb.NodeExecStats(node_name="a", op_start_rel_micros=10, op_end_rel_micros=25)
    wrong = pb.NodeExecStats(node_name="b", op_start_rel_micros=7, op_end_rel_micros=0)
    devices = [
        pb.DeviceStepStats(device="/CPU:0", node_stats=[node, wrong]),
        pb.DeviceStepStats(device="/GPU:0", node_stats=[node]),
    ]
    store = FakeStore()
    logged = [_metadata(*devices), _metadata()]
    store.add("./a").add_values("run_metadata", "step", [3, 5], logged)
    seen = view(store, "./a", "step").whole()
    assert seen.columns["devices"] == [["/CPU:0", "/GPU:0"], []]
    assert (seen.columns["nodes"], seen.columns["micros"]) == ([3, 0], [30, 0])
    assert seen.columns["size"] == [[1], [1]]
