"""The page of a snapshot reduces and smooths as the server does: both are tested with one file.

To write it again: python -m tests.snapshots.test_page_columns
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from mindviz.datavisual.analysis.group_statistics import group_points, group_statistics
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.snapshots.answer_key import PageRequest
from mindviz.snapshots.packed_words import packed_words

FILE = Path(__file__).parents[2] / "ui/src/api/snapshot/server_results_for_tests.json"
_POINTS = 203
_SMOOTHINGS = ("ema:0.6", "ema:0", "twema:0.9", "twema:0", "mean:4", "mean:7", "gaussian:2.5")
_GROUPS: Sequence[tuple[str, float | None, float | None, int, int]] = (
    ("step", None, None, 500, 2),
    ("step", None, None, 12, 4),
    ("step", 30.0, 120.0, 500, 3),
    ("relative", None, None, 20, 2),
    ("wall", 1_100.0, 1_250.0, 20, 1),
)
"""x axis, start, end, most points, number of members."""
_REQUESTS = (
    ("status", None),
    ("datavisual/scalars?tag=b&train_id=./a%20b&tag=%C3%BC&since=x&sample=3", None),
    ("series/a%252Fb?train_id=.%2Fx&tag=", None),
    ("lineagemgr/lineages", {"z": {"b": [1, 0.5, None], "a": True}, "a": "ü"}),
)


def _cases() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(7)
    step = np.cumsum(random.integers(1, 20, _POINTS)).astype(np.int64)
    value = np.sin(step / 90) + random.normal(0, 0.1, _POINTS)
    gaps = value.copy()
    gaps[[0, 5, 6, 7, 60, 61, 120, 202]] = np.nan
    gaps[[30, 90]] = np.inf, -np.inf
    many = value.copy()
    many[::2] = np.nan
    return {
        "noise": (step, value),
        "gaps": (step, gaps),
        "many gaps": (step, many),
        "nothing": (step, np.full(_POINTS, np.nan)),
        "huge": (step, value * 1e300),
        "constant": (step, np.ones(_POINTS)),
        "one": (step[:1], value[:1]),
    }


def _results() -> dict[str, Any]:
    def plain(values: np.ndarray) -> list[Any]:
        return [one if np.isfinite(one) else repr(float(one)) for one in values.tolist()]

    every = _cases()
    cases = {
        name: {
            "step": step.tolist(),
            "value": plain(value),
            "kept": {str(most): minmax(value, most).tolist() for most in (1, 2, 3, 4, 9, 40, 500)},
            "smoothed": {
                text: plain(parse_smoothing(text).of(step, value)) for text in _SMOOTHINGS
            },
        }
        for name, (step, value) in every.items()
    }
    groups = []
    # Overlapping ranges, gaps and one infinite value.
    members = [
        ScalarPoints(
            step=step[first:end],
            wall_time=1_000.0 + (7.5 * step[first:end]) % 400,
            value=value[first:end],
        )
        for (step, value), first, end in zip(
            (every["noise"], every["gaps"], every["huge"], every["one"]),
            (0, 20, 3, 0),
            (30, 45, 9, 1),
            strict=True,
        )
    ]
    for x_axis, start, end, most, count in _GROUPS:
        points = [group_points(one, x_axis, start, end) for one in members[:count]]
        found = group_statistics(points, most)
        groups.append(
            {
                "question": {"x": x_axis, "max_points": most}
                | ({} if start is None else {"start": start, "end": end}),
                "count": count,
                "columns": {
                    field.name: plain(getattr(found, field.name)) for field in fields(found)
                },
            }
        )
    words = np.array([0, 1, 2, 2**63 - 1, -5, 7], np.int64).tobytes() + b"abc"
    return {
        "cases": cases,
        "members": [
            {
                "step": one.step.tolist(),
                "wall_time": one.wall_time.tolist(),
                "value": plain(one.value),
            }
            for one in members
        ],
        "groups": groups,
        "words": {
            "bytes": base64.b64encode(words).decode(),
            "packed": base64.b64encode(packed_words(words)).decode(),
        },
        "keys": [
            {"path": path, "body": body, "key": PageRequest.of(path, body).key}
            for path, body in _REQUESTS
        ],
    }


def test_the_file_of_the_page_s_tests_has_the_results_of_the_server() -> None:
    known = json.loads(FILE.read_text("utf-8"))
    results = json.loads(json.dumps(_results()))
    for name, case in results["cases"].items():
        for text, values in case.pop("smoothed").items():
            np.testing.assert_allclose(
                np.array(known["cases"][name]["smoothed"][text], np.float64),
                np.array(values, np.float64),
                rtol=1e-12,
            )
        del known["cases"][name]["smoothed"]
    # zlib versions pack differently.
    known["words"].pop("packed")
    results["words"].pop("packed")
    assert known == results


if __name__ == "__main__":
    FILE.write_text(json.dumps(_results(), ensure_ascii=False), "utf-8")
