"""Routes for train jobs: listing, tags, loading."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import marshmallow as ma

from mindviz.backend.datavisual.contract_tags import (
    CONTRACT_PLUGINS,
    contract_plugins,
    contract_tags,
)
from mindviz.backend.encoding import MAX_PROBLEMS
from mindviz.backend.routes import Routes
from mindviz.backend.run_pages import RunsQuery, found_runs
from mindviz.backend.schemas import (
    NOT_A_STRING,
    IntegerField,
    JobQuery,
    LenientQuery,
    text,
    texts,
)
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.store import CacheStatus, Store, TrainJobInfo
from mindviz.datavisual.train_jobs import (
    MAX_PAGE_SIZE,
    cache_train_jobs,
    list_train_jobs,
    tags_in_cache,
)
from mindviz.errors import PluginNotFound, TrainJobNotFound

contract = Routes()
own = Routes()


class TrainJobsQuery(LenientQuery):
    """A page of train jobs."""

    offset = IntegerField(minimum=0, load_default=0, about="Number of the page.")
    limit = IntegerField(minimum=1, maximum=MAX_PAGE_SIZE, load_default=10, about="Jobs per page.")
    train_id = text(empty=True, about="Only this train job.")


class SingleJobQuery(JobQuery):
    """One plugin of one train job."""

    plugin_name = text(required=True)


class PluginsQuery(JobQuery):
    """The tags of one train job."""

    manual_update = ma.fields.Boolean(
        truthy={"true", "True", "TRUE"},
        falsy={"false", "False", "FALSE"},
        load_default=False,
        error_messages={"invalid": "must be true or false"},
        metadata={"description": "Whether to load the train job if it is not loaded."},
    )


class TrainJobCachesBody(LenientQuery):
    """Train jobs to load."""

    train_ids = texts(required=True, empty=True, null=NOT_A_STRING)


@contract.get("/datavisual/train-jobs", TrainJobsQuery)
def read_train_jobs(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """One page of train jobs, last updated first; `offset` is the number of the page."""
    store, dialect = services.store, services.dialect
    page = list_train_jobs(store, **query)
    items = [train_job_item(job, _tags(store, job, dialect), dialect) for job in page.train_jobs]
    return {
        "name": page.name,
        "total": page.total,
        "train_jobs": items,
        "load_status": page.load_status,
    }


@contract.get("/datavisual/single-job", SingleJobQuery)
def read_single_job(services: Services, query: dict[str, str]) -> dict[str, Any]:
    """The tags of one plugin of one train job."""
    store, dialect = services.store, services.dialect
    train_id, plugin_name = query["train_id"], query["plugin_name"]
    if not dialect.extras and plugin_name not in CONTRACT_PLUGINS:
        raise PluginNotFound(plugin_name, CONTRACT_PLUGINS)
    job, tags = store.train_job(train_id), store.list_tags(train_id)
    known = (*CONTRACT_PLUGINS, *_others(dialect, tags))
    if plugin_name not in known:
        raise PluginNotFound(plugin_name, known)
    if job.cache_status is CacheStatus.NOT_IN_CACHE:
        raise TrainJobNotFound(train_id)
    item = {"id": train_id, "name": train_id, "tags": contract_tags(plugin_name, tags)}
    return {"train_jobs": [item]}


@contract.get("/datavisual/plugins", PluginsQuery)
def read_tags(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """The tags of each plugin of one train job."""
    job = services.store.train_job(query["train_id"])
    if query["manual_update"]:
        services.store.cache_train_job(job.train_id)
    tags = _tags(services.store, job, services.dialect)
    return {"plugins": contract_plugins(tags, others=_others(services.dialect, tags))}


@contract.post("/datavisual/train-job-caches", TrainJobCachesBody)
def load_train_jobs(services: Services, body: dict[str, list[str]]) -> dict[str, Any]:
    """Load train jobs; returns their statuses before."""
    statuses = cache_train_jobs(services.store, body["train_ids"])
    named = (name for name in services.dialect.named(body["train_ids"]) if name in statuses)
    return {"cache_result": [{"train_id": name, "cache_status": statuses[name]} for name in named]}


@own.get("/datavisual/train-job-columns", RunsQuery)
def read_train_job_columns(services: Services, query: dict[str, Any]) -> bytes:
    """A page of train jobs as columns; without arguments all of them, last updated first."""
    found = found_runs(services, query)
    if found is None:
        return services.columns.json()
    return services.columns.page(found.page, total=found.total, matching=found.matching)


@own.post("/datavisual/train-job-columns", RunsQuery)
def read_train_job_columns_of_many(services: Services, body: dict[str, Any]) -> bytes:
    """As GET, for more train_ids than fit into a URL."""
    return read_train_job_columns(services, body)


def _tags(store: Store, job: TrainJobInfo, dialect: Dialect) -> Mapping[str, Sequence[str]]:
    """The job's tags; in the contract, only those of loaded jobs."""
    return store.list_tags(job.train_id) if dialect.extras else tags_in_cache(store, job)


def _others(dialect: Dialect, tags: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The plugins with data that the contract lacks, in our dialect."""
    if not dialect.extras:
        return ()
    return tuple(sorted(name for name in tags if name not in CONTRACT_PLUGINS))


def train_job_item(
    job: TrainJobInfo, tags: Mapping[str, Sequence[str]], dialect: Dialect
) -> dict[str, Any]:
    """A train job as a JSON object, with times in the server's zone, as in the contract."""
    item: dict[str, Any] = {
        "train_id": job.train_id,
        "relative_path": job.train_id,
        "create_time": local_time(job.create_time),
        "update_time": local_time(job.update_time),
        # mindviz has no profiler and no debugger, but clients expect the keys.
        "profiler_dir": None,
        "profiler_type": "",
        "cache_status": job.cache_status,
        "summary_files": job.summary_files,
        "graph_files": job.graph_files,
        "lineage_files": job.lineage_files,
        "dump_dir": None,
        "is_integrity": job.is_integrity,
        "plugins": contract_plugins(tags, others=_others(dialect, tags)),
    }
    if dialect.extras:
        item |= {
            "create_timestamp": job.create_time,
            "update_timestamp": job.update_time,
            "formats": list(job.formats),
            "display_name": job.display_name,
            "session_status": job.session_status,
            "points": job.points,
            "bytes": job.bytes,
            "version": job.version,
            "problems": list(job.problems[:MAX_PROBLEMS]),
            "problem_count": len(job.problems),
        }
    return item


def local_time(seconds: float) -> str:
    """`YYYY-MM-DD HH:MM:SS` in the server's zone; the epoch for invalid times."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(0))
