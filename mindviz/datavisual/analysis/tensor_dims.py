"""Tensor dims: parses the slice of a tensor in a request."""

from __future__ import annotations

import re

from mindviz.errors import InvalidQuery

MAX_SLICED_DIMENSIONS = 2
"""The page shows tables: rows and columns."""

Index = tuple[int | slice, ...]


def parse_dims(
    text: str, shape: tuple[int, ...], *, most_slices: int = MAX_SLICED_DIMENSIONS
) -> Index:
    """An index into a tensor of this shape, e.g. from `[0, :, -1, 2:10:2]`.

    One item per dimension: an integer, negative from the end, or a slice as in Python. At most
    `most_slices` items may be slices. Raises InvalidQuery.
    """
    inner = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    if inner is None:
        raise InvalidQuery(f"dims must be wrapped in [ and ], got {text[:100]!r}.")
    items = inner[1].split(",") if inner[1].strip() else []
    if len(items) != len(shape):
        raise InvalidQuery(f"The tensor has {len(shape)} dimensions, but dims has {len(items)}.")
    if sum(":" in item for item in items) > most_slices:
        raise InvalidQuery(f"At most {most_slices} items of dims may be slices.")
    return tuple(_index(item, size) for item, size in zip(items, shape, strict=True))


def _index(item: str, size: int) -> int | slice:
    parts = item.split(":")
    try:
        numbers = [int(part) if part.strip() else None for part in parts]
    except ValueError:
        raise InvalidQuery(f"{item.strip()[:100]!r} is no index.") from None
    if len(parts) > 3 or numbers == [None] or (len(numbers) == 3 and numbers[2] == 0):
        raise InvalidQuery(f"{item.strip()[:100]!r} is no index.")
    if len(numbers) > 1:
        return slice(*numbers)
    number = numbers[0]
    if number is None or not -size <= number < size:
        raise InvalidQuery(f"Index {item.strip()[:100]} is beyond a dimension of size {size}.")
    return number
