"""Listings of train jobs: pages, tags and cache status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from mindviz.datavisual.store import BaseStatus, CacheStatus, LoadStatus, Store, TrainJobInfo
from mindviz.errors import TrainJobNotFound

MAX_PAGE_SIZE = 999


@dataclass(frozen=True, slots=True)
class TrainJobPage:
    """One page."""

    name: str
    """Base name of the base dir."""
    total: int
    """Jobs on all pages."""
    train_jobs: tuple[TrainJobInfo, ...]
    load_status: LoadStatus


def list_train_jobs(
    store: Store, *, offset: int = 0, limit: int = 10, train_id: str | None = None
) -> TrainJobPage:
    """Page `offset` with `limit` train jobs, last updated first.

    With `train_id`, only that job, if it exists.
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
    """The last part of the base dir's path; the path itself if it has none (`/`)."""
    return PurePath(status.summary_base_dir).name or status.summary_base_dir


def tags_in_cache(store: Store, job: TrainJobInfo) -> Mapping[str, Sequence[str]]:
    """plugin_name -> tags of a loaded job; empty for others."""
    if job.cache_status is CacheStatus.NOT_IN_CACHE:
        return {}
    try:
        return store.list_tags(job.train_id)
    except TrainJobNotFound:  # deleted since it was listed
        return {}


def cache_train_jobs(store: Store, train_ids: Iterable[str]) -> Mapping[str, CacheStatus]:
    """Start to load jobs; returns their previous status. Unknown ids are omitted."""
    statuses: dict[str, CacheStatus] = {}
    for train_id in dict.fromkeys(train_ids):
        try:
            statuses[train_id] = store.cache_train_job(train_id)
        except TrainJobNotFound:
            continue
    return statuses
