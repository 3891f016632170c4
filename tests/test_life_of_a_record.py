"""The path of a scalar from its file to the answer, as docs/life-of-a-record.md draws it."""

from __future__ import annotations

import math
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import TypeVar

import mindviz
from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.written_logs import events, loaded

DOCUMENT = Path(__file__).parent.parent / "docs" / "life-of-a-record.md"
PACKAGE = Path(mindviz.__file__).parent
LOADING = (
    ("datavisual/logs/directories/summary_watcher.py", "poll"),
    ("datavisual/logs/loading/file_loader.py", "refresh"),
    ("datavisual/logs/log_file.py", "read"),
    ("datavisual/logs/loading/train_job_loader.py", "snapshot"),
)
READING = (
    ("datavisual/plugins/scalar.py", "read"),
    ("datavisual/logs/log_store.py", "read_scalars"),
    ("datavisual/series/selection.py", "select_scalars"),
    ("backend/encoding.py", "points_json"),
)
T = TypeVar("T")


def walk(
    stations: tuple[tuple[str, str], ...], action: Callable[[], T]
) -> tuple[T, list[tuple[str, str]]]:
    """The result of the action, and which of these functions it called, in any thread."""
    wanted = {(str(PACKAGE / module), name): (module, name) for module, name in stations}
    visited: list[tuple[str, str]] = []

    def profile(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        station = wanted.get((code.co_filename, code.co_name))
        if event == "call" and station is not None:
            visited.append(station)

    previous = sys.getprofile(), threading.getprofile()
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        return action(), visited
    finally:
        sys.setprofile(previous[0])
        threading.setprofile(previous[1])


def test_a_record_is_noticed_read_and_published(tmp_path: Path) -> None:
    (tmp_path / "a.tfevents.1").write_bytes(events([(1, 0.5)]))
    store, visited = walk(LOADING, lambda: loaded(tmp_path))
    assert store.status().points == 1
    # By their last calls: the first snapshot is empty, and some formats are recognized by content.
    assert tuple(dict.fromkeys(reversed(visited))) == LOADING[::-1]


def test_a_scalar_passes_each_room_once_on_its_way_into_the_answer(tmp_path: Path) -> None:
    (tmp_path / "a.tfevents.1").write_bytes(events([(1, 0.5), (2, 0.25)]))
    client = create_app(Config(tmp_path), loaded(tmp_path)).test_client()
    query = {"train_id": "./", "tag": "loss/scalar"}
    response, visited = walk(
        READING, lambda: client.get("/v1/mindviz/datavisual/scalars", query_string=query)
    )
    (series,) = response.get_json()["scalars"]
    assert [row["value"] for row in series["values"]] == [0.5, 0.25]
    assert tuple(visited) == READING


def test_every_interface_selects_the_same_points(tmp_path: Path) -> None:
    logged = [(step, math.sin(step) * step) for step in range(200)]
    (tmp_path / "a.tfevents.1").write_bytes(events(logged))
    client = create_app(Config(tmp_path), loaded(tmp_path)).test_client()

    def get(path: str, tag: str, **query: object) -> dict[str, list[float]]:
        query = {"train_id": "./", "tag": tag, "start_step": 20, **query}
        answer = client.get(f"/v1/mindviz/{path}", query_string=query).get_json()
        values: dict[str, list[float]] = (
            answer["scalars"][0]["values"] if "scalars" in answer else answer
        )
        return values

    page = get("datavisual/scalars", "loss/scalar", max_points=12, format="columns")
    series = get("series/scalar", "loss", sample=12, sampling="minmax")
    with mindviz.open(tmp_path) as logs:
        table = logs.scalars(steps=(20, None), sample=12, sampling="minmax")
    assert len(page["step"]) <= 12
    assert page["step"] == series["step"] == list(table["step"])
    assert page["value"] == series["value"] == list(table["value"])


def test_the_document_names_these_modules_in_this_order() -> None:
    text = DOCUMENT.read_text("utf-8")
    drawn = re.findall(r"^\| \d+ \| `mindviz/([\w/.]+)`", text, re.MULTILINE)
    assert drawn == [module for module, _ in LOADING + READING]
