"""Routes about train jobs: what there is, what is in it, and loading it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import marshmallow as ma
from flask import Response

from mindviz.backend.datavisual.contract_tags import (
    CONTRACT_PLUGINS,
    contract_plugins,
    contract_tags,
)
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.schemas import NOT_A_STRING, IntegerField, LenientQuery, text, texts
from mindviz.backend.services import Dialect, Services
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.store import (
    CacheStatus,
    Store,
    TrainJobInfo,
)
from mindviz.datavisual.train_jobs import (
    MAX_PAGE_SIZE,
    cache_train_jobs,
    list_train_jobs,
    tags_in_cache,
)
from mindviz.errors import PluginNotFound, TrainJobNotFound

MAX_PROBLEMS = 100
"""Of one job in the listing; a log of nothing but damage may have as many as it has records."""


class TrainJobsQuery(LenientQuery):
    """Which page of train jobs."""

    offset = IntegerField(
        minimum=0, load_default=0, metadata={"description": "Number of the page."}
    )
    limit = IntegerField(
        minimum=1,
        maximum=MAX_PAGE_SIZE,
        load_default=10,
        metadata={"description": "Jobs per page."},
    )
    train_id = text(empty=True, about="Only this train job.")


class SingleJobQuery(LenientQuery):
    """One plugin of one train job."""

    plugin_name = text(required=True)
    train_id = text(required=True)


class PluginsQuery(LenientQuery):
    """The tags of one train job."""

    train_id = text(required=True)
    manual_update = ma.fields.Boolean(
        truthy={"true", "True", "TRUE"},
        falsy={"false", "False", "FALSE"},
        load_default=False,
        error_messages={"invalid": "must be true or false"},
        metadata={"description": "true: load the job if it is not loaded."},
    )


class TrainJobCachesBody(LenientQuery):
    """Train jobs to load."""

    train_ids = texts(required=True, empty=True, null=NOT_A_STRING)


def add_routes(routes: Routes, services: Services, dialect: Dialect) -> None:
    """Add the routes of this module."""
    store, responses = services.store, services.responses

    @routes.get("/datavisual/train-jobs", TrainJobsQuery)
    def read_train_jobs(query: dict[str, Any]) -> Response:
        """One page of train jobs, the one updated last first; `offset` is the page's number."""
        page = list_train_jobs(store, **query)
        items = [
            train_job_item(job, _tags(store, job, dialect), dialect) for job in page.train_jobs
        ]
        return responses.uncached(
            to_json(
                {
                    "name": page.name,
                    "total": page.total,
                    "train_jobs": items,
                    "load_status": page.load_status,
                }
            )
        )

    @routes.get("/datavisual/single-job", SingleJobQuery)
    def read_single_job(query: dict[str, str]) -> Response:
        """The tags of one plugin of one train job."""
        train_id, plugin_name = query["train_id"], query["plugin_name"]
        if not dialect.extras and plugin_name not in CONTRACT_PLUGINS:
            raise PluginNotFound(plugin_name, CONTRACT_PLUGINS)
        job = store.train_job(train_id)
        known = _plugins_of(dialect, store.list_tags(train_id))
        if plugin_name not in known:
            raise PluginNotFound(plugin_name, known)
        if job.cache_status is CacheStatus.NOT_IN_CACHE:
            raise TrainJobNotFound(train_id)
        named = contract_tags(plugin_name, store.list_tags(train_id))
        item = {"id": train_id, "name": train_id, "tags": named}
        return responses.uncached(to_json({"train_jobs": [item]}))

    @routes.get("/datavisual/plugins", PluginsQuery)
    def read_tags(query: dict[str, Any]) -> Response:
        """The tags of each plugin of one train job."""
        train_id = query["train_id"]
        job = store.train_job(train_id)
        if query["manual_update"]:
            store.cache_train_job(train_id)
        tags = _tags(store, job, dialect)
        return responses.uncached(
            to_json({"plugins": contract_plugins(tags, others=_others(dialect, tags))})
        )

    @routes.post("/datavisual/train-job-caches", TrainJobCachesBody)
    def load_train_jobs(body: dict[str, list[str]]) -> Response:
        """Have train jobs loaded; the answer tells their statuses before."""
        statuses = cache_train_jobs(store, body["train_ids"])
        named = (id_ for id_ in dialect.named(body["train_ids"]) if id_ in statuses)
        result = [{"train_id": id_, "cache_status": statuses[id_]} for id_ in named]
        return Response(to_json({"cache_result": result}), content_type="application/json")


def _tags(store: Store, job: TrainJobInfo, dialect: Dialect) -> Mapping[str, Sequence[str]]:
    """What the contract shows of a job is what is loaded; we know the tags of the others, too."""
    return store.list_tags(job.train_id) if dialect.extras else tags_in_cache(store, job)


def _plugins_of(dialect: Dialect, tags: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    return (*CONTRACT_PLUGINS, *_others(dialect, tags))


def _others(dialect: Dialect, tags: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Plugins beyond the contract's that the job has data of; our own dialect names them."""
    if not dialect.extras:
        return ()
    return tuple(sorted(name for name in tags if name not in CONTRACT_PLUGINS))


def train_job_item(
    job: TrainJobInfo, tags: Mapping[str, Sequence[str]], dialect: Dialect
) -> dict[str, Any]:
    """A train job as the listing shows it; times in the server's zone, as the contract has them."""
    item: dict[str, Any] = {
        "train_id": job.train_id,
        "relative_path": job.train_id,
        "create_time": local_time(job.create_time),
        "update_time": local_time(job.update_time),
        # The profiler and the debugger are no part of mindviz; the contract's keys are.
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
            "problems": [finding_item(problem) for problem in job.problems[:MAX_PROBLEMS]],
            "problem_count": len(job.problems),
        }
    return item


def finding_item(finding: Finding) -> dict[str, Any]:
    """A finding as the API shows it."""
    return {
        "kind": finding.kind,
        "path": finding.path,
        "offset": finding.offset,
        "detail": finding.detail,
        "lost_records": finding.lost_records,
    }


def local_time(seconds: float) -> str:
    """`YYYY-MM-DD HH:MM:SS` in the server's zone; the epoch's where the time cannot be said."""
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))
    except (ValueError, OverflowError, OSError):
        return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(0))
