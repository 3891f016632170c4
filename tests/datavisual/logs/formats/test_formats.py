from __future__ import annotations

import re

import pytest

from mindviz.datavisual.logs.formats import log_formats, time_in_name

TIME = re.compile(r"log\.(\d+)")


def test_formats_are_discovered_and_sorted_by_name() -> None:
    assert [log_format.name for log_format in log_formats()] == [
        "mindspore",
        "tensorboard",
        "visualdl",
    ]


@pytest.mark.parametrize(
    "name",
    [
        "events.out.events.summary.1795243738.0.vm_MS",
        "events.out.events.summary.1795243738.0.vm_lineage",
        "events.out.tfevents.1795243701.vm",
        "vdlrecords.1700000000.log",
        "vdlgraph.1700000000.log",
        "ms_output_optimize.pb",
    ],
)
def test_a_file_belongs_to_one_format(name: str) -> None:
    assert sum(log_format.file_kind(name) is not None for log_format in log_formats()) == 1


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("log.1700000000", 1_700_000_000.0),
        ("log.0", 0.0),
        ("log.253402300799", 253_402_300_799.0),
        ("log.253402300800", None),
        ("log." + "9" * 10_000, None),
        ("log.x", None),
        ("", None),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_time_in_a_name_is_a_date_or_nothing(name: str, seconds: float | None) -> None:
    assert time_in_name(TIME, name) == seconds


def test_every_format_parses_the_time_in_its_names() -> None:
    names = {
        "mindspore": "events.out.events.summary.1700000000.0.vm_MS",
        "tensorboard": "events.out.tfevents.1700000000.vm.1.0",
        "visualdl": "vdlrecords.1700000000.log",
    }
    for log_format in log_formats():
        assert log_format.creation_time(names[log_format.name]) == 1_700_000_000.0
        assert log_format.creation_time("something else") is None
