from __future__ import annotations

import errno

from mindviz.datavisual.logs.loading.file_findings import reading_findings
from mindviz.datavisual.series.findings import FindingKind


def test_problems_of_reading_name_the_place() -> None:
    error = OSError(errno.EIO, "Input/output error")
    failed, timeless = reading_findings("run/log", 100, error, timeless=True)
    assert (failed.kind, failed.path, failed.offset) == (FindingKind.UNREADABLE, "run/log", 100)
    assert "it is retried" in failed.detail
    assert timeless.kind is FindingKind.BAD_WALL_TIME


def test_a_file_that_was_read_has_none() -> None:
    assert not list(reading_findings("run/log", 100, None, timeless=False))
