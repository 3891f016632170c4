from __future__ import annotations

from mindviz.export.json_numbers import json_safe


def test_nested_non_finite_numbers_are_text() -> None:
    infinity = float("inf")
    value = {"a": [1.5, float("nan"), {"b": -infinity}], "c": infinity, "d": None, "e": True}
    assert json_safe(value) == {
        "a": [1.5, "NaN", {"b": "-Infinity"}],
        "c": "Infinity",
        "d": None,
        "e": True,
    }
