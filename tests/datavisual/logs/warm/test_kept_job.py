from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.warm.kept_file import PackedFile
from mindviz.datavisual.logs.warm.kept_job import (
    PackedJob,
    listed_traits,
    traits_of,
)
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.run_listing import ListedRun
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts

times = st.floats(allow_nan=False)
counts = st.integers(0, 2**62)
runs = st.builds(
    ListedRun,
    *(times, times, counts, counts, counts, counts, counts),
    formats=st.lists(st.sampled_from(["mindspore", "tensorboard"])).map(tuple),
    display_name=st.text(max_size=3),
    session_status=st.none() | st.just("success"),
    tags=st.dictionaries(st.text(max_size=2), st.lists(st.text(max_size=2)), max_size=2),
)
packs = st.builds(Place, st.sampled_from(["a.pack", "b.pack"]), counts, counts, counts)
facts = st.sampled_from([NO_FACTS, LineageFacts(session_group="g")])


@given(runs, facts, st.none() | times, st.lists(packs, min_size=1, max_size=3), st.booleans())
def test_a_job_in_packs_has_all_that_lists_show(
    run: ListedRun, facts: LineageFacts, start: float | None, places: list[Place], verified: bool
) -> None:
    job = PackedJob.of(run, facts, start, 7, places, verified=verified)
    assert (job.listed, job.start_time, job.is_kept, job.nbytes) == (run, start, True, 0)
    assert [job.place(number) for number in range(len(places))] == places
    is_one = len({place.pack for place in places}) == 1
    assert job.origin == (places[0][:2] if is_one else None)
    again = traits_of(json.loads(json.dumps(listed_traits(job.traits))))
    assert again == job.traits


@given(runs, st.binary(min_size=1), packs)
def test_a_job_moves_to_a_pack(run: ListedRun, data: bytes, place: Place) -> None:
    file = PackedFile(data, len(data), 5)
    job = PackedJob.of(run, NO_FACTS, None, 0, [file], verified=True, statistics=b"s")
    assert (job.is_kept, job.nbytes, job.origin) == (False, len(data), None)
    assert job.place(0) == ("", 0, len(data), 5)
    moved = job.moved([place])
    assert (moved.is_kept, moved.place(0), moved.row) == (True, place, job.row)
