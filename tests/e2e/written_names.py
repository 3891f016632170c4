"""Writes jobs and tags with names that try a page, for the browser tests.

python -m tests.e2e.written_names DIRECTORY

Three jobs, each with one value of every kind: one is called by HTML and so are its tags, one has
names as long as a file system allows and tags of 500 characters, one is Chinese.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mindviz.summary import SummaryRecord
from tests.e2e.written_kinds import add_kinds

HTML = "<img src=x onerror='window.ran = 1'>"
NAMES = {
    HTML: f"{HTML}<script>window.ran = 1<",
    "long_" * 50: "tag_" * 124,
    "训练一": "损失",
}
"""Job -> prefix of its tags, before a slash."""


def write_names(directory: Path) -> None:
    """A job for each name below a directory."""
    for job, tag in NAMES.items():
        with SummaryRecord(str(directory / job)) as record:
            add_kinds(record, 1, 0, prefix=f"{tag}/")
            record.record(1)


if __name__ == "__main__":
    write_names(Path(sys.argv[1]))
