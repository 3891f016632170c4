from __future__ import annotations

import time

from mindviz.datavisual.logs.loading.shared_tables import (
    is_quiet,
    shared_metadata,
    shared_series,
)
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.series.columns import SeriesHead


def table(size: int) -> list[SeriesHead]:
    return [SeriesHead(0, b"%d" % number) for number in range(size)]


def test_equal_tables_are_one() -> None:
    assert shared_series(table(3)) is shared_series(table(3))
    assert list(shared_series(table(3))) == table(3)
    assert shared_metadata({1: b"a"}) is shared_metadata({1: b"a"})
    assert shared_metadata({1: b"a"}) == {1: b"a"}


def test_large_tables_are_not_compared() -> None:
    large = table(1_000)
    assert shared_series(large) is large
    metadata = dict.fromkeys(range(1_000), b"")
    assert shared_metadata(metadata) is metadata


def test_a_file_that_has_just_changed_may_grow() -> None:
    changed = [int(1e9 * (time.time() - age)) for age in (0, 3_600)]
    assert [is_quiet(FileIdentity.packed(1, 1, 1, ns, ns)) for ns in changed] == [False, True]
