"""PackIndex: jobs are in an index as they were."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_job import PackedJob
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.logs.warm.pack_index import (
    JobStates,
    KeptState,
    PackIndex,
    StoredJob,
    directory_bytes,
)
from mindviz.datavisual.run_listing import ListedRun
from mindviz.datavisual.series.lineage_facts import LineageFacts
from tests.datavisual.logs.warm.test_kept_job import facts, runs, times

PACK = "1.pack"
States = dict[str, tuple[FileIdentity, Place]]
counts = st.integers(0, 2**62)
places = st.builds(Place, st.just(PACK), counts, counts, counts)
identities = st.builds(FileIdentity.packed, counts, counts, counts, counts, counts)
names = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=3)
files = st.dictionaries(names, st.tuples(identities, places), min_size=1, max_size=3)
jobs = st.tuples(files, runs, facts, st.none() | times, counts, counts)


@given(st.dictionaries(names, jobs, max_size=3), st.sampled_from(["/base/", "s3://b/"]))
def test_jobs_are_in_an_index_as_they_were(
    found: dict[str, tuple[States, ListedRun, LineageFacts, float | None, int, int]], base: str
) -> None:
    rows: list[JobStates] = []
    expected: dict[str, tuple[PackedJob, States, int, int]] = {}
    for folder, (of_job, run, fact, start, identity, stamp) in found.items():
        states = [
            KeptState((f"{base}{folder}/{name}", f"{folder}/{name}"), *state)
            for name, state in of_job.items()
        ]
        own = [state.place for state in states]
        job = PackedJob.of(run, fact, start, 7, own, verified=True)
        rows.append(JobStates(f"./{folder}", states, job, directory_bytes(identity, stamp)))
        expected[f"./{folder}"] = job, of_job, identity, stamp
    section = PackIndex.section(rows, {})
    table = PackIndex(PACK, section)
    assert len(table) == len(table.files_of_jobs()) == sum(len(job[1]) for job in expected.values())
    assert section.document["train_ids"] == list(expected)
    for number, (job, of_job, identity, stamp) in enumerate(expected.values()):
        stored = StoredJob(table, number)
        assert (stored.traits, stored.row, stored.listed) == (job.traits, job.row, job.listed)
        assert (stored.start_time, stored.sums, stored.origin) == (
            *(job.start_time, job.sums, job.origin),
        )
        assert [stored.place(file) for file in range(len(of_job))] == [
            place for _, place in of_job.values()
        ]
        assert stored.logs == [(name, identity) for name, (identity, _) in of_job.items()]
        assert stored.stamp == stamp
        assert stored.are_all_in(identity, stamp)
        assert not stored.are_all_in(identity, stamp + 1)
        assert not stored.are_all_in(identity + 1, stamp)
        assert stored.is_kept
        assert not stored.nbytes
