"""Write a log directory with every kind of value TensorBoard shows, in old and new encodings."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import delimited, double_field, frames, varint_field
from mindviz.wire.encode_tensorboard_plugins import (
    Hyperparameter,
    custom_scalars,
    hparams_experiment,
    hparams_session_end,
    hparams_session_start,
    mesh,
    pr_curve,
)
from mindviz.wire.framing import Framing
from mindviz.wire.proto import tensorboard_pb2 as proto
from tests.encoded_values import histogram_v1
from tests.golden.write_golden import COUNTS, EDGES, PNG
from tests.sounds import wav
from tests.written_logs import tensorboard_log, write

START = 1_700_000_000.0
STEPS = range(0, 120, 10)
KERAS = (
    b'{"class_name": "Sequential", "config": {"name": "net", "layers": [{"class_name": "Dense",'
    b' "config": {"name": "dense", "dtype": "float32"}}]}}'
)


def write_logs(directory: Path) -> None:
    """Runs `.`, `all`, `nested/a`, `nested/b`, `resumed` and `begun`, which has no value."""
    write(directory, "tfevents.1", tensorboard_log([(0, 1.0), (1, 2.0)], start=START - 5))
    write(directory / "all", "tfevents.1", _every_kind())
    for number, name in enumerate("ab"):
        hparams: dict[str, Hyperparameter] = {
            "lr": 0.1 * (number + 1),
            "depth": 3 + number,
            "name": name,
            "flag": not number,
        }
        write(directory / "nested" / name, "tfevents.1", _session(hparams, START + 100 * number))
    resumed = directory / "resumed"
    before, after = [(step, 1.0) for step in range(8)], [(step, 2.0) for step in range(5, 12)]
    write(resumed, "tfevents.1", tensorboard_log(before, start=START + 10))
    write(resumed, "tfevents.2", tensorboard_log(after, start=START + 50))
    begun = frames([tensorboard.version_event(START + 7)], Framing.TFRECORD)
    write(directory / "begun", "tfevents.1", begun)


def _every_kind() -> bytes:
    layout = {
        "losses": {
            "both": ("Multiline", ["loss/.*", "accuracy"]),
            "band": ("Margin", ["loss/old", "loss/new", "accuracy"]),
        }
    }
    graph = proto.GraphDef(
        node=[proto.NodeDef(name="x", op="Placeholder"), proto.NodeDef(name="y", op="Neg")]
    )
    graph.node[1].input.append("x")
    first = [
        custom_scalars(layout),
        tensorboard.strings_tensor(
            "keras", [KERAS], (), plugin_name="graph_keras_model", content=b"1"
        ),
    ]
    events = [
        tensorboard.version_event(START),
        tensorboard.graph_event(START, graph.SerializeToString()),
        tensorboard.event(START, 0, first),
        *(tensorboard.event(START + step, step, _values(step)) for step in STEPS),
        _run_metadata("warm up", 3),
        _run_metadata("warm up", 5),
    ]
    return frames(events, Framing.TFRECORD)


def _values(step: int) -> list[bytes]:
    rng = np.random.default_rng(step)
    clip = wav(np.sin(np.arange(100) * (step + 1)))
    counts = np.concatenate(
        [rng.integers(0, 90, (4, 5)).astype(np.float32), rng.random((2, 5), np.float32)]
    )
    number = float("nan") if step == 50 else 1 / (step + 3)
    return [
        tensorboard.scalar("loss/old", number),
        tensorboard.scalar_tensor("loss/new", np.float32(number)),
        tensorboard.scalar_tensor("accuracy", np.float64(number)),
        tensorboard.scalar("extremes", float("inf") if step % 20 else float("-inf")),
        histogram_v1("weights/old", EDGES, np.asarray(COUNTS) * step),
        tensorboard.histogram("weights/new", EDGES, COUNTS),
        tensorboard.histogram("weights/empty", [0.0], []),
        tensorboard.image_v1("input/old", PNG, 2, 1),
        tensorboard.image("input/new", [PNG, PNG + b"%d" % step], 2, 1),
        tensorboard.audio_v1("sound/old", clip, 8000.0, 1, 100),
        tensorboard.audio("sound/new", [clip, clip + b"\0\0"]),
        tensorboard.text("notes", f"# step {step}\n\n- *one*\n- <script>two</script>"),
        tensorboard.strings_tensor("table", [b"a", b"b", b"c", b"d"], (2, 2), plugin_name="text"),
        pr_curve("curve", counts),
        *mesh(
            "shape",
            rng.random((2, 4, 3), np.float32),
            np.array([[[0, 1, 2], [1, 2, 3]]] * 2, np.int32),
            rng.integers(0, 255, (2, 4, 3)).astype(np.uint8),
            {"camera": {"cls": "PerspectiveCamera"}},
        ),
    ]


def _session(hparams: dict[str, Hyperparameter], start: float) -> bytes:
    events = [
        tensorboard.version_event(start),
        tensorboard.event(start, 0, [hparams_experiment(hparams, ["loss", "accuracy"], {})]),
        tensorboard.event(start, 0, [hparams_session_start(hparams)]),
        *(
            tensorboard.event(
                start + step,
                step,
                [tensorboard.scalar("loss", 1 / step), tensorboard.scalar("accuracy", step / 20)],
            )
            for step in range(1, 20)
        ),
        tensorboard.event(start + 30, 0, [hparams_session_end()]),
    ]
    return frames(events, Framing.TFRECORD)


def _run_metadata(tag: str, step: int) -> bytes:
    """A TaggedRunMetadata, field 8 of an event."""
    # RunMetadata.step_stats 1, dev_stats 1, device 1.
    content = delimited(1, delimited(1, delimited(1, b"/device:CPU:%d" % step)))
    message = delimited(1, tag.encode()) + delimited(2, content)
    return double_field(1, START + step) + varint_field(2, step) + delimited(8, message)
