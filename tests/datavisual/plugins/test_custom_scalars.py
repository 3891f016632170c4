from __future__ import annotations

from typing import Any

from mindviz.datavisual.plugins.custom_scalars import PLUGIN, overview
from mindviz.datavisual.series.time_series import (
    ChartLayout,
    LayoutCategory,
    LayoutChart,
)
from tests.store_fake import FakeStore

LAYOUT = ChartLayout(
    (
        LayoutCategory(
            "all",
            (
                LayoutChart("lines", ("loss", "a(")),
                LayoutChart("band", margins=(("mean", "low", "high"),)),
            ),
        ),
    ),
    b"",
)

values = PLUGIN.values[""]
view = PLUGIN.view
TAG = "custom_scalars__config__"
CHARTS: list[Any] = [
    {"title": "lines", "kind": "multiline", "expressions": ["loss", "a("]},
    {
        "title": "band",
        "kind": "margin",
        "margins": [{"value": "mean", "lower": "low", "upper": "high"}],
    },
]


def store() -> FakeStore:
    """One job has the layout, two others the series."""
    known = FakeStore()
    known.add("./").add_values("custom_scalars", TAG, [0], [LAYOUT])
    known.add("./a").append("loss/train", [1], [0.5])
    for tag in ("mean", "low", "high"):
        known.add("./b") if "./b" not in known.jobs else None
        known.jobs["./b"].append(tag, [1], [0.5])
    return known


def resolved(train_ids: set[str] | None) -> Any:
    """The only category of the overview."""
    categories = overview(store(), train_ids)["categories"]
    assert isinstance(categories, list)
    (category,) = categories
    return category


def test_a_layout_is_shown_as_logged() -> None:
    known = store()
    expected = [{"title": "all", "closed": False, "charts": CHARTS}]
    assert view(known, "./", TAG).whole().columns["categories"] == [expected]
    assert values(known, "./", TAG).whole().columns["data"] == [expected]


def test_a_layout_is_resolved_to_the_series_of_each_job() -> None:
    category = resolved(None)
    lines, band = category["charts"]
    assert lines["series"] == [{"train_id": "./a", "tags": ["loss/train"]}]
    assert len(lines["problems"]) == 1
    assert band["series"] == [{"train_id": "./b", "margins": CHARTS[1]["margins"]}]


def test_the_overview_can_be_limited_to_some_jobs() -> None:
    category = resolved({"./b"})
    assert category["charts"][0]["series"] == []
    assert len(category["charts"][1]["series"]) == 1


def test_a_damaged_layout_does_not_hide_others() -> None:
    known = store()
    known.add("./c").add_values("custom_scalars", TAG, [0], [LAYOUT])
    known.jobs["./c"].damage("custom_scalars", TAG, 0)
    found = overview(known, None)
    assert found["categories"] == overview(store(), None)["categories"]
    assert found["problems"] == [{"train_id": "./c", "detail": "The record fails its checksum."}]
