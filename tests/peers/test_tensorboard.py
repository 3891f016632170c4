"""TensorBoard reads our TensorBoard encoder's output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest


@pytest.fixture(scope="module")
def accumulator() -> Any:
    """The reader behind TensorBoard's own pages, keeping every step."""
    import os

    from tensorboard.backend.event_processing.plugin_event_accumulator import EventAccumulator

    path = Path(os.environ["MINDVIZ_PEER_LOGS"]) / "tensorboard"
    return EventAccumulator(str(path), size_guidance={"tensors": 0}).Reload()


def tensors(accumulator: Any, tag: str) -> list[tuple[int, float, Any]]:
    from tensorboard.util.tensor_util import make_ndarray

    return [
        (event.step, event.wall_time, make_ndarray(event.tensor_proto))
        for event in accumulator.Tensors(tag)
    ]


def test_the_file_is_accepted_to_its_end(our_logs: Path, expected: Any) -> None:
    from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader

    (path,) = (our_logs / "tensorboard").iterdir()
    assert len(list(RawEventFileLoader(str(path)).Load())) == 1 + 11 * expected["steps"]


def test_every_tag_belongs_to_its_plugin(accumulator: Any) -> None:
    found = {
        tag: accumulator.SummaryMetadata(tag).plugin_data.plugin_name
        for tag in accumulator.Tags()["tensors"]
    }
    assert found == {
        "loss": "scalars",
        "accuracy": "scalars",
        "listed": "scalars",
        "weights/old": "histograms",
        "weights/new": "histograms",
        "input/old": "images",
        "input/new": "images",
        "sound/old": "audio",
        "sound/new": "audio",
        "notes": "text",
        "plain": "custom",
    }


def test_scalars_are_equal(accumulator: Any, expected: Any) -> None:
    for tag, points in expected["tensorboard"]["scalar"].items():
        seen = [[step, time, value.item()] for step, time, value in tensors(accumulator, tag)]
        np.testing.assert_array_equal(seen, points, tag)


def test_the_accumulator_that_scripts_use_reads_the_same(our_logs: Path, expected: Any) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(our_logs / "tensorboard"), size_guidance={"scalars": 0})
    accumulator.Reload()
    seen = [[event.step, event.wall_time, event.value] for event in accumulator.Scalars("loss")]
    np.testing.assert_array_equal(seen, expected["tensorboard"]["scalar"]["loss"])
    assert len(accumulator.Images("input/old")) > 0
    assert accumulator.Histograms("weights/old")[0].histogram_value.bucket == expected["counts"]


def test_histograms_are_equal(accumulator: Any, expected: Any) -> None:
    edges, counts = expected["edges"], expected["counts"]
    rows = np.stack([edges[:-1], edges[1:], counts], axis=1)
    for tag in ("weights/old", "weights/new"):
        for _, _, seen in tensors(accumulator, tag):
            np.testing.assert_array_equal(seen, rows, tag)


def test_images_are_equal(accumulator: Any, expected: Any) -> None:
    size = [b"%d" % length for length in expected["size"]]
    for tag in ("input/old", "input/new"):
        for _, _, seen in tensors(accumulator, tag):
            assert seen.tolist() == [*size, bytes.fromhex(expected["png"])]


def test_sounds_texts_and_tensors_are_equal(accumulator: Any, expected: Any) -> None:
    wav = bytes.fromhex(expected["wav"])
    # Either generation becomes a column of clips when TensorBoard migrates it.
    for tag in ("sound/old", "sound/new"):
        for _, _, seen in tensors(accumulator, tag):
            assert seen.tolist() == [wav]
    for _, _, seen in tensors(accumulator, "notes"):
        assert seen.item().decode() == expected["text"]
    for _, _, seen in tensors(accumulator, "plain"):
        assert seen.tolist() == expected["tensor"]


def test_the_data_server_reads_it_without_a_complaint(our_logs: Path) -> None:
    import subprocess

    import tensorboard_data_server

    command = [tensorboard_data_server.server_binary(), "--logdir", str(our_logs / "tensorboard")]
    command += ["--reload", "once", "-v", "--checksum", "--port", "0", "--host", "127.0.0.1"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        lines: list[str] = []
        for line in process.stderr or ():
            lines.append(line)
            if "Finished load cycle" in line:
                break
        process.kill()
    assert "Finished load cycle" in lines[-1]
    assert not [line for line in lines if "WARN" in line or "ERROR" in line]
