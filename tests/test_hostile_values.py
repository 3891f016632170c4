"""Logs with hostile values, requested by every route that decodes values."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from mindviz.backend.app import create_app
from mindviz.config import Config
from mindviz.datavisual.logs.formats import log_formats
from mindviz.errors import DamagedValue
from mindviz.wire.encode import delimited, double_field, frames, varint, varint_field
from mindviz.wire.framing import Framing
from tests.golden.write_golden import PNG
from tests.sounds import SILENCE
from tests.written_logs import loaded, write

MOST = 64 * 1024 * 1024
"""Bytes of an answer about a log of some kilobytes."""

PLUGINS = {
    "images": "image", "audio": "audio", "histograms": "histogram", "text": "text",
    "pr_curves": "pr_curve", "mesh": "mesh", "custom_scalars": "custom_scalars",
    "embedding": "embedding", "graph_run_metadata": "run_metadata", "graph_keras_model": "graph",
    "": "tensor",
}  # fmt: skip
"""As logged -> as served."""

NUMBERS = st.sampled_from([0, 1, 2, 3, 6, 7, 255, 65_536, 1 << 31, 1 << 40, (1 << 63) - 1, -1])
STRINGS = st.sampled_from(
    [b"", b"1", b"2", b"-1", b"99999999999", b"\xff\xfe", b"{}", b"[" * 5_000, PNG, PNG[:40],
     SILENCE, SILENCE[:40], b'{"dims": [2, 2], "header": []}', b'{"dims": [-1, 0], "header": 3}',
     np.arange(4, dtype="<f4").tobytes(), b"<div>" * 3_000, b"*a " * 3_000]
)  # fmt: skip
NUMERIC_FIELDS = st.sampled_from([(5, "<f4"), (6, "<f8"), (7, ""), (10, ""), (11, ""), (13, "")])


@st.composite
def tensors(draw: st.DrawFn) -> bytes:
    """A TensorProto whose dtype, shape and elements may contradict each other."""
    dims = draw(st.lists(NUMBERS, max_size=4))
    shape = b"".join(delimited(2, varint_field(1, size)) for size in dims)
    parts = [
        varint_field(1, draw(st.sampled_from([*range(1, 34), 100, 101, 107, 0]))),
        delimited(2, shape) if draw(st.booleans()) else b"",
        delimited(4, draw(st.binary(max_size=24))) if draw(st.booleans()) else b"",
    ]
    parts += [delimited(8, text) for text in draw(st.lists(STRINGS, max_size=4))]
    number, dtype = draw(NUMERIC_FIELDS)
    elements = draw(st.lists(st.floats(width=32), max_size=8))
    if dtype:
        parts.append(delimited(number, np.array(elements, dtype).tobytes()))
    else:
        parts += [varint_field(number, draw(NUMBERS)) for _ in elements]
    return b"".join(parts)


def fields(content: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """A message of fields with any number and type."""
    number = st.integers(1, 15)
    one = st.one_of(
        st.builds(varint_field, number, NUMBERS),
        st.builds(double_field, number, st.floats()),
        st.builds(delimited, number, content),
        st.builds(
            lambda field, nan: varint(field << 3 | 5) + nan,
            number,
            st.binary(min_size=4, max_size=4),
        ),
    )
    return st.lists(one, max_size=6).map(b"".join)


MESSAGES = st.recursive(STRINGS | st.binary(max_size=40), fields, max_leaves=12)


def _nested(number: int, depth: int) -> bytes:
    content = b""
    for _ in range(depth):
        content = delimited(number, content)
    return content


NESTED = st.builds(_nested, st.integers(1, 15), st.sampled_from([50, 200, 2_000]))


def metadata(plugin_name: str, data_class: int = 0) -> bytes:
    return delimited(1, delimited(1, plugin_name.encode())) + varint_field(4, data_class)


def held(value: Any) -> int:
    """Bytes of a decoded value; repeated elements count once."""
    if isinstance(value, np.ndarray):
        return 0 if 0 in value.strides else value.nbytes
    if isinstance(value, (bytes, str)):
        return len(value)
    if isinstance(value, (tuple, list)):
        return 8 * len(value) + sum(map(held, value))
    if hasattr(value, "__dataclass_fields__"):
        return sum(held(getattr(value, name)) for name in value.__dataclass_fields__)
    return 0


KINDS = {
    "mindspore": ("image", "tensor", "histogram", "loss_landscape", "graph"),
    "tensorboard": ("image", "histo", "audio", "tensor", "graph_def", "meta_graph_def",
                    "tagged_run_metadata"),
    "visualdl": ("image", "audio", "embeddings", "histogram", "pr_curve", "roc_curve", "text",
                 "hparam", "graph"),
}  # fmt: skip


@given(
    st.sampled_from([(name, kind) for name, kinds in KINDS.items() for kind in kinds]),
    st.sampled_from(list(PLUGINS)),
    MESSAGES | tensors() | NESTED,
)
@settings(max_examples=300, deadline=None)
def test_any_value_is_decoded_or_damaged(
    which: tuple[str, str], logged_for: str, value: bytes
) -> None:
    (log_format,) = (one for one in log_formats() if one.name == which[0])
    try:
        decoded = log_format.decode(which[1], metadata(logged_for), value)
    except DamagedValue as error:
        assert len(str(error)) < 2_000
    else:
        assert held(decoded) <= 1_000_000 + 64 * len(value)


SHAPES = st.sampled_from(
    [[1], [2], [4], [2, 3], [0, 3], [6, 2], [6, 0], [1, 4, 3], [1, 0, 3], [2, 2, 2, 2]]
)


@st.composite
def sound_tensors(draw: st.DrawFn) -> bytes:
    """A consistent TensorProto of odd numbers or strings."""
    dims = draw(SHAPES)
    count = math.prod(dims)
    parts = [delimited(2, b"".join(delimited(2, varint_field(1, size)) for size in dims))]
    if draw(st.booleans()):
        parts.append(varint_field(1, 7))
        parts += [delimited(8, draw(STRINGS)) for _ in range(draw(st.sampled_from([1, count])))]
    else:
        numbers = draw(st.lists(st.floats(width=32), min_size=count, max_size=count))
        parts += [varint_field(1, 1), delimited(4, np.array(numbers, "<f4").tobytes())]
    return b"".join(parts)


@st.composite
def empty_tensors(draw: st.DrawFn) -> bytes:
    """A TensorProto of a large shape without elements."""
    dims = draw(st.permutations([0, draw(NUMBERS)]))
    return varint_field(1, 1) + delimited(
        2, b"".join(delimited(2, varint_field(1, size)) for size in dims)
    )


def tag_of(logged_for: str) -> str:
    return f"{logged_for or 'any'}_VERTEX"


def send_all(client: FlaskClient) -> None:
    """Request all values of the log from every route that decodes values."""
    for logged_for, plugin_name in PLUGINS.items():
        tag = tag_of(logged_for)
        query = f"train_id=./&tag={tag}"
        series = f"series/{plugin_name}"
        urls = [f"{series}?{query}", f"{series}/values?{query}", f"{series}/overview?train_id=./"]
        urls += [f"{series}/{file}?{query}&step=1" for file in ("blob", "npy")]
        kind = {"image": "pixels", "audio": "samples"}.get(plugin_name)
        urls += [f"{series}/values?{query}&values={kind}"] if kind else []
        urls += [
            f"datavisual/embeddings/points?{query}&step=1",
            f"datavisual/histograms?{query}/histogram",
        ]
        for detail in ("stats", "histogram", "data&dims=[:,:]"):
            urls.append(f"datavisual/tensors?{query}/tensor&step=1&detail={detail}")
        for url in urls:
            check(client.get(f"/v1/mindviz/{url}"), url)
        for route in ("data/tensors", "data/blob-sequences"):
            body = {"plugin_name": logged_for or "tensors", "num_points": 100}
            check(client.post(f"/v1/mindviz/{route}", json=body), f"{route} {logged_for}")
    for what in ("images", "histograms", "tensors"):
        for output_format in ("json", "npz", "csv"):
            url = f"datavisual/export?what={what}&format={output_format}"
            check(client.get(f"/v1/mindviz/{url}"), url)


def check(response: Any, url: str) -> None:
    assert response.status_code < 500, (url, response.data[:500])
    assert len(response.data) < MOST, url


@given(
    st.fixed_dictionaries(
        {
            name: st.lists(tensors() | sound_tensors() | empty_tensors(), min_size=1, max_size=2)
            for name in PLUGINS
        }
    )
)
@settings(max_examples=10, deadline=None)
def test_any_value_is_answered_for(logged: dict[str, list[bytes]]) -> None:
    events = [
        double_field(1, 1.0 + step)
        + varint_field(2, 1 + step)
        + delimited(
            5,
            delimited(
                1,
                delimited(1, tag_of(logged_for).encode())
                + delimited(9, metadata(logged_for))
                + delimited(8, value),
            ),
        )
        for logged_for, values in logged.items()
        for step, value in enumerate(values)
    ]
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        write(base, "tfevents.1", frames(events, Framing.TFRECORD))
        store = loaded(base)
        send_all(create_app(Config(base), store).test_client())
