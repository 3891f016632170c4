"""Routes about mindviz itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

import mindviz
from mindviz.backend import schemas
from mindviz.backend.datavisual.train_jobs_api import finding_item
from mindviz.backend.encoding import to_json
from mindviz.backend.openapi import openapi
from mindviz.backend.routes import Routes
from mindviz.backend.services import Services
from mindviz.datavisual.train_jobs import base_name


def add_routes(routes: Routes, services: Services, described: Sequence[Routes]) -> None:
    """Add the routes of this module; `described` are those that `openapi.json` tells of."""

    @routes.get("/status", schemas.NoQuery)
    def read_status(_query: dict[str, Any]) -> Response:
        """Version, scanner in use, how far the base dir is loaded, totals and problems."""
        status = services.store.status()
        answer = {
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
            "problems": [finding_item(problem) for problem in status.problems],
            "problem_count": status.problem_count,
        }
        return services.responses.uncached(to_json(answer))

    @routes.get("/openapi.json", schemas.NoQuery)
    def read_openapi(_query: dict[str, Any]) -> Response:
        """This description."""
        return services.responses.cached(("openapi",), lambda: to_json(openapi(described)))


def add_contract_routes(routes: Routes) -> None:
    """Add what the contract has of this."""

    @routes.get("/ui-config", schemas.LenientQuery)
    def read_ui_config(_query: dict[str, Any]) -> Response:
        """What the contract's UI asks before it shows its pages."""
        # The debugger is no part of mindviz.
        return Response(to_json({"enable_debugger": False}), content_type="application/json")
