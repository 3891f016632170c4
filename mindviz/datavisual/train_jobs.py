"""Train jobs as a person asks for them: listed, filtered, paged; which plugins have data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from mindviz.datavisual.store import BaseStatus, CacheStatus, LoadStatus, Store, TrainJobInfo
from mindviz.errors import TrainJobNotFound

MAX_PAGE_SIZE = 999


@dataclass(frozen=True, slots=True)
class TrainJobPage:
    """One page of a listing."""

    name: str
    """Base name of the base dir."""
    total: int
    """Jobs on all pages."""
    train_jobs: tuple[TrainJobInfo, ...]
    load_status: LoadStatus


def list_train_jobs(
    store: Store, *, offset: int = 0, limit: int = 10, train_id: str | None = None
) -> TrainJobPage:
    """Page number `offset` of the train jobs, `limit` on each, the one updated last first.

    With `train_id` every page holds that job alone, or nothing if there is none.
    """
    status = store.status()
    if train_id is None:
        jobs = store.list_train_jobs()
        page = tuple(jobs[offset * limit : (offset + 1) * limit])
        return TrainJobPage(base_name(status), len(jobs), page, status.load_status)
    try:
        page = (store.train_job(train_id),)
    except TrainJobNotFound:
        page = ()
    return TrainJobPage(base_name(status), len(page), page, status.load_status)


def base_name(status: BaseStatus) -> str:
    """Last part of the base dir's path; the path itself where it has none (`/`)."""
    return PurePath(status.summary_base_dir).name or status.summary_base_dir


def tags_in_cache(store: Store, job: TrainJobInfo) -> Mapping[str, Sequence[str]]:
    """plugin_name -> tags, as far as the job is loaded; nothing while it is not."""
    if job.cache_status is CacheStatus.NOT_IN_CACHE:
        return {}
    return store.list_tags(job.train_id)


def cache_train_jobs(store: Store, train_ids: Iterable[str]) -> Mapping[str, CacheStatus]:
    """Ask for jobs to be loaded; the status of each before asking. Unknown ids are left out."""
    statuses: dict[str, CacheStatus] = {}
    for train_id in dict.fromkeys(train_ids):
        try:
            statuses[train_id] = store.cache_train_job(train_id)
        except TrainJobNotFound:
            continue
    return statuses
