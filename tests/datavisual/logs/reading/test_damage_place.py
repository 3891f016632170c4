from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.errors import TrainJobNotFound
from tests.written_logs import events, loaded, tensorboard_log, write


def test_a_damaged_record_has_its_place_behind_the_point_before_it(tmp_path: Path) -> None:
    log = bytearray(tensorboard_log([(step, 1.0) for step in range(100)]))
    size = len(events([(99, 1.0)]))
    log[-30 * size + 20] ^= 0xFF
    write(tmp_path, "tfevents.1", bytes(log))
    store = loaded(tmp_path)
    (problem,) = store.train_job("./").problems
    assert problem.offset is not None
    place = store.damage_place("./", problem.path, problem.offset)
    assert place is not None
    assert (place.step, place.wall_time, place.window) == (69, 1_069.0, (62, 76))


def test_the_series_logged_last_determines_the_place(tmp_path: Path) -> None:
    log = tensorboard_log([(7, 1.0)], tag="a") + events([(3, 1.0)], tag="b", start=2_000.0)
    write(tmp_path, "tfevents.1", log)
    place = loaded(tmp_path).damage_place("./", "tfevents.1", len(log))
    assert place is not None
    assert (place.step, place.wall_time, place.window) == (3, 2_000.0, (2, 4))


def test_without_earlier_points_the_place_is_unknown(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))
    store = loaded(tmp_path)
    assert store.damage_place("./", "tfevents.1", 0) is None
    assert store.damage_place("./", "../tfevents.1", 50) is None
    (tmp_path / "tfevents.1").unlink()
    assert store.damage_place("./", "tfevents.1", 50) is None
    with pytest.raises(TrainJobNotFound):
        store.damage_place("./nowhere", "tfevents.1", 50)
