"""KnownStates: the newest state of each file, by its job or by its path."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.directories.discovery import ExaminedJob, FoundFile
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.kept_job import PackedJob
from mindviz.datavisual.logs.warm.known_states import KnownStates
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.logs.warm.pack_index import JobStates, KeptState, PackIndex
from mindviz.datavisual.run_listing import ListedRun
from mindviz.datavisual.series.lineage_facts import NO_FACTS

FORMAT = next(one for one in log_formats() if one.name == "tensorboard")
RUN = ListedRun(1.0, 2.0, 3, 4, 1, 0, 0, ("tensorboard",), "", None, {})
FOLDERS, NAMES = ["a", "b"], ["x.tfevents", "y.tfevents"]
ROWS = st.tuples(
    st.sampled_from(FOLDERS),
    st.dictionaries(st.sampled_from(NAMES), st.integers(1, 2), min_size=1),
    st.booleans(),
)
Row = tuple[str, dict[str, int], bool]


def identity(size: int) -> FileIdentity:
    return FileIdentity.packed(1, 2, size, 3, 4)


def found(folder: str, name: str, size: int) -> FoundFile:
    kind = FORMAT.file_kind(name)
    assert kind is not None
    return FoundFile(f"/base/{folder}", folder, name, FORMAT, kind, identity(size))


def found_job(folder: str, sizes: dict[str, int]) -> ExaminedJob:
    files = [found(folder, name, size) for name, size in sorted(sizes.items())]
    return ExaminedJob(f"./{folder}", f"/base/{folder}", tuple(files), ())


def table(pack: str, rows: list[Row], *, verified: bool = True) -> PackIndex:
    states = []
    for folder, sizes, is_job in rows:
        files = [
            KeptState((file.path, file.relative_path), file.identity, Place(pack, 0, 1, 2))
            for file in found_job(folder, sizes).files
        ]
        places = [file.place for file in files]
        job = PackedJob.of(RUN, NO_FACTS, None, 0, places, verified=verified)
        states.append(JobStates(f"./{folder}", files, job if is_job else None, b""))
    return PackIndex(pack, PackIndex.section(states, {}))


def known(packs: list[list[Row]], *, verified: bool = True) -> KnownStates:
    indices = []
    for number, rows in enumerate(packs):
        document = {
            "paths": [
                file.path for folder, sizes, _ in rows for file in found_job(folder, sizes).files
            ],
            "train_ids": [f"./{folder}" for folder, _, is_job in rows if is_job],
        }
        indices.append((document, table(f"{number}.pack", rows, verified=verified)))
    return KnownStates((*index, index[0]["train_ids"]) for index in indices)


def unique(rows: list[Row]) -> list[Row]:
    return list({row[0]: row for row in rows}.values())


@given(st.lists(st.lists(ROWS, max_size=2).map(unique), max_size=4))
def test_the_newest_state_of_each_file_is_known_and_taken_once(packs: list[list[Row]]) -> None:
    newest: dict[tuple[str, str], tuple[str, int, bool]] = {}
    for number, rows in enumerate(packs):
        for folder, sizes, is_job in rows:
            if is_job:  # which has all files of its folder
                gone = [key for key, (*_, of_job) in newest.items() if key[0] == folder and of_job]
                for key in gone:
                    del newest[key]
            for name, size in sizes.items():
                newest[folder, name] = f"{number}.pack", size, is_job
    states = known(packs)
    for folder in FOLDERS:
        for name in NAMES:
            file = found(folder, name, 1)
            expected = newest.get((folder, name))
            entry = states.find(file)
            assert (entry is None) == (expected is None)
            if entry is not None and expected is not None:
                assert entry.table.pack == expected[0]
                assert entry.table.identity(entry.number) == identity(expected[1])
            assert states.take(file) == entry
            assert states.take(file) is None


@given(st.lists(st.lists(ROWS, max_size=2).map(unique), max_size=3), ROWS)
def test_a_job_is_taken_once_if_all_its_files_are_as_they_were(
    packs: list[list[Row]], row: Row
) -> None:
    folder, sizes, _ = row
    states, others = known(packs), known(packs)
    job = found_job(folder, sizes)
    newest = [others.find(file) for file in job.files]
    rows = [
        (f"{number}.pack", of_pack)
        for number, of_rows in enumerate(packs)
        for name, of_pack, is_job in of_rows
        if is_job and name == folder
    ]
    pack, last = rows[-1] if rows else ("", {})
    is_known = last == sizes and all(one is not None and one.table.pack == pack for one in newest)
    assert (states.take_job(replace(job, has_assets=True), verified=False)) is None
    taken = states.take_job(job, verified=False)
    assert (taken is not None) == is_known
    if taken is not None:
        assert taken.table.pack == pack
        assert states.take_job(job, verified=False) is None
        assert states.job(f"./{folder}") is None


def test_a_job_that_was_not_verified_is_not_taken_as_one() -> None:
    job = found_job("a", {NAMES[0]: 1})
    row = ("a", {NAMES[0]: 1}, True)
    assert known([[row]], verified=False).take_job(job, verified=True) is None
    assert known([[row]], verified=False).take_job(job, verified=False) is not None
    assert known([[row]], verified=True).take_job(job, verified=True) is not None


def test_paths_that_were_not_taken_are_listed() -> None:
    rows = [("a", dict.fromkeys(NAMES, 1), True), ("b", {NAMES[0]: 1}, False)]
    paths = [f"/base/a/{NAMES[0]}", f"/base/a/{NAMES[1]}", f"/base/b/{NAMES[0]}"]
    document = {"paths": paths, "train_ids": ["./a"]}
    states, index = known([rows]), table("0.pack", rows)
    assert states.paths_in(document, index) == set(paths)
    states.take(found("a", NAMES[1], 1))
    assert states.paths_in(document, index) == {paths[0], paths[2]}
    states.take(found("b", NAMES[0], 1))
    assert states.paths_in(document, index) == {paths[0]}
