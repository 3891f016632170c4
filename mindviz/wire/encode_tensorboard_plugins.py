"""Encodes the values of TensorBoard's plugins. Source: tensorboard/plugins.

Every function returns one Summary.Value, or several, for `encode_tensorboard.event`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.wire.encode import delimited, double_field, message, text_field, varint_field
from mindviz.wire.encode_tensorboard import DATA_CLASS_TENSOR, strings_tensor, tensor

Hyperparameter = bool | int | float | str | None

VERTEX, FACE, COLOR = 1, 2, 3
"""MeshPluginData.ContentType."""

_MESH_NAMES = {VERTEX: "VERTEX", FACE: "FACE", COLOR: "COLOR"}


def pr_curve(tag: str, counts: NDArray[np.float32]) -> bytes:
    """Shape (6, thresholds).

    Rows: true positives, false positives, true negatives, false negatives, precision, recall.
    """
    content = varint_field(2, counts.shape[1])
    return tensor(tag, counts, plugin_name="pr_curves", content=content)


def mesh(
    tag: str,
    vertices: NDArray[np.float32],
    faces: NDArray[np.int32] | None,
    colors: NDArray[np.uint8] | None,
    config: Mapping[str, object] | None,
) -> list[bytes]:
    """The values of a batch of meshes, one per array, each of shape (batch, count, 3)."""
    optional = {VERTEX: vertices, FACE: faces, COLOR: colors}
    arrays = {kind: array for kind, array in optional.items() if array is not None}
    components = sum(1 << kind for kind in arrays)
    json_config = json.dumps(config or {}, sort_keys=True)
    values = []
    for kind, array in arrays.items():
        content = b"".join(
            (
                delimited(2, tag.encode(errors="replace")),
                varint_field(3, kind),
                delimited(5, json_config.encode()),
                *[varint_field(6, size) for size in array.shape],
                varint_field(7, components),
            )
        )
        name = f"{tag}_{_MESH_NAMES[kind]}"
        values.append(tensor(name, array, plugin_name="mesh", content=content))
    return values


def embedding(
    tag: str,
    vectors: NDArray[np.float32],
    labels: Sequence[Sequence[str]],
    header: Sequence[str],
) -> bytes:
    """Points with labels, a kind of mindviz's; TensorBoard keeps them in separate files.

    A string tensor: JSON `{"dims": [n, d], "header": [...]}`, n x d float32 as bytes, then the
    labels row by row, one per name in the header.
    """
    head = json.dumps({"dims": list(vectors.shape), "header": list(header)})
    texts = [text.encode(errors="replace") for row in labels for text in row]
    strings = [head.encode(), vectors.astype("<f4", copy=False).tobytes(), *texts]
    return strings_tensor(
        tag,
        strings,
        (len(strings),),
        plugin_name="embedding",
        data_class=DATA_CLASS_TENSOR,
    )


def custom_scalars(layout: Mapping[str, Mapping[str, tuple[str, Sequence[str]]]]) -> bytes:
    """A layout: category -> chart -> (`Multiline` or `Margin`, tags)."""
    categories = b""
    for title, charts in layout.items():
        encoded = [
            message(2, delimited(1, name.encode()), _chart(kind, tags))
            for name, (kind, tags) in charts.items()
        ]
        categories += message(2, delimited(1, title.encode()), *encoded)
    return strings_tensor(
        "custom_scalars__config__", [categories], (), plugin_name="custom_scalars"
    )


def _chart(kind: str, tags: Sequence[str]) -> bytes:
    if kind == "Margin":
        value, lower, upper = (tag.encode() for tag in tags)
        return message(3, message(1, delimited(1, value), delimited(2, lower), delimited(3, upper)))
    return message(2, *[delimited(1, tag.encode()) for tag in tags])


def hparams_experiment(
    hparams: Mapping[str, Hyperparameter],
    metrics: Sequence[str],
    domains: Mapping[str, Sequence[Hyperparameter]],
) -> bytes:
    """The hyperparameters with their domains, and the metrics."""
    infos = [
        message(4, *_hparam_info(name, value, domains.get(name))) for name, value in hparams.items()
    ]
    metric_infos = [message(5, message(1, delimited(2, tag.encode()))) for tag in metrics]
    return _hparams("experiment", message(2, *infos, *metric_infos))


def hparams_session_start(hparams: Mapping[str, Hyperparameter]) -> bytes:
    """The values of the hyperparameters in one run."""
    return _hparams("session_start_info", delimited(3, hparams_entries(hparams)))


def hparams_entries(hparams: Mapping[str, Hyperparameter]) -> bytes:
    """The field `hparams` of SessionStartInfo, a map."""
    return b"".join(
        message(1, text_field(1, name), delimited(2, _struct_value(value)))
        for name, value in hparams.items()
    )


def hparams_session_end() -> bytes:
    """The end of a successful run."""
    return _hparams("session_end_info", message(4, varint_field(1, 1)))


def _hparams(name: str, data: bytes) -> bytes:
    """A value without tensor: HParams stores its data in the metadata."""
    tag = delimited(1, f"_hparams_/{name}".encode())
    plugin_data = message(1, delimited(1, b"hparams"), delimited(2, data))
    return tag + message(9, plugin_data)


def _hparam_info(
    name: str, value: Hyperparameter, domain: Sequence[Hyperparameter] | None
) -> list[bytes]:
    kinds = {str: 1, bool: 2, int: 3, float: 3}
    parts = [delimited(1, name.encode()), varint_field(4, kinds.get(type(value), 0))]
    if domain is not None:
        parts.append(message(5, *[delimited(1, _struct_value(allowed)) for allowed in domain]))
    return parts


def _struct_value(value: Hyperparameter) -> bytes:
    """A google.protobuf.Value."""
    if value is None:
        return varint_field(1, 0)
    if isinstance(value, bool):
        return varint_field(4, value)
    if isinstance(value, int | float):
        return double_field(2, float(value))
    return delimited(3, value.encode(errors="replace"))
