"""Hostile logs: one generator per known way to make mindviz slow, large or wrong.

They have 1 to 2 MB, enough to expose anything that is not linear.
"""

from __future__ import annotations

import io
import json
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import delimited, frames, varint_field
from mindviz.wire.framing import Framing
from tests.lineage_logs import evaluation, training, user_defined, write_mindspore_job

Make = Callable[[Path], object]

HOSTILE_LOGS: dict[str, Make] = {}
"""Name -> function that writes the log below an empty directory."""

WALL_TIME = 1_700_000_000.0
NAME = "events.out.tfevents.1700000000.host"


def hostile(make: Make) -> Make:
    """Register a generator under its name."""
    HOSTILE_LOGS[make.__name__] = make
    return make


def write_events(directory: Path, records: Iterable[bytes], name: str = NAME) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / name).write_bytes(frames(records, Framing.TFRECORD))


def write_visualdl(directory: Path, records: Iterable[bytes]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    content = frames(records, Framing.LENGTH_PREFIXED)
    (directory / "vdlrecords.1700000000.log").write_bytes(content)


def scalars(tags: Iterable[str], step: int = 0, at_once: int = 500) -> Iterator[bytes]:
    waiting: list[str] = []
    for tag in tags:
        waiting.append(tag)
        if len(waiting) == at_once:
            yield tensorboard.scalars_event(WALL_TIME + step, step, dict.fromkeys(waiting, 1.0))
            waiting.clear()
    yield tensorboard.scalars_event(WALL_TIME + step, step, dict.fromkeys(waiting, 1.0))


# --------------------------------------------------------------------------------- layouts, text


def layout(charts: Iterable[bytes]) -> bytes:
    category = delimited(1, b"category") + b"".join(delimited(2, chart) for chart in charts)
    return tensorboard.event(
        WALL_TIME,
        0,
        [
            tensorboard.strings_tensor(
                "custom_scalars__config__",
                [delimited(2, category)],
                (),
                plugin_name="custom_scalars",
            )
        ],
    )


@hostile
def layout_of_many_expressions(base: Path) -> None:
    expressions = [f".*(a|b)*{number}.*x$".encode() for number in range(1000)]
    chart = delimited(1, b"chart") + delimited(2, b"".join(delimited(1, e) for e in expressions))
    tags = ("ab" * 20 + str(number) for number in range(1000))
    write_events(base, [layout([chart]), *scalars(tags)])


@hostile
def layout_of_many_charts(base: Path) -> None:
    charts = [
        delimited(1, b"%d" % number) + delimited(2, delimited(1, b".*")) for number in range(1000)
    ]
    write_events(base, [layout(charts), *scalars(f"tag{number}" for number in range(1000))])


@hostile
def nested_html(base: Path) -> None:
    bombs = ["<b>" * 60_000, "> " * 30_000 + "x", "[" * 50_000, "*a " * 50_000, "<!--" * 40_000]
    events = [
        tensorboard.event(WALL_TIME, step, [tensorboard.text("text", bomb)])
        for step, bomb in enumerate(bombs)
    ]
    write_events(base, events)


# ------------------------------------------------------------------------------------------ tags


@hostile
def many_tags(base: Path) -> None:
    write_events(base, scalars(f"layer{number % 1000}/weight{number}" for number in range(4000)))


@hostile
def long_tag(base: Path) -> None:
    values = [tensorboard.histogram("h" * 500_000, [0.0, 1.0], [1.0]) for _ in range(2)]
    events = [tensorboard.event(WALL_TIME, step, [value]) for step, value in enumerate(values)]
    long = {"s" * 500_000: 1.0}
    write_events(base, [*events, *(tensorboard.scalars_event(1.0, s, long) for s in range(3))])


@hostile
def one_long_tag_among_many(base: Path) -> None:
    # In a column of texts of equal width, the longest one decides.
    write_events(base, scalars(["L" * 60_000, *(f"tag{number}" for number in range(500))]))
    values = [
        tensorboard.histogram(tag, [0.0, 1.0], [1.0])
        for tag in ("H" * 60_000, *(f"histogram{number}" for number in range(500)))
    ]
    records = (tensorboard.event(WALL_TIME, 0, [value]) for value in values)
    write_events(base, records, "events.out.tfevents.1700000001.host")


@hostile
def tags_alike(base: Path) -> None:
    tags = (b"tag\xff", b"tag\xfe", "tag\ufffd".encode())
    write_events(
        base,
        [
            tensorboard.event(WALL_TIME + step, step, [tensorboard.scalar(tag, float(step))])
            for tag in tags
            for step in range(5)
        ],
    )


@hostile
def odd_tags(base: Path) -> None:
    tags = ["", "/", "a//b", "a/scalar", "..", "<script>", "=1+1", "\0", "a\nb", "%2F", "💣" * 50]
    for plugin in ("", "image", "text"):
        records = []
        for tag in tags:
            if plugin == "image":
                value = tensorboard.image(tag, [png(1, 1)], 1, 1)
            elif plugin == "text":
                value = tensorboard.text(tag, tag)
            else:
                value = tensorboard.scalar(tag, 1.0)
            records.append(tensorboard.event(WALL_TIME, 0, [value]))
        write_events(base / (plugin or "scalar"), records)


@hostile
def tiny_values(base: Path) -> None:
    # One record with 100,000 values of four bytes each.
    value = delimited(1, b"\x22\x00")
    write_events(base, [tensorboard.summary_event(WALL_TIME, 0, value * 100_000)])


@hostile
def odd_numbers(base: Path) -> None:
    steps = (-(2**63), -1, 0, 1, 2**53, 2**63 - 1)
    values = (float("nan"), float("inf"), float("-inf"), -0.0, 3e38, 1e-45)
    times = (0.0, -1e300, float("nan"), 1e18, WALL_TIME, float("inf"))
    write_events(
        base,
        [
            tensorboard.scalars_event(time, step & (2**64 - 1), {"loss": value})
            for step, value, time in zip(steps, values, times, strict=True)
        ],
    )


# -------------------------------------------------------------------------------- restarts


@hostile
def thousands_of_restarts(base: Path) -> None:
    records = []
    for restart in range(1500):
        records.append(tensorboard.session_event(WALL_TIME + restart, 0))
        records += [
            tensorboard.scalars_event(WALL_TIME + restart, step, {"loss": float(restart)})
            for step in range(3)
        ]
    write_events(base, records)


@hostile
def many_writers(base: Path) -> None:
    for writer in range(300):
        start = WALL_TIME + writer
        records = [tensorboard.scalars_event(start, step, {"loss": 1.0}) for step in range(5)]
        write_events(base, records, f"events.out.tfevents.{1_700_000_000 + writer}.host{writer}")


@hostile
def many_jobs(base: Path) -> None:
    for number in range(150):
        write_events(base / f"run{number}", scalars(f"tag{tag}" for tag in range(20)))


# ---------------------------------------------------------------------------------------- graphs


def node(name: str, op: str, *inputs: str) -> bytes:
    sources = b"".join(delimited(3, source.encode()) for source in inputs)
    return delimited(1, delimited(1, name.encode()) + delimited(2, op.encode()) + sources)


def write_graph(base: Path, graph: bytes) -> None:
    write_events(base, [tensorboard.graph_event(WALL_TIME, graph)])


def deep_name(number: int, depth: int) -> str:
    return "/".join([*(str(number >> level & 1) for level in range(depth)), f"n{number}"])


@hostile
def graph_of_many_edges(base: Path) -> None:
    names = [deep_name(number, 12) for number in range(500)]
    count = len(names)
    nodes = (
        node(name, f"Op{i}", *(names[(i * 7 + j) % count] for j in range(60)))
        for i, name in enumerate(names)
    )
    write_graph(base, b"".join(nodes))


@hostile
def graph_of_one_name(base: Path) -> None:
    write_graph(base, b"".join(node("n", f"Op{number}") for number in range(8000)))


@hostile
def graph_of_deep_scopes(base: Path) -> None:
    write_graph(base, b"".join(node("a/" * 20_000 + str(number), "A") for number in range(10)))


@hostile
def graph_of_long_names(base: Path) -> None:
    count = 1000
    sources = b"".join(node(str(number), f"Op{number}") for number in range(count))
    consumer = node("L" * 500_000, "Op", *map(str, range(count)))
    function = delimited(1, delimited(1, b"F" * 500_000)) + b"".join(
        delimited(3, delimited(1, b"%d" % number) + delimited(2, b"Op")) for number in range(count)
    )
    write_graph(base, sources + consumer + delimited(2, delimited(1, function)))


@hostile
def graph_of_a_large_shape(base: Path) -> None:
    dimensions = b"".join(delimited(2, varint_field(1, 1)) for _ in range(50_000))
    shapes = delimited(2, delimited(1, delimited(7, dimensions)))
    attribute = delimited(5, delimited(1, b"_output_shapes") + shapes)
    source = delimited(1, delimited(1, b"s") + delimited(2, b"Op") + attribute)
    consumers = b"".join(node(str(number), f"Op{number}", "s") for number in range(1000))
    write_graph(base, source + consumers)


# -------------------------------------------------------------------------------- images, tensors


def png(width: int, height: int, data: bytes = b"") -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        crc = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + crc

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(data or b"\0" * (1 + 3 * min(width, 1)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


@hostile
def images_that_lie(base: Path) -> None:
    small = io.BytesIO()
    Image.new("RGB", (8, 8)).save(small, "GIF")
    gif = bytearray(small.getvalue())
    gif[6:10] = b"\xff\xff\xff\xff"
    jpeg_bytes = io.BytesIO()
    Image.new("RGB", (8, 8)).save(jpeg_bytes, "JPEG")
    jpeg = bytearray(jpeg_bytes.getvalue())
    at = jpeg.index(b"\xff\xc0")
    jpeg[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    bomb = png(20_000, 20_000, b"\0" * 1_000_000)
    for number, encoded in enumerate((bytes(gif), bytes(jpeg), bomb, png(2**31 - 1, 2**31 - 1))):
        value = tensorboard.image("image", [encoded], 8, 8)
        write_events(base / str(number), [tensorboard.event(WALL_TIME, 0, [value])])


@hostile
def damaged_everywhere(base: Path) -> None:
    content = bytearray(frames(scalars(f"tag{n}" for n in range(500)), Framing.TFRECORD) * 20)
    random = np.random.default_rng(1)
    for at in random.integers(len(content), size=200):
        content[at] ^= 1 << int(random.integers(8))
    base.mkdir(exist_ok=True)
    (base / NAME).write_bytes(content)
    (base / "events.out.tfevents.1700000001.host").write_bytes(random.bytes(100_000))
    (base / "vdlrecords.1700000000.log").write_bytes(random.bytes(100_000))


@hostile
def sparse_file(base: Path) -> None:
    base.mkdir(exist_ok=True)
    with (base / NAME).open("wb") as file:
        file.write(frames(scalars(["loss"]), Framing.TFRECORD))
        file.truncate(1 << 28)


# ------------------------------------------------------------------------------------ lineage


@hostile
def odd_metrics(base: Path) -> None:
    write_mindspore_job(base / "good", training(), evaluation({"acc": 0.5}), user_defined(x=1.0))
    write_mindspore_job(base / "empty", training(), evaluation({"": 0.5}))
    metric = {"big": 1234567890123456789, "nan": float("nan"), "text": "=1+1", "list": [[]]}
    write_mindspore_job(base / "odd", training(), evaluation(json.dumps(metric)))
    write_mindspore_job(base / "half", training(), evaluation({"big": 0.5}))
    write_mindspore_job(base / "none", training(), evaluation("no JSON"))


@hostile
def many_metrics(base: Path) -> None:
    for number in range(20):
        metric = {f"metric{name}": float(name * number) for name in range(500)}
        facts = {f"p{name}": float(number * name % 7) for name in range(100)}
        write_mindspore_job(
            base / str(number),
            training(loss=float(number), learning_rate=0.1 * number),
            evaluation(metric),
            user_defined(**facts),
        )


# --------------------------------------------------------------------------------------- projector


@hostile
def projector_configs(base: Path) -> None:
    configs = {
        "outside": b'embeddings { tensor_path: "../../secret.tsv" metadata_path: "/etc/passwd" }',
        "device": b'embeddings { tensor_path: "/dev/zero" }',
        "many": b'embeddings { tensor_name: "e" tensor_path: "t.tsv" }\n' * 2000,
        "nested": b"embeddings {" * 5000,
        "shape": b'embeddings { tensor_path: "t.tsv" tensor_shape: ' + b"9" * 5000 + b" }",
        "spaces": b" " * 1_000_000 + b"\x01",
    }
    for name, config in configs.items():
        write_events(base / name, scalars(["loss"]))
        (base / name / "projector_config.pbtxt").write_bytes(config)
        (base / name / "t.tsv").write_bytes(b"1\t2\t3\n4\t5\t6\n7\t8\t10\n")


@hostile
def file_names_that_are_not_utf8(base: Path) -> None:
    directory = base / os.fsdecode(b"run\xff")
    write_events(directory, scalars(["loss"]), os.fsdecode(b"events.out.tfevents.1700000000.\xfe"))


# --------------------------------------------------------------------------------- other formats


@hostile
def visualdl_of_odd_records(base: Path) -> None:
    records = [visualdl.scalar(WALL_TIME, step, "loss", 1.0) for step in range(100)]
    records += [delimited(1, b""), delimited(1, b"\x22\x00" * 1000), b"", b"\x0a\x80"]
    write_visualdl(base, records)
