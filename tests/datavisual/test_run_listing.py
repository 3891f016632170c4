"""Listings as columns: equal to the train jobs."""

from __future__ import annotations

from mindviz.datavisual.series.lineage_facts import LineageFacts
from tests.store_fake import START, FakeStore


def test_rows_are_those_of_the_train_jobs() -> None:
    store = FakeStore()
    for number in range(3):
        job = store.add(f"./{number}")
        job.update_time = START + number
        job.append("loss", [1], [0.5])
        job.facts = LineageFacts(session_status="failure" if number else None)
    listing = store.listing()
    jobs = store.list_train_jobs()
    assert len(listing) == 3
    assert listing.train_id == [job.train_id for job in jobs] == ["./2", "./1", "./0"]
    for name in ("create_time", "update_time", "points", "bytes"):
        assert getattr(listing, name).tolist() == [getattr(job, name) for job in jobs], name
    assert list(listing.session_status) == ["failure", "failure", None]
    assert list(listing.tags) == [{"scalar": ["loss"]}] * 3
    # Equal tags are held once.
    assert listing.tags[0] is listing.tags[2]
