"""LineageRows: as if the lineages of all jobs were there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.analysis.lineage import Lineage, lineage_of
from mindviz.datavisual.series.job_lineages import JobLineages
from mindviz.datavisual.series.lineage_facts import NO_FACTS, JobLineage, LineageFacts
from mindviz.lineagemgr.lineage_rows import LineageRows

jobs_of = st.lists(
    st.builds(
        JobLineage,
        train_id=st.text(),
        version=st.integers(0, 2**62),
        create_time=st.floats(0, 1e10),
        update_time=st.floats(0, 1e10),
        facts=st.sampled_from([NO_FACTS, LineageFacts(hyper_parameters={"lr": 0.1})]),
    ),
    max_size=5,
)


def shown(rows: Iterable[Lineage]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]


@given(jobs_of, st.slices(7))
def test_rows_are_the_lineages_of_the_jobs(jobs: list[JobLineage], part: slice) -> None:
    every = [lineage_of(job, {}) for job in jobs]
    rows = LineageRows(
        JobLineages.of(jobs), {at: row for at, row in enumerate(every) if row.is_logged}
    )
    assert shown(rows) == shown(every)
    assert shown(reversed(rows)) == shown(every)[::-1]
    assert shown(rows[part]) == shown(every[part])
    assert rows.train_ids == [job.train_id for job in jobs]
    with pytest.raises(IndexError):
        rows[len(jobs)]
