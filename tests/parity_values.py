"""The same tensors, histograms, images, audio and texts, written in every format that has them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mindviz.cli.compared_locations import ParityOptions, compare_locations
from mindviz.datavisual.analysis.series_parity import Tolerance
from mindviz.summary import Audio, SummaryRecord
from mindviz.summary.torch import SummaryWriter
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.encoded_values import histogram_v1, visualdl_audio, visualdl_text
from tests.parity_logs import START
from tests.sounds import wav
from tests.written_logs import write

RATE = 8000
STEPS = 6
CHANGED = 4
"""The step that `changed` changes."""


@dataclass(frozen=True, slots=True)
class Values:
    """What is logged at a step."""

    tensor: NDArray[np.float32]
    edges: NDArray[np.float64]
    counts: NDArray[np.int64]
    pixels: NDArray[np.uint8]
    """Shape (height, width, 3)."""
    samples: NDArray[np.int16]
    text: str

    @property
    def sound(self) -> NDArray[np.float64]:
        """The samples for writers that scale values from -1 to 1 and truncate them."""
        return (self.samples + 0.25 * np.sign(self.samples)) / np.iinfo(np.int16).max


def steps() -> list[Values]:
    """Edges of buckets are multiples of 1/4, so that widths of buckets have no rounding errors."""
    generator = np.random.default_rng(23)
    return [
        Values(
            tensor=generator.normal(size=(3, 4)).astype(np.float32),
            edges=np.arange(9) / 4 + step,
            counts=generator.integers(1, 100, 8),
            pixels=generator.integers(0, 256, (5, 7, 3), np.uint8),
            samples=generator.integers(-30_000, 30_000, 40, np.int16),
            text=f"**step** {step}: \N{SNOWMAN} naïve",
        )
        for step in range(STEPS)
    ]


def changed(logged: Sequence[Values], plugin: str) -> list[Values]:
    """The same with one changed element of one kind, the last, at step `CHANGED`."""
    step = logged[CHANGED]
    tensor, counts = step.tensor.copy(), step.counts.copy()
    pixels, samples = step.pixels.copy(), step.samples.copy()
    tensor[-1, -1] = np.nextafter(tensor[-1, -1], np.float32(9))
    counts[-1] += 1
    pixels[-1, -1, -1] ^= 1
    samples[-1] ^= 1
    others = {
        "tensor": replace(step, tensor=tensor),
        "histogram": replace(step, counts=counts),
        "image": replace(step, pixels=pixels),
        "audio": replace(step, samples=samples),
        "text": replace(step, text=f"{step.text}!"),
    }
    return [*logged[:CHANGED], others[plugin], *logged[CHANGED + 1 :]]


LAST: Mapping[str, list[int]] = {
    "tensor": [2, 3], "histogram": [7, 2], "image": [0, 4, 6, 2], "audio": [0, 39, 0], "text": [0],
}  # fmt: skip
"""Plugin -> index of the element that `changed` changes."""


def png(pixels: NDArray[np.uint8], **options: Any) -> bytes:
    """An encoded image."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", **options)
    return file.getvalue()


Encoders = Mapping[str, Callable[[Values], bytes]]
"""Plugin, which is also the tag -> the encoded value."""


def write_mindspore(directory: Path, logged: Sequence[Values]) -> None:
    encoders: Encoders = {
        "tensor": lambda one: mindspore.tensor("tensor", one.tensor),
        "histogram": lambda one: mindspore.histogram("histogram", one.edges, one.counts),
        "image": lambda one: mindspore.image("image", png(one.pixels), *size(one)),
    }
    events = [mindspore.version_event(START)]
    for step, one in enumerate(logged):
        values = [encode(one) for encode in encoders.values()]
        events.append(mindspore.event(START + step, step, values))
    write(directory, "x.out.events.summary.1700000000.0.h_MS", frames(events, Framing.TFRECORD))


def write_tensorboard(directory: Path, logged: Sequence[Values]) -> None:
    """As TensorFlow 1 and torch write them, in fields of their own; images are not compressed."""
    encoders: Encoders = {
        "histogram": lambda one: histogram_v1("histogram", one.edges, one.counts),
        "image": lambda one: tensorboard.image_v1(
            "image", png(one.pixels, compress_level=0), *size(one)
        ),
        "audio": lambda one: tensorboard.audio_v1(
            "audio", wav(one.samples, RATE), RATE, 1, len(one.samples)
        ),
    }
    _write_events(directory, logged, encoders)


