"""Writes small logs of all three formats with mindviz's encoders, for their own readers.

python tests/peers/write_logs.py DIRECTORY

`expected.json` next to them describes their contents.
"""

from __future__ import annotations

import io
import json
import math
import struct
import sys
import wave
from pathlib import Path

import numpy as np
from PIL import Image

from mindviz.wire import encode_mindspore, encode_tensorboard, encode_visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.encoded_values import histogram_v1, visualdl_audio, visualdl_text

STARTED = 1_700_000_000.0
STEPS = 20
EDGES = [0.0, 0.5, 1.5, 4.0]
COUNTS = [3, 0, 2]
SIZE = (6, 4)
TEXT = "# learning rate\n\nwas **0.1**"
TENSOR = np.arange(6, dtype=np.float32).reshape(2, 3) / 4


def numbers(phase: float) -> list[float]:
    """A curve, float32, with everything in it that isn't a number."""
    values = [float(np.float32(math.sin(step / 3 + phase))) for step in range(STEPS)]
    values[5], values[6], values[7] = math.nan, math.inf, -math.inf
    return values


def png() -> bytes:
    """A small picture."""
    out = io.BytesIO()
    Image.new("RGB", SIZE, (200, 30, 30)).save(out, "PNG")
    return out.getvalue()


def wav() -> bytes:
    """A tenth of a second of sound."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(struct.pack("<800h", *(step % 100 for step in range(800))))
    return out.getvalue()


def wall_time(step: int) -> float:
    """When a step was written."""
    return STARTED + step * 0.25


def points(values: list[float]) -> list[list[float]]:
    """[step, wall time, value] each."""
    return [[step, wall_time(step), value] for step, value in enumerate(values)]


def write_tensorboard(directory: Path) -> dict[str, object]:
    """One event per value, both generations of every kind."""
    encode = encode_tensorboard
    payloads = [encode.version_event(STARTED)]
    for step in range(STEPS):
        values = [
            encode.scalar("loss", numbers(0)[step]),
            encode.scalar_tensor("accuracy", np.float32(numbers(1)[step])),
            encode.scalar_tensor("listed", np.float32(numbers(2)[step]), listed=True),
            histogram_v1("weights/old", EDGES, COUNTS),
            encode.histogram("weights/new", EDGES, COUNTS),
            encode.image_v1("input/old", png(), *SIZE),
            encode.image("input/new", [png()], *SIZE),
            encode.audio_v1("sound/old", wav(), 8000, 1, 800),
            encode.audio("sound/new", [wav()]),
            encode.text("notes", TEXT),
            encode.tensor("plain", TENSOR, plugin_name="custom"),
        ]
        payloads += [encode.event(wall_time(step), step, [value]) for value in values]
    (directory / "events.out.tfevents.1700000000.peers.1.0").write_bytes(
        frames(payloads, Framing.TFRECORD)
    )
    return {
        "scalar": {
            "loss": points(numbers(0)),
            "accuracy": points(numbers(1)),
            "listed": points(numbers(2)),
        }
    }


def write_mindspore(directory: Path) -> dict[str, object]:
    """One event per step with all values, as MindSpore does."""
    encode = encode_mindspore
    payloads = [encode.version_event(STARTED)]
    for step in range(STEPS):
        values = [
            encode.scalar("loss", numbers(0)[step]),
            encode.scalar("损失 loss", numbers(1)[step]),
            encode.image("input", png(), *SIZE),
            encode.histogram("weights", EDGES, COUNTS),
            encode.tensor("tensor", TENSOR),
        ]
        payloads.append(encode.event(wall_time(step), step, values))
    (directory / "events.out.events.summary.1700000000.0.peers_MS").write_bytes(
        frames(payloads, Framing.TFRECORD)
    )
    return {"scalar": {"loss": points(numbers(0)), "损失 loss": points(numbers(1))}}


def write_visualdl(directory: Path) -> dict[str, object]:
    """One record per value."""
    encode = encode_visualdl
    payloads = [encode.meta(STARTED, "a label")]
    for step in range(STEPS):
        time = wall_time(step)
        payloads += [
            encode.scalar(time, step, "loss", numbers(0)[step]),
            encode.sub_scalar(time, step, "losses", "train", numbers(1)[step]),
            encode.sub_scalar(time, step, "losses", "test", numbers(2)[step]),
            encode.image(time, step, "input", png()),
            encode.histogram(time, step, "weights", EDGES, COUNTS),
            visualdl_text(time, step, "notes", TEXT),
            visualdl_audio(time, step, "sound", wav(), 8000),
        ]
    (directory / "vdlrecords.1700000000.log").write_bytes(frames(payloads, Framing.LENGTH_PREFIXED))
    return {
        "scalar": {
            "loss": points(numbers(0)),
            "losses/train": points(numbers(1)),
            "losses/test": points(numbers(2)),
        }
    }


def main() -> None:
    """Command line."""
    base = Path(sys.argv[1])
    expected: dict[str, object] = {
        "steps": STEPS,
        "edges": EDGES,
        "counts": COUNTS,
        "size": SIZE,
        "png": png().hex(),
        "wav": wav().hex(),
        "text": TEXT,
        "tensor": TENSOR.tolist(),
    }
    for write in (write_tensorboard, write_mindspore, write_visualdl):
        name = write.__name__.removeprefix("write_")
        (base / name).mkdir(parents=True)
        expected[name] = write(base / name)
    (base / "expected.json").write_text(json.dumps(expected, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
