"""JobLineages: columns that answer as the list of lineages does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.job_lineages import JobLineages
from mindviz.datavisual.series.lineage_facts import NO_FACTS, JobLineage
from tests.lineagemgr.test_lineage_rows import jobs_of


@given(jobs_of, st.slices(5))
def test_columns_answer_as_the_list(jobs: list[JobLineage], part: slice) -> None:
    columns = JobLineages.of(jobs)
    assert JobLineages.of(columns) is columns
    assert list(columns) == jobs
    assert columns[part] == jobs[part]
    assert columns.train_ids == [job.train_id for job in jobs]
    logged = {place: job for place, job in enumerate(jobs) if job.facts is not NO_FACTS}
    assert columns.logged == logged
    assert list(columns.logged) == list(logged)
    assert all(job.facts is NO_FACTS for job in columns if job.facts == NO_FACTS)
