"""One base dir with every kind of series in three formats, and the expected contents.

Jobs: `./`, with only scalars and restarted at step 3; `./tb/all` and `./tb/declared` (TensorBoard),
`./vdl` (VisualDL), `./ms` (MindSpore).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf.message import Message

from mindviz.datavisual.series.time_series import DataClass
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import delimited, double_field, frames, varint_field
from mindviz.wire.framing import Framing
from mindviz.wire.proto import mindspore_pb2
from tests.encoded_values import histogram_v1, visualdl_audio, visualdl_text
from tests.proto import tensorboard_pb2 as proto
from tests.proto import visualdl_pb2
from tests.written_logs import tensorboard_log, write

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000002000000010802000000")
"""The beginning of an image of 2 x 1 pixels; nothing here reads more."""
WAV = b"RIFF\x04\x00\x00\x00WAVE"
STEPS = tuple(range(10, 110, 10))
START = 1_700_000_000.0
"""Wall time of step 0; a second per step."""
GRAPH = proto.GraphDef(node=[proto.NodeDef(name="x", op="Add")])
MADE_GRAPH = proto.GraphDef(node=[proto.NodeDef(name="Conv2D-op1", op="Conv2D")])
"""The same image as generic clients get it from MindSpore logs."""
RUN_METADATA = proto.RunMetadata(step_stats=proto.StepStats())
RUN_METADATA_STEPS = (("first", 1), ("second", 2), ("first", 3))
HISTOGRAM_EDGES, HISTOGRAM_COUNTS = [0.0, 1.0, 2.0], [3, 4]
LAYOUT = delimited(2, delimited(1, b"losses"))
CURVE = np.arange(12, dtype=np.float32).reshape(6, 2)


SCALAR, TENSOR, BLOBS = DataClass.SCALAR, DataClass.TENSOR, DataClass.BLOB_SEQUENCE
TB, DECLARED, VISUALDL, MINDSPORE = "./tb/all", "./tb/declared", "./vdl", "./ms"

PLUGINS = [
    *("audio", "audio_labels", "custom_scalars"),
    *("embedding", "embedding_labels", "embedding_sprites"),
    *("graph_keras_model", "graph_tagged_run_metadata", "graphs"),
    *("histogram_non_finite", "histograms", "hparams", "images"),
    *("inv_blob", "inv_scalar", "inv_tensor"),
    *("mesh", "mindspore_graph", "pr_curves", "roc_curves", "scalars", "tensors", "text"),
]

LISTED = [
    # plugin, train job, tag, class, last step, longest sequence, the plugin's own metadata
    ("scalars", "./", "loss", SCALAR, 4, 0, b""),
    ("scalars", TB, "loss", SCALAR, 100, 0, b""),
    ("scalars", TB, "acc", SCALAR, 100, 0, b""),
    ("scalars", VISUALDL, "acc", SCALAR, 20, 0, b""),
    ("scalars", MINDSPORE, "loss", SCALAR, 20, 0, b""),
    ("histograms", TB, "h/v1", TENSOR, 100, 0, b""),
    ("histograms", TB, "h/v2", TENSOR, 100, 0, b""),
    ("histograms", VISUALDL, "h", TENSOR, 20, 0, b""),
    ("histograms", MINDSPORE, "h", TENSOR, 20, 0, b""),
    ("images", TB, "i/v1", BLOBS, 100, 3, b"\x10\x01"),
    ("images", TB, "i/v2", BLOBS, 100, 4, b""),
    ("images", VISUALDL, "i", BLOBS, 20, 3, b"\x10\x01"),
    ("images", MINDSPORE, "i", BLOBS, 20, 3, b"\x10\x01"),
    ("audio", TB, "a/v1", BLOBS, 100, 1, b"\x10\x0b\x18\x01"),
    ("audio", TB, "a/v2", BLOBS, 100, 2, b""),
    ("audio_labels", TB, "a/v2", TENSOR, 100, 0, b""),
    ("audio", VISUALDL, "a", BLOBS, 20, 1, b"\x10\x0b\x18\x01"),
    ("text", TB, "t/rank0", TENSOR, 100, 0, b""),
    ("text", TB, "t/rank2", TENSOR, 100, 0, b""),
    ("text", VISUALDL, "t", TENSOR, 20, 0, b""),
    ("pr_curves", TB, "pr", TENSOR, 100, 0, b"\x10\x02"),
    ("pr_curves", VISUALDL, "pr", TENSOR, 20, 0, b"\x10\x02"),
    ("roc_curves", VISUALDL, "roc", TENSOR, 20, 0, b""),
    ("mesh", TB, "m_VERTEX", TENSOR, 100, 0, b"m"),
    ("mesh", TB, "m_FACE", TENSOR, 100, 0, b""),
    ("mesh", TB, "m_COLOR", TENSOR, 100, 0, b""),
    ("custom_scalars", TB, "custom_scalars__config__", TENSOR, 100, 0, b""),
    ("hparams", TB, "_hparams_/session_start_info", TENSOR, 100, 0, b"\x1a\x00"),
    ("graphs", TB, "__run_graph__", BLOBS, 0, 1, b""),
    ("graphs", MINDSPORE, "__run_graph__", BLOBS, 0, 1, b""),
    ("graph_tagged_run_metadata", TB, "first", BLOBS, 3, 1, b""),
    ("graph_tagged_run_metadata", TB, "second", BLOBS, 2, 1, b""),
    ("graph_keras_model", TB, "keras", BLOBS, 100, 1, b""),
    ("embedding", VISUALDL, "feat", TENSOR, 0, 0, b""),
    ("embedding_labels", VISUALDL, "feat", TENSOR, 0, 0, b""),
    ("embedding", TB, "points", TENSOR, 20, 0, b""),
    ("embedding_labels", TB, "points", TENSOR, 10, 0, b""),
    ("embedding_sprites", TB, "points", TENSOR, 10, 0, b""),
    ("tensors", MINDSPORE, "t", TENSOR, 20, 0, b""),
    ("histogram_non_finite", MINDSPORE, "h", TENSOR, 20, 0, b""),
    ("inv_scalar", DECLARED, "s", SCALAR, 30, 0, b""),
    ("inv_tensor", DECLARED, "t", TENSOR, 30, 0, b""),
    ("inv_tensor", DECLARED, "t0", TENSOR, 30, 0, b""),
    ("inv_blob", DECLARED, "b", BLOBS, 30, 2, b""),
]

HISTOGRAM = [[0.0, 1.0, 3.0], [1.0, 2.0, 4.0]]
TENSORS: list[tuple[str, str, str, Any]] = [
    # plugin, train job, tag, the first value
    ("histograms", TB, "h/v1", HISTOGRAM),
    ("histograms", TB, "h/v2", HISTOGRAM),
    ("histograms", VISUALDL, "h", HISTOGRAM),
    ("histograms", MINDSPORE, "h", HISTOGRAM),
    ("histogram_non_finite", MINDSPORE, "h", [1, 0, 0]),
    ("audio_labels", TB, "a/v2", [b"first", b"second"]),
    ("text", TB, "t/rank0", b"step 10"),
    ("text", TB, "t/rank2", [[b"a", b"b"]]),
    ("text", VISUALDL, "t", b"*text*"),
    ("pr_curves", TB, "pr", CURVE.tolist()),
    ("pr_curves", VISUALDL, "pr", [[4, 2], [2, 0], [0, 2], [0, 2], [0.5, 1], [1, 0.5]]),
    ("roc_curves", VISUALDL, "roc", [[4, 2], [2, 0], [0, 2], [0, 2], [1, 0.5], [1, 0]]),
    ("mesh", TB, "m_FACE", [[[0, 0, 0], [0, 0, 0]]]),
    ("custom_scalars", TB, "custom_scalars__config__", LAYOUT),
    ("hparams", TB, "_hparams_/session_start_info", []),
    ("hparams", VISUALDL, "_hparams_/experiment", []),
    ("embedding", VISUALDL, "feat", [[1.0, 2.0], [1.0, 2.0]]),
    ("embedding_labels", VISUALDL, "feat", [[b"name"], [b"a"], [b"b"]]),
    ("embedding", TB, "points", [[1.0, 2.0], [3.0, 4.0]]),
    ("embedding_labels", TB, "points", [[b"label"], [b"a"], [b"b"]]),
    ("embedding_sprites", TB, "points", [b"2", b"1", PNG]),
    ("tensors", MINDSPORE, "t", [[10.0, 10.0], [10.0, 10.0]]),
    ("inv_tensor", DECLARED, "t", [[10], [10]]),
    ("inv_tensor", DECLARED, "t0", 10.0),
]

SEQUENCES = [
    # plugin, train job, tag, the blobs of the first value
    ("images", TB, "i/v1", [b"2", b"1", PNG + b"10"]),
    ("images", TB, "i/v2", [b"2", b"1", PNG, PNG + b"10"]),
    ("images", VISUALDL, "i", [b"2", b"1", PNG]),
    ("images", MINDSPORE, "i", [b"2", b"1", PNG]),
    ("audio", TB, "a/v1", [WAV]),
    ("audio", TB, "a/v2", [WAV, WAV + b"2"]),
    ("audio", VISUALDL, "a", [WAV]),
    ("graphs", TB, "__run_graph__", [GRAPH.SerializeToString()]),
    ("graphs", MINDSPORE, "__run_graph__", [MADE_GRAPH.SerializeToString()]),
    ("graph_tagged_run_metadata", TB, "second", [RUN_METADATA.SerializeToString()]),
    ("graph_keras_model", TB, "keras", [b'{"class_name": "Model"}']),
    ("inv_blob", DECLARED, "b", [b"one", b""]),
]


def value_of(step: int) -> float:
    """Of the scalar series `loss`: NaN at 50, falling."""
    return float("nan") if step == 50 else 100.0 - step


def write_provider_logs(directory: Path) -> None:
    """Write all of it."""
    before, after = [(1, 0.5), (2, 0.25), (3, 0.125)], [(3, 9.0), (4, 8.0)]
    write(directory, "tfevents.1", tensorboard_log(before, start=START - 20))
    write(directory, "tfevents.2", tensorboard_log(after, start=START - 10))
    write(directory / "tb" / "all", "tfevents.1", _tensorboard_log())
    _write_projector_files(directory / "tb" / "all")
    write(directory / "tb" / "declared", "tfevents.1", _declared_log())
    write(directory / "vdl", "vdlrecords.1000.log", _visualdl_log())
    write(directory / "ms", "x.out.events.summary.1000.h_MS", _mindspore_log())


PROJECTOR = """
embeddings {
  tensor_name: "points:00010" tensor_path: "points.tsv" metadata_path: "labels.tsv"
  sprite { image_path: "sprite.png" single_image_dim: 2 single_image_dim: 1 }
}
embeddings { tensor_name: "points:00020" tensor_path: "later.tsv" }
"""


def _write_projector_files(directory: Path) -> None:
    write(directory, "projector_config.pbtxt", PROJECTOR.encode())
    for name, content, step in (
        ("points.tsv", b"1\t2\n3\t4\n", 10),
        ("labels.tsv", b"a\nb\n", 10),
        ("sprite.png", PNG, 10),
        ("later.tsv", b"5\t6\n", 20),
    ):
        path = write(directory, name, content)
        os.utime(path, (START + step, START + step))


def _tensorboard_log() -> bytes:
    events = [
        tensorboard.version_event(START),
        tensorboard.graph_event(START, GRAPH.SerializeToString()),
        *(tensorboard.event(START + step, step, _tensorboard_values(step)) for step in STEPS),
        *(_run_metadata_event(step, tag) for tag, step in RUN_METADATA_STEPS),
    ]
    return frames(events, Framing.TFRECORD)


def _tensorboard_values(step: int) -> list[bytes]:
    keras = b'{"class_name": "Model"}'
    return [
        tensorboard.scalar("loss", value_of(step)),
        tensorboard.scalar_tensor("acc", np.float64(step / 3)),
        histogram_v1("h/v1", HISTOGRAM_EDGES, HISTOGRAM_COUNTS),
        tensorboard.histogram("h/v2", HISTOGRAM_EDGES, HISTOGRAM_COUNTS),
        tensorboard.image_v1("i/v1", PNG + b"%d" % step, 2, 1),
        tensorboard.image("i/v2", [PNG, PNG + b"%d" % step], 2, 1),
        tensorboard.audio_v1("a/v1", WAV, 8000.0, 1, 1),
        tensorboard.strings_tensor(
            "a/v2", [WAV, b"first", WAV + b"2", b"second"], (2, 2), plugin_name="audio"
        ),
        tensorboard.text("t/rank0", f"step {step}"),
        tensorboard.strings_tensor("t/rank2", [b"a", b"b"], (1, 2), plugin_name="text"),
        tensorboard.tensor("pr", CURVE, plugin_name="pr_curves", content=b"\x10\x02"),
        tensorboard.tensor(
            "m_VERTEX", np.zeros((1, 4, 3), np.float32), plugin_name="mesh", content=b"m"
        ),
        tensorboard.tensor("m_FACE", np.zeros((1, 2, 3), np.int32), plugin_name="mesh"),
        tensorboard.tensor("m_COLOR", np.zeros((1, 4, 3), np.uint8), plugin_name="mesh"),
        tensorboard.strings_tensor("keras", [keras], (), plugin_name="graph_keras_model"),
        tensorboard.strings_tensor(
            "custom_scalars__config__", [LAYOUT], (), plugin_name="custom_scalars"
        ),
        _hparams("_hparams_/session_start_info", b"\x1a\x00"),
    ]


def _hparams(tag: str, content: bytes) -> bytes:
    """As TensorFlow writes them: metadata without a value."""
    value = proto.Summary.Value(tag=tag.encode())
    value.metadata.plugin_data.plugin_name = "hparams"
    value.metadata.plugin_data.content = content
    return value.SerializeToString()


def _declared_log() -> bytes:
    """An unknown plugin per class; a series that breaks its class; one of unknown class."""
    sequence, blobs = tensorboard.strings_tensor, proto.DATA_CLASS_BLOB_SEQUENCE
    values = [
        [
            tensorboard.tensor(
                "s",
                np.asarray(0.1 * step),
                plugin_name="inv_scalar",
                data_class=proto.DATA_CLASS_SCALAR,
            ),
            tensorboard.tensor(
                "t",
                np.full((2, 1), step, np.int16),
                plugin_name="inv_tensor",
                data_class=proto.DATA_CLASS_TENSOR,
            ),
            tensorboard.tensor(
                "t0",
                np.asarray(np.int64(step)),
                plugin_name="inv_tensor",
                data_class=proto.DATA_CLASS_TENSOR,
            ),
            sequence(
                "b",
                [b"one", b""],
                (2,),
                plugin_name="inv_blob",
                data_class=blobs,
            ),
            # From the second step on, values differ in type from the first.
            sequence(
                "broken/b",
                [b"one"],
                (1,),
                plugin_name="inv_blob",
                data_class=blobs,
            )
            if step == STEPS[0]
            else tensorboard.tensor("broken/b", np.zeros(3, np.float32)),
            tensorboard.scalar_tensor("broken/s", np.float32(step))
            if step == STEPS[0]
            else tensorboard.tensor("broken/s", np.zeros(3, np.float32), plugin_name="scalars"),
            tensorboard.histogram("broken/h", HISTOGRAM_EDGES, HISTOGRAM_COUNTS)
            if step == STEPS[0]
            else tensorboard.tensor("broken/h", np.zeros((3, 2))),
            tensorboard.tensor("unknown", np.zeros(3, np.float32), plugin_name="nobody"),
        ]
        for step in STEPS[:3]
    ]
    events = [
        tensorboard.event(START + step, step, of_step)
        for step, of_step in zip(STEPS, values, strict=False)
    ]
    return frames(events, Framing.TFRECORD)


def _visualdl_log() -> bytes:
    record = visualdl_pb2.Record
    counts = {"TP": [4, 2], "FP": [2, 0], "TN": [0, 2], "FN": [0, 2]}
    curve = record.PRCurve(**counts, precision=[0.5, 1.0], recall=[1.0, 0.5])
    # The tpr is VisualDL's own, which is wrong.
    roc = record.ROCCurve(**counts, tpr=[2.0, 1.0], fpr=[1.0, 0.0])
    points = record.Embeddings(
        label_meta=["name"],
        embeddings=[record.Embedding(label=[name], vectors=[1.0, 2.0]) for name in "ab"],
    )
    info = record.HParam.HparamInfo
    hparam = record.HParam(
        hparam_infos=[info(name="lr", float_value=0.5)], metric_infos=[info(name="acc")]
    )
    records = [visualdl.meta(START, "shown"), _visualdl_record(0, "feat", 7, points)]
    records.append(_visualdl_record(1, "hparam", 13, hparam))
    for step in STEPS[:2]:
        time = START + step
        records += [
            visualdl.scalar(time, step, "acc", step / 2),
            visualdl.image(time, step, "i", PNG),
            visualdl.histogram(time, step, "h", HISTOGRAM_EDGES, HISTOGRAM_COUNTS),
            visualdl_text(time, step, "t", "*text*"),
            visualdl_audio(time, step, "a", WAV, 8000.0),
            _visualdl_record(step, "pr", 9, curve),
            _visualdl_record(step, "roc", 11, roc),
        ]
    return frames(records, Framing.LENGTH_PREFIXED)


def _mindspore_log() -> bytes:
    node = mindspore_pb2.NodeProto(name="1", op_type="Conv2D")
    graph = mindspore_pb2.GraphProto(node=[node])
    events = [
        mindspore.version_event(START),
        mindspore.graph_event(START, graph.SerializeToString()),
    ]
    for step in STEPS[:2]:
        values = [
            mindspore.scalar("loss", 0.5 * step),
            mindspore.image("i", PNG, 2, 1),
            mindspore.tensor("t", np.full((2, 2), step, np.float32)),
            mindspore.histogram("h", HISTOGRAM_EDGES, HISTOGRAM_COUNTS, nan_count=1),
        ]
        events.append(mindspore.event(START + step, step, values))
    return frames(events, Framing.TFRECORD)


def _run_metadata_event(step: int, tag: str) -> bytes:
    """A TaggedRunMetadata, field 8 of an event."""
    content = delimited(1, tag.encode()) + delimited(2, RUN_METADATA.SerializeToString())
    return double_field(1, START + step) + varint_field(2, step) + delimited(8, content)


def _visualdl_record(step: int, tag: str, number: int, content: Message) -> bytes:
    """A value of a kind without a writer function."""
    value = varint_field(1, step) if step else b""
    value += delimited(2, tag.encode()) + varint_field(3, round((START + step) * 1000))
    return delimited(1, value + delimited(number, content.SerializeToString()))
