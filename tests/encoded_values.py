"""Encodings that the recorder does not write, but other programs do."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mindviz.wire import encode_tensorboard
from mindviz.wire.encode import Tag
from mindviz.wire.proto import mindspore_pb2
from tests.proto import tensorboard_pb2, visualdl_pb2


def histogram_v1(tag: Tag, edges: ArrayLike, counts: ArrayLike) -> bytes:
    """TensorFlow 1's histogram: k counts and k + 1 edges."""
    limits = np.asarray(edges, np.float64)
    per_bucket = np.asarray(counts, np.float64)
    middles = (limits[:-1] + limits[1:]) / 2
    return encode_tensorboard.histogram_raw(
        tag,
        limits[1:],
        per_bucket,
        extent=(float(limits[0]), float(limits[-1])),
        count=float(per_bucket.sum()),
        total=float((middles * per_bucket).sum()),
        total_of_squares=float((middles**2 * per_bucket).sum()),
    )


def listed_tensor(tag: str, array: NDArray[np.generic], plugin_name: str = "") -> bytes:
    """A Summary.Value with a tensor of TensorFlow's, in the list of its dtype."""
    elements = array.ravel()
    if array.dtype == np.float16:
        elements = elements.view(np.uint16)
    elif array.dtype.kind == "c":
        elements = elements.view(elements.real.dtype)
    shape = [tensorboard_pb2.TensorShapeProto.Dim(size=size) for size in array.shape]
    tensor = tensorboard_pb2.TensorProto(
        dtype=encode_tensorboard.DATA_TYPES[array.dtype.name],  # type: ignore[arg-type]
        tensor_shape=tensorboard_pb2.TensorShapeProto(dim=shape),
    )
    getattr(tensor, _LISTS.get(array.dtype.name, "int_val")).extend(elements.tolist())
    value = tensorboard_pb2.Summary.Value(tag=tag.encode(), tensor=tensor)
    if plugin_name:
        value.metadata.plugin_data.plugin_name = plugin_name
    return value.SerializeToString()


_LISTS = {
    "float16": "half_val",
    "float32": "float_val",
    "float64": "double_val",
    "complex64": "scomplex_val",
    "complex128": "dcomplex_val",
    "int64": "int64_val",
    "uint32": "uint32_val",
    "uint64": "uint64_val",
    "bool": "bool_val",
}
"""numpy's name of a dtype -> its field in TensorProto, if not `int_val`."""


def mindspore_tensor(
    tag: bytes, data_type: mindspore_pb2.DataType, size: int, **elements: object
) -> bytes:
    """MindSpore's Summary.Value with a 1-D tensor, in an element field such as `int64_data`."""
    tensor = mindspore_pb2.TensorProto(
        dims=[size],
        data_type=data_type,
        **elements,  # type: ignore[arg-type]
    )
    return mindspore_pb2.Summary.Value(tag=tag, tensor=tensor).SerializeToString()


def visualdl_text(wall_time: float, step: int, tag: str, markdown: str) -> bytes:
    """VisualDL's record of a text."""
    text = visualdl_pb2.Record.Text(encoded_text_string=markdown)
    return _visualdl_record(wall_time, step, tag, text=text)


def visualdl_audio(wall_time: float, step: int, tag: str, wav: bytes, sample_rate: float) -> bytes:
    """VisualDL's record of a mono audio clip."""
    audio = visualdl_pb2.Record.Audio(
        sample_rate=sample_rate,
        num_channels=1,
        encoded_audio_string=wav,
        content_type="audio/wav",
    )
    return _visualdl_record(wall_time, step, tag, audio=audio)


def _visualdl_record(wall_time: float, step: int, tag: str, **value: object) -> bytes:
    record = visualdl_pb2.Record.Value(
        id=step,
        tag=tag.encode(),
        timestamp=round(wall_time * 1000),
        **value,  # type: ignore[arg-type]
    )
    return visualdl_pb2.Record(values=[record]).SerializeToString()
