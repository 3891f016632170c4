from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mindviz.datavisual.logs.warm.pack import (
    DamagedPack,
    Pack,
    PackWriter,
    Place,
    Section,
    read_index,
)

COLUMNS: Sequence[NDArray[Any]] = (
    np.array([1, -(2**63)]),
    np.array([], np.float64),
    np.array([np.nan, -0.0, np.inf]),
    np.array([True, False, True]),
    np.array([7], np.uint32),
)


def packed(folder: Path, *sections: Section) -> tuple[Path, list[Place]]:
    """A pack and the places of its sections."""
    writer = PackWriter(folder)
    places = [writer.add(section) for section in sections]
    writer.commit(Section({"of": len(sections)}, ()))
    writer.close()
    return folder / writer.name, places


def test_sections_are_mapped_as_they_were_added(tmp_path: Path) -> None:
    document = {"text": "\udcff\0", "number": float("inf"), "nothing": None}
    path, places = packed(tmp_path, Section(document, COLUMNS), Section([], ()))
    pack = Pack(path)
    assert read_index(path).document == {"of": 2}
    first, second = map(pack.map, places)
    assert (first.document, second.document) == (document, [])
    assert list(second.columns) == []
    for column, expected in zip(first.columns, COLUMNS, strict=True):
        assert (column.dtype, column.tobytes()) == (expected.dtype, expected.tobytes())
        assert column.flags.aligned
        assert not column.flags.writeable
    path.unlink()
    assert pack.map(places[0]).columns[0][1] == -(2**63)  # as long as it is mapped


def test_nothing_is_visible_until_it_is_complete(tmp_path: Path) -> None:
    writer = PackWriter(tmp_path)
    writer.add(Section({}, COLUMNS))
    assert list(tmp_path.glob("*.pack")) == []
    writer.close()
    assert list(tmp_path.iterdir()) == []


@given(st.data())
def test_every_flipped_bit_is_found(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path, (place,) = packed(tmp_path_factory.mktemp("packs"), Section({"a": 1}, COLUMNS))
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, 8 * len(content) - 1))
    content[at // 8] ^= 1 << at % 8
    path.write_bytes(content)
    padding = place.offset + place.size <= at // 8 < -(-(place.offset + place.size) // 64) * 64
    if padding:  # between two sections
        assert Pack(path).map(place).document == {"a": 1}
        return
    with pytest.raises(DamagedPack):
        read_index(path), Pack(path).map(place)


@pytest.mark.parametrize("size", [0, 10, 100, -1])
def test_a_part_of_a_pack_is_damaged(tmp_path: Path, size: int) -> None:
    path, _ = packed(tmp_path, Section({"a": 1}, COLUMNS))
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(DamagedPack):
        read_index(path)


def test_a_pack_that_is_gone_is_damaged(tmp_path: Path) -> None:
    path, (place,) = packed(tmp_path, Section({"a": 1}, COLUMNS))
    pack = Pack(path)
    path.unlink()
    with pytest.raises(DamagedPack):
        pack.map(place)
    with pytest.raises(DamagedPack):
        read_index(path)
