from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.reading import value_reader
from mindviz.datavisual.series.time_series import Image
from mindviz.errors import DamagedValue, LogUnreadable
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.disk_faults import Faults
from tests.written_logs import loaded, write

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100_000)


def image_log(*, start: float, steps: range) -> bytes:
    records = [
        tensorboard.event(start + i, step, [tensorboard.image_v1("cat", PNG, step, 2)])
        for i, step in enumerate(steps)
    ]
    return frames(records, Framing.TFRECORD)


def test_values_are_read_from_their_file(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 4)))
    write(tmp_path, "tfevents.2", image_log(start=100.0, steps=range(3, 6)))
    series = loaded(tmp_path).read_values("./", "image", "cat")
    assert series.step.tolist() == [1, 2, 3, 4, 5]
    assert series.wall_time.tolist() == [1.0, 2.0, 100.0, 101.0, 102.0]
    for number, step in enumerate(series.step.tolist()):
        image = series.read(number)
        assert isinstance(image, Image)
        assert (image.width, image.encoded) == (step, (PNG,))


def test_each_writer_has_its_own_values(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 4)))
    write(tmp_path, "tfevents.2", image_log(start=1.5, steps=range(7, 9)))
    store = loaded(tmp_path)
    series = store.read_values("./", "image", "cat")
    assert (series.step.tolist(), series.writers) == ([1, 2, 3], ("tfevents.1", "tfevents.2"))
    other = store.read_values("./", "image", "cat", writer="tfevents.2")
    assert other.step.tolist() == [7, 8]


def test_the_size_of_an_image_is_known_without_reading_it_all(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(7, 9)))
    series = loaded(tmp_path).read_values("./", "image", "cat")
    assert series.read_size is not None
    assert series.read_size(1) == (8, 2, 1)


@pytest.mark.parametrize("place", [-5, 5, -1], ids=["in the value", "in the header", "in the CRC"])
def test_large_records_are_verified_when_they_are_read(tmp_path: Path, place: int) -> None:
    path = write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 2)))
    series = loaded(tmp_path).read_values("./", "image", "cat")
    content = bytearray(path.read_bytes())
    content[place] ^= 4
    path.write_bytes(content)
    with pytest.raises(DamagedValue):
        series.read(0)


def test_a_file_that_shrank_since_is_a_damaged_value(tmp_path: Path) -> None:
    path = write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 2)))
    series = loaded(tmp_path).read_values("./", "image", "cat")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(DamagedValue, match="shorter"):
        series.read(0)
    path.unlink()
    with pytest.raises(DamagedValue, match="could not be read"):
        series.read(0)


def test_a_read_that_fails_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 2)))
    store = loaded(tmp_path)
    series = store.read_values("./", "image", "cat")
    assert series.read_size is not None
    for call in ("open", "preadv"):
        with Faults(monkeypatch).on(call, "tfevents.1"):
            with pytest.raises(LogUnreadable, match="Input/output error"):
                series.read(0)
            with pytest.raises(LogUnreadable, match="Input/output error"):
                series.read_size(0)
    assert isinstance(series.read(0), Image)
    assert store.train_job("./").problems == ()


def test_a_value_of_any_size_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "tfevents.1", image_log(start=1.0, steps=range(1, 2)))
    series = loaded(tmp_path).read_values("./", "image", "cat")
    monkeypatch.setattr(value_reader, "MAX_VALUE_SIZE", 100_000)
    faults = Faults(monkeypatch)
    with faults.on("open", "tfevents.1"), pytest.raises(DamagedValue, match="more than the 100000"):
        series.read(0)
    assert faults.raised == 0