def write_tensors(directory: Path, logged: Sequence[Values]) -> None:
    """As TensorFlow 2 writes them."""
    encoders: Encoders = {
        "tensor": lambda one: tensorboard.tensor("tensor", one.tensor),
        "histogram": lambda one: tensorboard.histogram("histogram", one.edges, one.counts),
        "image": lambda one: tensorboard.image("image", [png(one.pixels)], *size(one)),
        "audio": lambda one: tensorboard.audio("audio", [wav(one.samples, RATE, extensible=True)]),
        "text": lambda one: tensorboard.text("text", one.text),
    }
    _write_events(directory, logged, encoders)


def _write_events(directory: Path, logged: Sequence[Values], encoders: Encoders) -> None:
    events = [tensorboard.version_event(START)]
    for step, one in enumerate(logged):
        values = [encode(one) for encode in encoders.values()]
        events.append(tensorboard.event(START + step, step, values))
    write(directory, "events.out.tfevents.1700000000.h", frames(events, Framing.TFRECORD))


def write_visualdl(directory: Path, logged: Sequence[Values]) -> None:
    records = [visualdl.meta(START)]
    for step, one in enumerate(logged):
        place = START + step, step
        records += [
            visualdl.histogram(*place, "histogram", one.edges, one.counts),
            visualdl.image(*place, "image", png(one.pixels)),
            visualdl_audio(*place, "audio", wav(one.samples, RATE), RATE),
            visualdl_text(*place, "text", one.text),
        ]
    write(directory, "vdlrecords.1700000000.log", frames(records, Framing.LENGTH_PREFIXED))


def write_recorder(directory: Path, logged: Sequence[Values]) -> None:
    """Its histograms have buckets of its own."""
    with SummaryRecord(directory) as record:
        for step, one in enumerate(logged):
            record.add_value("tensor", "tensor", one.tensor)
            record.add_value("image", "image", one.pixels[np.newaxis])
            record.add_value("audio", "audio", Audio(one.samples, RATE))
            record.add_value("text", "text", one.text)
            record.record(step)


def write_summary_writer(directory: Path, logged: Sequence[Values]) -> None:
    with SummaryWriter(directory) as writer:
        for step, one in enumerate(logged):
            writer.add_tensor("tensor", one.tensor, step)
            counts = float(one.counts.sum())
            edges = one.edges
            writer.add_histogram_raw(
                "histogram", edges[0], edges[-1], counts, 0, 0, edges[1:], one.counts, step
            )
            writer.add_image("image", one.pixels, step, dataformats="HWC")
            writer.add_audio("audio", one.samples, step, RATE)
            writer.add_text("text", one.text, step)


def size(values: Values) -> tuple[int, int]:
    """Width and height."""
    height, width, _ = values.pixels.shape
    return width, height


WRITERS: Mapping[str, tuple[Callable[[Path, Sequence[Values]], None], str]] = {
    "mindspore": (write_mindspore, "tensor histogram image"),
    "tensorboard": (write_tensorboard, "histogram image audio"),
    "tensors": (write_tensors, "tensor histogram image audio text"),
    "visualdl": (write_visualdl, "histogram image audio text"),
    "recorder": (write_recorder, "tensor image audio text"),
    "summary_writer": (write_summary_writer, "tensor histogram image audio text"),
}
"""Writer -> function, and the plugins whose values it writes."""


def unequal_writers(peer: Path, ours: Path, plugins: str, *, text: str = "text") -> list[str]:
    """`writer plugin` wherever a peer's log of `steps()` is not equal to one of ours.

    Ours are written below `ours`. The peer has these plugins, and texts with the tag `text`.
    """
    unequal = []
    for name, (writer, has) in WRITERS.items():
        writer(ours / name, steps())
        tag = "text/text_summary" if name == "summary_writer" else "text"
        rules = [("--map", [f"{tag} = {text}"])]
        for plugin in filter(has.split().__contains__, plugins.split()):
            options = ParityOptions(Tolerance(), rules, only=[plugin], with_config=False)
            ((_, _, parity),) = compare_locations(str(ours / name), str(peer), options).runs
            common = [tag.series.common_steps for tag in parity.tags if tag.series]
            if not parity.equal or common != [STEPS]:
                unequal.append(f"{name} {plugin}")
    return unequal


def common_plugins(a: str, b: str) -> list[str]:
    """The plugins whose values both writers write."""
    return [name for name in WRITERS[a][1].split() if name in WRITERS[b][1].split()]
