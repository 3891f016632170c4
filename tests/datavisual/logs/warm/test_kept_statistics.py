from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.warm.kept_job import KeptJob, PackedJob, Traits
from mindviz.datavisual.logs.warm.kept_statistics import (
    STATISTICS,
    add_statistics,
    rows_in,
    statistics_in,
)
from mindviz.datavisual.logs.warm.pack import Pack, PackWriter, Place, Section
from mindviz.datavisual.series.columns import STATS_DTYPES
from mindviz.datavisual.series.lineage_facts import NO_FACTS
from mindviz.datavisual.series.time_series import SCALAR_PLUGIN

DTYPES = [f"<{STATS_DTYPES[name]}" for name in STATISTICS]
numbers = st.floats(width=32, allow_nan=False)
rows = st.tuples(numbers, numbers, numbers, st.integers(-9, 9), st.integers(0, 9))
series = st.dictionaries(st.sampled_from(["acc", "loss", "lr"]), rows, max_size=3)


def job(values: dict[str, tuple[float, ...]]) -> KeptJob:
    """A job with these statistics of each tag."""
    columns = list(zip(*values.values(), strict=True)) or [()] * len(STATISTICS)
    pairs = zip(columns, DTYPES, strict=True)
    statistics = b"".join(np.array(column, dtype).tobytes() for column, dtype in pairs)
    traits = Traits((), "", None, {SCALAR_PLUGIN: tuple(values)}, True, NO_FACTS)
    return PackedJob(traits, b"", (), statistics)


@given(st.lists(series, max_size=5))
def test_statistics_of_all_jobs_are_kept(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, tuple[float, ...]]]
) -> None:
    jobs = {64 * number: job(one) for number, one in enumerate(values)}
    folder = tmp_path_factory.mktemp("packs")
    writer = PackWriter(folder)
    places = add_statistics(writer, jobs.items())
    writer.commit(Section({}, ()))
    pack = Pack(folder / writer.name)
    sections = [pack.read(Place(writer.name, *place)) for place in places]
    kept = {offset: row for section in sections for offset, row in rows_in(section).items()}
    assert kept == {offset: one.statistics for offset, one in jobs.items()}
    for tag in ("acc", "loss", "other"):
        found = {offset: row for section in sections for offset, row in by_offset(section, tag)}
        assert found == {64 * number: one.get(tag, ()) for number, one in enumerate(values)}


def by_offset(section: Section, tag: str) -> Iterator[tuple[int, tuple[float, ...]]]:
    """The offset of each job, and its statistics of a tag."""
    offsets, columns = statistics_in(section, tag)
    for place, offset in enumerate(offsets.tolist()):
        yield offset, tuple(column[place].item() for column in columns or ())
