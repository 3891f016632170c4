"""Encodes a provider's answers as numpy archives (npz), exactly and without pickles.

`series` is JSON as bytes, `[[train_id, tag, number of points], ...]`; `step` and `wall_time`
contain the points of all series. In addition:

- scalars: `value` (float64);
- tensors: `tensors`, JSON `[[dtype, shape, bytes], ...]`, and `data`, their contents packed as in
  databases (`payloads.packed_tensor`);
- blob sequences: `references`, JSON `[[{"key": ...} or {"url": ...}, ...], ...]`;
- aggregates: a column per field, with a number per series, and no points.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.generic.data_provider import BlobReference, BlobSequencePoints
from mindviz.datavisual.payloads.packed_tensor import PackedTensor, packed, unpacked
from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints, TensorPoints
from mindviz.errors import DamagedValue

T = TypeVar("T")
Points = TypeVar("Points", ScalarPoints, TensorPoints, BlobSequencePoints)
Archive = Mapping[str, NDArray[Any]]

_FIELDS = tuple(field.name for field in fields(ScalarAggregate))
_INTEGERS = {"count", "argmin", "argmax"}


def packed_scalars(answer: Mapping[str, Mapping[str, ScalarPoints]]) -> bytes:
    """Pack an answer of `read_scalars`."""
    return _archived(answer, value=_joined((points.value for points in _each(answer)), np.float64))


def unpacked_scalars(content: bytes) -> dict[str, dict[str, ScalarPoints]]:
    """The inverse of `packed_scalars`. Raises DamagedValue."""
    archive = _opened(content, "step", "wall_time", "value")
    return _unpacked(archive, ScalarPoints, archive["value"])


def packed_tensors(answer: Mapping[str, Mapping[str, TensorPoints]]) -> bytes:
    """Pack an answer of `read_tensors`."""
    tensors = [packed(tensor) for series in _each(answer) for tensor in series.value]
    return _archived(
        answer,
        tensors=_json([(tensor.dtype, tensor.shape, len(tensor.data)) for tensor in tensors]),
        data=np.frombuffer(b"".join(tensor.data for tensor in tensors), np.uint8),
    )


def unpacked_tensors(content: bytes) -> dict[str, dict[str, TensorPoints]]:
    """The inverse of `packed_tensors`. Raises DamagedValue."""
    archive = _opened(content, "step", "wall_time", "tensors", "data")
    return _unpacked(archive, TensorPoints, tuple(_tensors(archive)))


def packed_blob_sequences(answer: Mapping[str, Mapping[str, BlobSequencePoints]]) -> bytes:
    """Pack an answer of `read_blob_sequences`."""
    sequences = [
        [{"url": blob.url} if blob.url else {"key": blob.key} for blob in sequence]
        for series in _each(answer)
        for sequence in series.references
    ]
    return _archived(answer, references=_json(sequences))


def unpacked_blob_sequences(content: bytes) -> dict[str, dict[str, BlobSequencePoints]]:
    """The inverse of `packed_blob_sequences`. Raises DamagedValue."""
    archive = _opened(content, "step", "wall_time", "references")
    sequences = tuple(
        tuple(BlobReference(**blob) for blob in sequence)
        for sequence in _text(archive["references"])
    )
    return _unpacked(archive, BlobSequencePoints, sequences)


def packed_aggregates(answer: Mapping[str, Mapping[str, ScalarAggregate]]) -> bytes:
    """Pack an answer of `aggregate_scalars`."""
    rows = [asdict(aggregate) for aggregate in _each(answer)]
    columns = {
        name: np.array([row[name] for row in rows], np.int64 if name in _INTEGERS else np.float64)
        for name in _FIELDS
    }
    names = [(train_id, tag, 0) for train_id, tags in answer.items() for tag in tags]
    return _npz({"series": _json(names), **columns})


def unpacked_aggregates(content: bytes) -> dict[str, dict[str, ScalarAggregate]]:
    """The inverse of `packed_aggregates`. Raises DamagedValue."""
    archive = _opened(content, *_FIELDS)
    columns = [archive[name].tolist() for name in _FIELDS]
    answer: dict[str, dict[str, ScalarAggregate]] = {}
    for (train_id, tag, _), *row in zip(_text(archive["series"]), *columns, strict=True):
        answer.setdefault(train_id, {})[tag] = ScalarAggregate(*row)
    return answer


def _archived(answer: Mapping[str, Mapping[str, Points]], **columns: NDArray[Any]) -> bytes:
    names = [
        (train_id, tag, len(points.step))
        for train_id, tags in answer.items()
        for tag, points in tags.items()
    ]
    return _npz(
        {
            "series": _json(names),
            "step": _joined((points.step for points in _each(answer)), np.int64),
            "wall_time": _joined((points.wall_time for points in _each(answer)), np.float64),
            **columns,
        }
    )


def _npz(columns: Archive) -> bytes:
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **columns)
    return file.getvalue()


def _opened(content: bytes, *names: str) -> Archive:
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            return {name: archive[name] for name in ("series", *names)}
    except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise DamagedValue(f"An answer is damaged: {error}.") from error


def _each(answer: Mapping[str, Mapping[str, T]]) -> Iterator[T]:
    for tags in answer.values():
        yield from tags.values()


def _unpacked(
    archive: Archive, points: Callable[[Any, Any, Any], T], values: Any
) -> dict[str, dict[str, T]]:
    """Each series with its slice of the points."""
    columns = archive["step"], archive["wall_time"], values
    answer: dict[str, dict[str, T]] = {}
    first = 0
    for train_id, tag, count in _text(archive["series"]):
        end = first + count
        of_series = points(*(column[first:end] for column in columns))
        answer.setdefault(train_id, {})[tag] = of_series
        first = end
    return answer


def _tensors(archive: Archive) -> Iterator[NDArray[np.generic]]:
    data, first = archive["data"].tobytes(), 0
    for dtype, shape, size in _text(archive["tensors"]):
        yield unpacked(*PackedTensor(dtype, shape, data[first : first + size]))
        first += size


def _joined(parts: Iterable[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    arrays: Sequence[NDArray[Any]] = list(parts)
    return np.concatenate(arrays, dtype=dtype) if arrays else np.empty(0, dtype)


def _json(value: Any) -> NDArray[np.uint8]:
    # The standard library's json also encodes file names that are not UTF-8.
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _text(array: NDArray[Any]) -> Any:
    return json.loads(array.tobytes())
