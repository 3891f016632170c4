"""Hostile logs: one small generator per way in which a log has made mindviz slow, large or wrong.

Sizes are a megabyte or two: enough for anything that is not linear in them to stand out.
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
from mindviz.wire.encode import delimited, double_field, frames, varint_field
from mindviz.wire.framing import Framing
from tests.lineage_logs import evaluation, training, user_defined, write_mindspore_job

Make = Callable[[Path], object]

HOSTILE_LOGS: dict[str, Make] = {}
"""Name -> what writes the log below an empty directory."""

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
    expressions = [f".*(a|b)*{number}.*x$".encode() for number in range(1500)]
    chart = delimited(1, b"chart") + delimited(2, b"".join(delimited(1, e) for e in expressions))
    tags = ("ab" * 20 + str(number) for number in range(1500))
    write_events(base, [layout([chart]), *scalars(tags)])


@hostile
def layout_of_many_charts(base: Path) -> None:
    charts = [
        delimited(1, b"%d" % number) + delimited(2, delimited(1, b".*")) for number in range(2000)
    ]
    write_events(base, [layout(charts), *scalars(f"tag{number}" for number in range(2000))])


@hostile
def layouts_that_lie(base: Path) -> None:
    def chart(title: bytes, *expressions: bytes) -> bytes:
        return delimited(1, title) + delimited(2, b"".join(delimited(1, e) for e in expressions))

    margin = delimited(1, delimited(1, b"tag1") + delimited(2, b"tag" * 1000) + delimited(3, b""))
    odd = [b"(" * 1000, b"(?P<", b"a{1000}{1000}", b"\xff", b"", b"." * 100_000, b"(a|b)*" * 5000]
    layouts = {
        "odd": layout(chart(b"\xff", expression) for expression in odd),
        "many": layout(chart(b"%d" % n, b"tag1") for n in range(20_000)),
        "long": layout([chart(b"t" * 500_000, b"tag.*"), chart(b"t" * 500_000, b"tag.*")]),
        "empty": layout([b""] * 50_000),
        "margins": layout([delimited(1, b"m") + delimited(3, margin * 300)]),
        "cut": tensorboard.event(
            WALL_TIME,
            0,
            [
                tensorboard.strings_tensor(
                    "custom_scalars__config__", [text], (), plugin_name="custom_scalars"
                )
                for text in (b"\x12\xff\xff\xff\xff\x0f", b"\x0b" * 10_000, b"{}")
            ],
        ),
    }
    for name, event in layouts.items():
        write_events(base / name, [event, *scalars(f"tag{number}" for number in range(50))])


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
    write_events(base, scalars(f"layer{number % 1000}/weight{number}" for number in range(8000)))


@hostile
def long_tag(base: Path) -> None:
    values = [tensorboard.histogram("h" * 500_000, [0.0, 1.0], [1.0]) for _ in range(2)]
    events = [tensorboard.event(WALL_TIME, step, [value]) for step, value in enumerate(values)]
    long = {"s" * 500_000: 1.0}
    write_events(base, [*events, *(tensorboard.scalars_event(1.0, s, long) for s in range(3))])


@hostile
def one_long_tag_among_many(base: Path) -> None:
    # A column of texts of equal width has the longest one's width in every row.
    write_events(base, scalars(["L" * 60_000, *(f"tag{number}" for number in range(1000))]))
    values = [
        tensorboard.histogram(tag, [0.0, 1.0], [1.0])
        for tag in ("H" * 60_000, *(f"histogram{number}" for number in range(1000)))
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
    for restart in range(3000):
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
    for number in range(300):
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


def riff(kind: bytes, *chunks: tuple[bytes, bytes]) -> bytes:
    padded = ((name, data + b"\0" * (len(data) % 2)) for name, data in chunks)
    content = kind + b"".join(name + struct.pack("<I", len(data)) + data for name, data in padded)
    return b"RIFF" + struct.pack("<I", len(content)) + content


def uint24(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def animated_webp(canvas: int, frames: int, frame: tuple[int, int], duration: int = 0) -> bytes:
    """`frame` is the claimed size of each frame and its actual size in pixels."""
    still = io.BytesIO()
    Image.new("RGB", (frame[1], frame[1])).save(still, "WEBP", lossless=True)
    head = bytes(6) + 2 * uint24(frame[0] - 1) + uint24(duration) + b"\0"
    return riff(
        b"WEBP",
        (b"VP8X", b"\x02\0\0\0" + 2 * uint24(canvas - 1)),
        (b"ANIM", bytes(6)),
        *[(b"ANMF", head + still.getvalue()[12:])] * frames,
    )


def animated_gif(frames: int, later: tuple[int, int, int, int]) -> bytes:
    """Later frames claim this left, top, width and height; blocks without end between them."""
    small = io.BytesIO()
    Image.new("P", (8, 8)).save(small, "GIF")
    gif = small.getvalue()
    start = gif.index(b"\x2c", 13 + (3 << ((gif[10] & 7) + 1)))
    frame = gif[start:-1]
    lie = b"\x2c" + struct.pack("<HHHH", *later) + frame[9:]
    return gif[:-1] + (lie + b"\x21\xfe\x01x\0") * frames + b";"


@hostile
def animations_that_lie(base: Path) -> None:
    animations = [
        animated_webp(8, 1, (8, 8)),
        animated_webp(8, 20_000, (8, 8)),
        animated_webp(16_384, 1, (8, 8)),
        animated_webp(1 << 24, 1, (1 << 24, 8)),
        animated_webp(8, 1, (1 << 24, 8)),
        animated_webp(8, 1, (8, 2_000)),
        animated_webp(8, 2, (8, 8), duration=(1 << 24) - 1),
        riff(b"WEBP", (b"VP8X", b"\x02" + bytes(9)), *[(b"ANMF", b"")] * 50_000),
        riff(b"WEBP", (b"VP8L", b"\x2f" + b"\xff" * 4)),
        animated_gif(1, (0, 0, 65_535, 65_535)),
        animated_gif(20_000, (65_535, 65_535, 8, 8)),
        animated_gif(2, (0, 0, 0, 0)),
    ]
    for number, encoded in enumerate(animations):
        values = [tensorboard.image("image", [encoded], 8, 8)]
        write_events(base / str(number), [tensorboard.event(WALL_TIME, 0, values)])


def lying_wav(layout: tuple[int, ...], data: bytes, length: int | None = None) -> bytes:
    """`layout` is kind, channels, rate, bytes per second, bytes per frame and bits."""
    fmt = struct.pack("<HHIIHH", *layout)
    size = struct.pack("<I", len(data) if length is None else length)
    chunks = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + size + data
    return b"RIFF" + struct.pack("<I", 4) + chunks


@hostile
def sounds_that_lie(base: Path) -> None:
    noise = np.random.default_rng(1).bytes(20_000)
    most = 2**32 - 1
    sounds = [
        lying_wav((1, 1, 8000, 0, 0, 8), noise * 10),
        lying_wav((1, 1, 8000, 16000, 2, 16), noise, most),
        lying_wav((1, 65_535, most, most, 65_535, 8), noise),
        lying_wav((1, 65_535, 0, 0, 0, 24), b"\0"),
        lying_wav((1, 0, 8000, 0, 0, 16), noise),
        lying_wav((3, 1, 8000, 0, 0, 64), np.array([np.nan, np.inf, -1e300, 5e-324]).tobytes()),
        lying_wav((3, 2, 8000, 0, 0, 32), noise[:50_001]),
        lying_wav((1, 1, 8000, 0, 0, 65_535), noise),
        lying_wav((0xFFFE, 1, 8000, 0, 0, 16), noise),
        lying_wav((1, 1, 1, 1, 1, 8), b"", most),
        riff(b"WAVE", *[(b"junk", b"")] * 20_000),
        b"RIFF" + struct.pack("<I", most) + b"WAVE" + b"LIST" + struct.pack("<I", most),
        b"RIFF\0\0\0\0WAVE",
        b"OggS" + noise,
    ]
    for number, sound in enumerate(sounds):
        old = tensorboard.audio_v1("old", sound, float("nan"), -1 & 0xFFFF, 2**62)
        values = [tensorboard.audio("new", [sound, sound]), old]
        write_events(base / str(number), [tensorboard.event(WALL_TIME, 0, values)])
        record = visualdl.audio(WALL_TIME, 0, "sound", sound, float("inf"))
        write_visualdl(base / f"visualdl{number}", [record])


DEEP_JSON = b'{"a":' * 5000 + b"1" + b"}" * 5000
ODD_JSON = (
    DEEP_JSON,
    b"[" * 100_000,
    b'{"a":' * 500 + b"1" + b"}" * 500,
    b'{"camera": [' + b"[]," * 200_000 + b"[]]}",
    b'{"big": ' + b"9" * 4000 + b', "nan": NaN, "infinity": -Infinity, "more": 1e999}',
    b'{"big": 18446744073709551616, "surrogate": "\\ud800", "\\udfff": 1}',
    b'{"": {"": ""}, "a": 1, "a": 2}',
    b"[1]",
    b"null",
    b"",
    b"\xff\xfe",
    "{}".encode("utf-16"),
)


@hostile
def meshes_that_lie(base: Path) -> None:
    points = np.zeros((1, 2, 3), np.float32)
    for number, config in enumerate(ODD_JSON):
        content = delimited(2, b"m") + delimited(5, config) + varint_field(3, 1)
        for size in (2**63 - 1, -1 & (2**64 - 1), 0):
            content += varint_field(6, size)
        values = [
            tensorboard.tensor(f"m_{name}", array, plugin_name="mesh", content=content)
            for name, array in (
                ("VERTEX", points),
                ("FACE", np.full((1, 2, 3), 2**31 - 1, np.int32)),
                ("COLOR", points.astype(np.uint8)[:, :, :2]),
            )
        ]
        write_events(base / str(number), [tensorboard.event(WALL_TIME, 0, values)])


@hostile
def embeddings_that_lie(base: Path) -> None:
    point = np.ones(2, "<f4").tobytes()
    heads = [
        *ODD_JSON,
        b'{"dims": [1, 2], "header": "' + b"h" * 300_000 + b'"}',
        b'{"dims": [1, 2], "header": [' + b"[]," * 100_000 + b"[]]}",
        b'{"dims": [1, 2], "header": {"a": 1}}',
        b'{"dims": [1, 2], "header": [' + DEEP_JSON[:2000] + b"]}",
        b'{"dims": [18446744073709551616, 0], "header": []}',
        b'{"dims": [-1, 2], "header": [1e999]}',
        b'{"dims": [2, 1], "header": [1234567890123456789012]}',
        b'{"dims": [[1], 2], "header": []}',
        b'{"dims": [' + b"1," * 100 + b'2], "header": []}',
        b'{"dims": [0, 2], "header": ["\\ud800"]}',
    ]
    for number, head in enumerate(heads):
        values = [
            tensorboard.strings_tensor(
                f"{count} labels", [head, point, *[b"\xff"] * count], (), plugin_name="embedding"
            )
            for count in (0, 1, 2, 10_000)
        ]
        values.append(
            tensorboard.strings_tensor("odd", [head, b"\0" * 7], (), plugin_name="embedding")
        )
        write_events(base / str(number), [tensorboard.event(WALL_TIME, 0, values)])


@hostile
def tensors_that_lie(base: Path) -> None:
    def tensor(dtype: int, content: bytes, *sizes: int) -> bytes:
        shape = b"".join(delimited(2, varint_field(1, size)) for size in sizes)
        return varint_field(1, dtype) + delimited(2, shape) + content

    lies = [
        tensor(1, b"\x2d\0\0\0\0", 2**31, 2**31),
        tensor(1, b"\x2d\0\0\x80\x3f", 10_000, 10_000),  # one value stands for all
        tensor(1, delimited(4, b"\0" * 7), 3),
        tensor(7, delimited(8, b""), 2**40),
        tensor(99, b"", 1),
        tensor(1, b"", *(1 for _ in range(200))),
    ]
    records = []
    for number, lie in enumerate(lies):
        for plugin in ("tensors", "histograms", "pr_curves", "mesh", "text", "images", "audio"):
            plugin_data = delimited(9, delimited(1, delimited(1, plugin.encode())))
            value = delimited(1, f"{plugin}{number}".encode()) + plugin_data + delimited(8, lie)
            records.append(tensorboard.event(WALL_TIME, 0, [value]))
    write_events(base, records)


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


def hparams(content: bytes) -> bytes:
    plugin_data = delimited(1, delimited(1, b"hparams") + delimited(2, content))
    return delimited(1, b"_hparams_/session_start_info") + delimited(9, plugin_data)


def nested_value(depth: int, *, is_list: bool) -> bytes:
    """A google.protobuf.Value of structs or lists in each other."""
    value = varint_field(4, 1)
    for _ in range(depth):
        entry = value if is_list else delimited(1, b"a") + delimited(2, value)
        value = delimited(6 if is_list else 5, delimited(1, entry))
    return value


@hostile
def hparams_that_lie(base: Path) -> None:
    def session(values: Iterable[tuple[bytes, bytes]], *more: bytes) -> bytes:
        entries = (delimited(1, delimited(1, name) + delimited(2, v)) for name, v in values)
        return hparams(delimited(3, b"".join((*entries, *more))))

    metrics = b"".join(
        delimited(5, delimited(1, delimited(1, b"g/%d" % n) + delimited(2, b"t%d" % n)))
        for n in range(3000)
    )
    nested = [nested_value(depth, is_list=kind) for depth in (20, 900) for kind in (True, False)]
    text = delimited(3, b"x" * 300_000)
    numbers = [double_field(2, n) for n in (float("nan"), float("inf"), 1e300, -0.0, 2.0**53)]
    logged = {
        "many": session((b"p%d" % n, double_field(2, n)) for n in range(10_000)),
        "deep": session((b"p%d" % n, value) for n, value in enumerate(nested)),
        "shallow": session([(b"p", nested_value(20, is_list=True))]),
        "wide": session([(b"p", delimited(6, delimited(1, varint_field(4, 1)) * 50_000))]),
        "long": session([(b"n" * 300_000, text), (b"p", text)], delimited(4, b"g" * 300_000)),
        "numbers": session((b"p%d" % n, value) for n, value in enumerate(numbers)),
        "times": session([(b"lr", numbers[0])], double_field(5, float("inf"))),
        "odd": session([(b"\xff", b""), (b"", varint_field(1, 0)), (b"lr", delimited(3, b"\xff"))]),
        "cut": hparams(b"\x1a\xff\xff\xff\x0f"),
        "metrics": hparams(delimited(2, metrics)),
    }
    for name, value in logged.items():
        event = tensorboard.event(WALL_TIME, 0, [value])
        write_events(base / name, [event, *scalars(["t1", "loss"])])


@hostile
def visualdl_hparams_that_lie(base: Path) -> None:
    def info(name: bytes, value: bytes) -> bytes:
        return value + delimited(4, name)

    many = b"".join(delimited(1, info(b"p%d" % n, varint_field(1, n))) for n in range(5000))
    metrics = b"".join(delimited(2, info(b"m%d" % n, b"")) for n in range(3000))
    values = [varint_field(1, 2**63), double_field(2, float("nan")), delimited(3, b"\xff"), b""]
    odd = b"".join(delimited(1, info(b"\xff%d" % n, value)) for n, value in enumerate(values))
    contents = {"many": [many, metrics], "odd": [odd, odd, b"\x0a\xff\xff"], "again": [many] * 50}
    contents["long"] = [delimited(1, info(b"n" * 300_000, delimited(3, b"v" * 300_000)))]
    contents["empty"] = [delimited(1, b"") * 50_000 + delimited(2, b"") * 50_000]
    for name, records in contents.items():
        write_visualdl(
            base / name,
            [
                delimited(1, varint_field(1, step) + delimited(2, b"hparam") + delimited(13, one))
                for step, one in enumerate(records)
            ],
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
