"""Routes about mindviz itself."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any

from flask import current_app

import mindviz
from mindviz.backend.openapi import openapi
from mindviz.backend.routes import RouteBlueprint, Routes
from mindviz.backend.schemas import IntegerField, NoArguments, NoQuery, StrictQuery
from mindviz.backend.services import MINDINSIGHT, Services
from mindviz.datavisual.train_jobs import base_name
from mindviz.deadline import wait_for_change

contract = Routes()
own = Routes()


class ChangesQuery(StrictQuery):
    """A version that the client knows."""

    after = IntegerField(required=True, about="`data_version` of an earlier response.")


@contract.get("/ui-config", NoArguments)
def read_ui_config(_services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """The settings of MindInsight's UI."""
    return {"enable_debugger": False}  # mindviz has no debugger


@own.get("/status", NoQuery)
def read_status(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """Version, scanner, load status, totals and problems."""
    status = services.store.status()
    events = services.new_events
    return {
        "version": mindviz.__version__,
        "scanner": status.scanner,
        "summary_base_dir": status.summary_base_dir,
        "name": base_name(status),
        "load_status": status.load_status,
        "train_jobs": status.train_jobs,
        "loaded_train_jobs": status.loaded_train_jobs,
        "files": status.files,
        "points": status.points,
        "bytes": status.bytes,
        "bytes_read": status.bytes_read,
        "watching": status.watching,
        "reload_interval": services.config.reload_interval,
        "data_version": status.version,
        "problems": list(status.problems),
        "problem_count": status.problem_count,
        "webhook": None if events is None else asdict(events.webhook.status()),
    }


@own.get("/changes", ChangesQuery)
def wait_for_changes(services: Services, query: dict[str, Any]) -> dict[str, Any]:
    """Waits until the data has another version, at most 20 s; databases answer at once."""
    store = services.store
    if store.version == query["after"]:
        wait_for_change(partial(store.when_changed, query["after"]))
    return {"data_version": store.version}


@own.get("/openapi.json", NoQuery, version=lambda _services, _query: ("openapi",))
def read_openapi(_services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """This description."""
    # MindInsight's dialect has the same routes as ours.
    blueprints = current_app.blueprints.values()
    return openapi(
        one
        for one in blueprints
        if isinstance(one, RouteBlueprint) and one.name != MINDINSIGHT.name
    )
