"""Train jobs: listed, filtered, paged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.store import CacheStatus
from mindviz.datavisual.train_jobs import cache_train_jobs, list_train_jobs, tags_in_cache
from mindviz.errors import TrainJobNotFound
from tests.store_fake import FakeStore


def experiment_with(*train_ids: str) -> FakeStore:
    store = FakeStore("/logs/today")
    for train_id in train_ids:
        store.add(train_id)
    return store


@given(jobs=st.integers(0, 25), limit=st.integers(1, 9))
def test_the_pages_together_are_the_list(jobs: int, limit: int) -> None:
    store = experiment_with(*(f"./{number:02}" for number in range(jobs)))
    pages = [
        list_train_jobs(store, offset=offset, limit=limit) for offset in range(jobs // limit + 2)
    ]
    assert [job for page in pages for job in page.train_jobs] == list(store.list_train_jobs())
    assert all(len(page.train_jobs) <= limit for page in pages)
    assert {(page.total, page.name) for page in pages} == {(jobs, "today")}


def test_a_page_of_one_job_has_that_job() -> None:
    store = experiment_with("./a", "./b")
    page = list_train_jobs(store, train_id="./b")
    assert ([job.train_id for job in page.train_jobs], page.total) == (["./b"], 1)
    assert list_train_jobs(store, train_id="./b", offset=1, limit=1) == page
    assert list_train_jobs(store, train_id="b").total == 0


def test_a_base_dir_without_a_name_is_called_by_its_path() -> None:
    store = experiment_with()
    store.summary_base_dir = "/"
    assert list_train_jobs(store).name == "/"


def test_a_job_that_is_not_in_cache_has_no_tags_in_cache() -> None:
    store = experiment_with("./a")
    store.jobs["./a"].append("loss", [1], [1.0])
    assert tags_in_cache(store, store.train_job("./a")) == {"scalar": ["loss"]}
    store.jobs["./a"].cache_status = CacheStatus.NOT_IN_CACHE
    assert tags_in_cache(store, store.train_job("./a")) == {}


def test_a_job_that_was_deleted_after_it_was_listed_has_no_tags_in_cache() -> None:
    store = experiment_with("./a")
    listed = store.train_job("./a")
    del store.jobs["./a"]
    assert tags_in_cache(store, listed) == {}


def test_caching_returns_the_previous_status_and_requests_each_job_once() -> None:
    store = experiment_with("./a")
    store.jobs["./a"].cache_status = CacheStatus.NOT_IN_CACHE
    statuses = cache_train_jobs(store, ["./a", "./a", "./gone"])
    assert statuses == {"./a": CacheStatus.NOT_IN_CACHE}
    assert store.jobs["./a"].cache_status is CacheStatus.CACHED
    with pytest.raises(TrainJobNotFound):
        store.train_job("./gone")
