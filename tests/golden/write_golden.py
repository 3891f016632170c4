"""Writes the logs in `written/`: `python -m tests.golden.write_golden`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2
from tests.encoded_values import (
    histogram_v1,
    listed_tensor,
    mindspore_tensor,
    visualdl_audio,
    visualdl_text,
)
from tests.lineage_logs import lineage_event

START = 1_700_000_000.0
STEPS = 20

PNG = bytes.fromhex(
    "89504e470d0a1a0a"  # signature
    "0000000d49484452000000030000000208020000001216f14d"  # IHDR: 3 x 2, RGB
    "0000001d4944415478da63606038c110708261c1098614861329012752169c0000404c07bd"  # IDAT
    "e6e666ce0000000049454e44ae426082"  # its checksum, IEND
)

EDGES = [-1.0, 0.0, 0.5, 2.0]
COUNTS = [4, 0, 3]


def losses() -> list[float]:
    """1, 1/2, 1/3 ... with a NaN and both infinities."""
    values = [1 / (step + 1) for step in range(STEPS)]
    values[7], values[8], values[9] = math.nan, math.inf, -math.inf
    return values


def kernel(step: int) -> NDArray[np.float32]:
    """Shape (2, 3): step, step + 0.5 ..."""
    return np.array([[0, 0.5, 1], [1.5, 2, 2.5]], np.float32) + np.float32(step)


def mindspore_log() -> bytes:
    """Scalars in every step; the other kinds in steps 0, 5, 10, 15."""
    events = [mindspore.version_event(START)]
    graph = mindspore_pb2.GraphProto(name="net")
    graph.node.add(name="1", op_type="Conv2D", scope="Default", full_name="Default/conv1-Conv2D")
    events.append(mindspore.graph_event(START + 0.5, graph.SerializeToString()))
    for step, loss in enumerate(losses()):
        values = [mindspore.scalar("loss", loss), mindspore.scalar("lr/组", 0.25)]
        if step % 5 == 0:
            values += [
                mindspore.image("input", PNG, 3, 2),
                mindspore.tensor("kernel", kernel(step)),
                mindspore_tensor(
                    b"count", mindspore_pb2.DT_INT64, 3, int64_data=[2**40, 2**40 + 1, 2**40 + 2]
                ),
                mindspore_tensor(
                    b"brain", mindspore_pb2.DT_BFLOAT16, 2, raw_data=b"\x80\x3f\x00\xc0"
                ),
                mindspore.histogram("weights", EDGES, COUNTS, nan_count=1),
            ]
        events.append(mindspore.event(START + 1 + step, step, values))
    return frames(events, Framing.TFRECORD)


def mindspore_lineage_log() -> bytes:
    """Two facts."""
    train = mindspore_pb2.TrainLineage()
    train.hyper_parameters.optimizer = "Adam"
    train.hyper_parameters.learning_rate = 0.125
    train.algorithm.network = "LeNet5"
    own = mindspore_pb2.UserDefinedInfo()
    own.user_info.add().map_str["author"] = "somebody"
    events = [
        lineage_event(START + 30, train),
        lineage_event(START + 31, own),
    ]
    return frames(events, Framing.TFRECORD)


def tensorboard_log() -> bytes:
    """Every kind in both of its spellings; a restart at step 15, from step 10."""
    events = [tensorboard.version_event(START), tensorboard.graph_event(START + 0.5, b"\n\0")]
    for step, loss in enumerate(losses()[:15]):
        events.append(tensorboard.event(START + 1 + step, step, [tensorboard.scalar("loss", loss)]))
        if step % 5 == 0:
            values = [
                tensorboard.scalar_tensor("accuracy", np.float32(step / 16)),
                listed_tensor("seen", np.array(2**40 + step), "scalars"),
                tensorboard.scalar(b"bytes\xff", 1.0),
                tensorboard.image_v1("input", PNG, 3, 2),
                tensorboard.image("batch", [PNG, PNG], 3, 2),
                histogram_v1("gradients", EDGES, COUNTS),
                tensorboard.histogram("weights", EDGES, COUNTS),
                tensorboard.tensor("kernel", kernel(step)),
                listed_tensor("ones", np.array([1.5], np.float16)),
                tensorboard.text("note", "*hello*"),
                tensorboard.audio("tone", [b"RIFF....WAVE"]),
                tensorboard.audio_v1("tone1", b"RIFF....WAVE", 8000, 1, 4),
            ]
            events.append(tensorboard.event(START + 1 + step, step, values))
    events.append(tensorboard.session_event(START + 100, 10))
    for step in range(10, STEPS):
        value = tensorboard.scalar("loss", 0.125)
        events.append(tensorboard.event(START + 100 + step, step, [value]))
    return frames(events, Framing.TFRECORD)


def visualdl_log() -> bytes:
    """Scalars, sub-tags, and in steps 0, 5, 10, 15 the other kinds."""
    records = [visualdl.meta(START, "A golden run")]
    for step, loss in enumerate(losses()):
        wall_time = START + 1 + step
        records.append(visualdl.scalar(wall_time, step, "loss", loss))
        records.append(visualdl.sub_scalar(wall_time, step, "iou", "road", step / 32))
        records.append(visualdl.sub_scalar(wall_time, step, "iou", "tree", step / 64))
        if step % 5 == 0:
            records.append(visualdl.image(wall_time, step, "input", PNG))
            records.append(visualdl.histogram(wall_time, step, "weights", EDGES, COUNTS))
            records.append(visualdl_text(wall_time, step, "note", "*hello*"))
            records.append(visualdl_audio(wall_time, step, "tone", b"RIFF....WAVE", 8000))
    return frames(records, Framing.LENGTH_PREFIXED)


WRITTEN = {
    "mindspore/events.out.events.summary.1700000000.0.golden_MS": mindspore_log,
    "mindspore/events.out.events.summary.1700000000.0.golden_lineage": mindspore_lineage_log,
    "tensorboard/events.out.tfevents.1700000000.golden.1.0": tensorboard_log,
    "visualdl/vdlrecords.1700000000.log": visualdl_log,
}
"""File below `written/` -> function that returns its bytes."""


def main() -> None:
    """Write all of them."""
    for path, write in WRITTEN.items():
        file = Path(__file__).parent / "written" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(write())


if __name__ == "__main__":
    main()
