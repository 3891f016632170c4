"""Hostile logs whose payloads lie: media, configurations, layouts and hyperparameters."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image

from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import delimited, double_field, varint_field
from tests.encoded_values import visualdl_audio
from tests.hostile_logs import WALL_TIME, hostile, layout, scalars, write_events, write_visualdl


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
        record = visualdl_audio(WALL_TIME, 0, "sound", sound, float("inf"))
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


@hostile
def tensors_that_lie(base: Path) -> None:
    def tensor(dtype: int, content: bytes, *sizes: int) -> bytes:
        shape = b"".join(delimited(2, varint_field(1, size)) for size in sizes)
        return varint_field(1, dtype) + delimited(2, shape) + content

    lies = [
        tensor(1, b"\x2d\0\0\0\0", 2**31, 2**31),
        tensor(1, b"\x2d\0\0\x80\x3f", 10_000, 10_000),  # one value repeats
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
