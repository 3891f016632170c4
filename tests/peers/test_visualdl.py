"""Compatibility with VisualDL 2.5.3: in one process, reading its logs, and it reading ours."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from mindviz.datavisual.logs.log_store import (
        LogStore,
    )

SUB_TAGS = ("train", "test")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with everything that VisualDL can write without paddle and with a current numpy."""
    from visualdl import LogWriter

    directory = tmp_path_factory.mktemp("visualdl")
    generator = np.random.default_rng(7)
    with LogWriter(str(directory), display_name="a label") as writer:
        for step in range(40):
            writer.add_scalar("loss", 1 / (step + 1), step)
            writer.add_scalar("中文 tag", [np.nan, np.inf, -np.inf][step % 3], step)
            writer.add_scalars("losses", dict.fromkeys(SUB_TAGS, step * 0.1), step)
            writer.add_histogram("weights", generator.normal(size=100), step)
            writer.add_image("input", generator.integers(0, 255, (5, 7, 3), np.uint8), step)
            writer.add_text("notes", f"step {step}", step)
            writer.add_audio("sound", np.sin(np.arange(800) / 9), step)
    return directory


def peer_reader(directory: Path) -> Any:
    from visualdl import LogReader

    (path,) = directory.glob("vdlrecords*")
    return LogReader(file_path=str(path))


def test_visualdl_and_mindviz_live_in_one_process(import_beside: Callable[[str], None]) -> None:
    import_beside("import visualdl, visualdl.proto.record_pb2")


def test_every_series_is_read(read: Callable[[Path], LogStore], log: Path) -> None:
    store = read(log)
    tags = {plugin: list(names) for plugin, names in store.list_tags("./").items()}
    assert tags["scalar"] == ["loss", "losses/test", "losses/train", "中文 tag"]
    assert (tags["histogram"], tags["image"]) == (["weights"], ["input"])
    assert (tags["text"], tags["audio"]) == (["notes"], ["sound"])
    assert store.train_job("./").display_name == "a label"


def test_scalars_are_equal(read: Callable[[Path], LogStore], log: Path) -> None:
    store, reader = read(log), peer_reader(log)
    for tag in ("loss", "中文 tag"):
        written = reader.get_data("scalar", tag)
        series = store.read_scalars("./", tag)
        np.testing.assert_array_equal(series.step, [value.id for value in written])
        np.testing.assert_array_equal(series.value, [value.value for value in written])
        np.testing.assert_array_equal(
            series.wall_time, [value.timestamp / 1000 for value in written]
        )
        assert len(written) == 40


def test_sub_scalars_are_equal(read: Callable[[Path], LogStore], log: Path) -> None:
    store, written = read(log), peer_reader(log).get_data("scalars", "losses")
    for sub_tag in SUB_TAGS:
        series = store.read_scalars("./", f"losses/{sub_tag}")
        own = [value for value in written if value.tag_value.tag == sub_tag]
        np.testing.assert_array_equal(series.step, [value.id for value in own])
        np.testing.assert_array_equal(series.value, [value.tag_value.value for value in own])


def test_histograms_are_equal(read: Callable[[Path], LogStore], log: Path) -> None:
    series = read(log).read_values("./", "histogram", "weights")
    written = peer_reader(log).get_data("histogram", "weights")
    assert len(series.step) == len(written) == 40
    for index, value in enumerate(written):
        edges, counts = value.histogram.bin_edges, value.histogram.hist
        seen: Any = series.read(index)
        np.testing.assert_array_equal(
            seen.buckets, np.stack([edges[:-1], edges[1:], counts], axis=1)
        )


def test_images_are_equal(read: Callable[[Path], LogStore], log: Path) -> None:
    series = read(log).read_values("./", "image", "input")
    written = peer_reader(log).get_data("image", "input")
    assert len(series.step) == len(written) == 40
    for index, value in enumerate(written):
        seen: Any = series.read(index)
        assert seen.encoded == (value.image.encoded_image_string,)
        assert (seen.width, seen.height) == (7, 5)


def test_visualdl_reads_our_encoders_output(our_logs: Path, expected: Any) -> None:
    reader = peer_reader(our_logs / "visualdl")
    points = expected["visualdl"]["scalar"]
    seen = [[v.id, v.timestamp / 1000, v.value] for v in reader.get_data("scalar", "loss")]
    np.testing.assert_array_equal(seen, points["loss"])
    for value_of in SUB_TAGS:
        seen = [
            [v.id, v.timestamp / 1000, v.tag_value.value]
            for v in reader.get_data("scalars", "losses")
            if v.tag_value.tag == value_of
        ]
        np.testing.assert_array_equal(seen, points[f"losses/{value_of}"])
    for value in reader.get_data("image", "input"):
        assert value.image.encoded_image_string.hex() == expected["png"]
    for value in reader.get_data("histogram", "weights"):
        assert list(value.histogram.bin_edges) == expected["edges"]
        assert list(value.histogram.hist) == expected["counts"]
    for value in reader.get_data("text", "notes"):
        assert value.text.encoded_text_string == expected["text"]
    for value in reader.get_data("audio", "sound"):
        assert value.audio.encoded_audio_string.hex() == expected["wav"]


def test_visualdls_server_side_reader_finds_our_log(our_logs: Path) -> None:
    from visualdl import LogReader

    reader = LogReader(str(our_logs / "visualdl"))
    assert {"scalar", "scalars", "image", "histogram", "text", "audio"} <= reader.components()
    assert "a label" in reader.name2tags


def test_the_same_arrays_have_parity_with_ours(tmp_path: Path) -> None:
    from visualdl import LogWriter

    from tests.parity_logs import rows, scalars, unequal_writers

    values = scalars()
    with LogWriter(str(tmp_path / "peer")) as writer:
        for step, row in rows(values):
            for tag, value in row.items():
                writer.add_scalar(tag, value, step)
    assert unequal_writers(tmp_path / "peer", tmp_path, values) == []


def test_the_same_values_have_parity_with_ours(tmp_path: Path) -> None:
    from visualdl import LogWriter

    from tests.parity_values import RATE, steps, unequal_writers

    with LogWriter(str(tmp_path / "peer")) as writer:
        for step, one in enumerate(steps()):
            inside = np.repeat(one.edges[:-1] + 0.125, one.counts)
            writer.add_histogram("histogram", inside, step, buckets=one.edges)
            writer.add_image("image", one.pixels, step)
            writer.add_audio("audio", one.sound, step, RATE)
            writer.add_text("text", one.text, step)
    plugins = "histogram image audio text"
    assert unequal_writers(tmp_path / "peer", tmp_path, plugins) == []
