"""PackIndex: jobs are in an index as they were."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.directories.log_directory import (
    directory_identity,
    directory_stamp,
)
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_job import PackedJob
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.logs.warm.pack_index import (
    JobStates,
    KeptState,
    PackIndex,
    StoredJob,
    directory_bytes,
    status_bytes,
)
from mindviz.datavisual.run_listing import ListedRun
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts
from tests.datavisual.logs.warm.test_kept_job import facts, runs, times
from tests.written_logs import write

PACK = "1.pack"
RUN = ListedRun(1.0, 2.0, 3, 4, 1, 0, 0, ("tensorboard",), "", None, {})
States = dict[str, tuple[FileIdentity, Place]]
counts = st.integers(0, 2**62)
places = st.builds(Place, st.just(PACK), counts, counts, counts)
identities = st.builds(FileIdentity.packed, counts, counts, counts, counts, counts)
names = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=3)
files = st.dictionaries(names, st.tuples(identities, places), min_size=1, max_size=3)
jobs = st.tuples(files, runs, facts, st.none() | times, counts, counts)


numbers = st.integers(0, (1 << 64) - 1)
times_ns = st.integers(-(1 << 62), 1 << 62)


@given(numbers, numbers, times_ns, times_ns)
def test_a_directory_is_compared_as_it_was_kept(
    device: int, inode: int, written: int, changed: int
) -> None:
    status: Any = SimpleNamespace(
        st_dev=device, st_ino=inode, st_mtime_ns=written, st_ctime_ns=changed
    )
    kept = directory_bytes(directory_identity(status), directory_stamp(status))
    assert status_bytes(status) == kept


def test_a_job_is_unchanged_as_long_as_its_directory_and_files_are(tmp_path: Path) -> None:
    paths = [write(tmp_path, name, b"log") for name in ("a.tfevents", "b.tfevents")]

    def stored() -> StoredJob:
        status = tmp_path.stat()
        states = [
            KeptState((str(path), path.name), FileIdentity.of(path.stat()), Place(PACK, 0, 1, 2))
            for path in paths
        ]
        job = PackedJob.of(RUN, NO_FACTS, None, 7, [state.place for state in states], verified=True)
        directory = directory_bytes(directory_identity(status), directory_stamp(status))
        section = PackIndex.section([JobStates("./", states, job, directory)], {})
        return StoredJob(PackIndex(PACK, section), 0)

    kept, newest = stored(), max(path.stat().st_mtime_ns for path in paths)
    assert kept.unchanged_at(str(tmp_path), os.stat, newest) == tmp_path.stat()
    assert kept.unchanged_at(str(tmp_path), os.stat, newest - 1) is None
    assert kept.unchanged_at(str(tmp_path / "other"), os.stat, newest) is None
    paths[1].write_bytes(b"more")
    assert kept.unchanged_at(str(tmp_path), os.stat, 1 << 62) is None
    kept = stored()
    os.utime(tmp_path, (1, 1))
    assert kept.unchanged_at(str(tmp_path), os.stat, 1 << 62) is None
    assert stored().unchanged_at(str(tmp_path), os.stat, 1 << 62) is not None


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
