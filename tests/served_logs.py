"""Real servers over logs, in this process, for tests of clients."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from werkzeug.serving import WSGIRequestHandler, make_server

from mindviz.backend.app import ExperimentApps
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from tests.written_logs import loaded

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication


class _Silent(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, *_: object) -> None:
        pass


@contextmanager
def answering(app: WSGIApplication) -> Iterator[str]:
    """The application on a free port, and its URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Silent)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def serving(
    base_dir: Path, experiment_id: str = "", bounds: AnswerBounds = AnswerBounds(), prefix: str = ""
) -> Iterator[str]:
    """The logs below a directory, served; its URL."""
    source = ExperimentSource(experiment_id, base_dir)
    workspace = base_dir.parent / f"{base_dir.name}.workspace"
    config = Config(base_dir, workspace=workspace, experiments=(source,), url_path_prefix=prefix)
    experiments = Experiments([ServedExperiment(experiment_id, loaded(base_dir))])
    with answering(ExperimentApps(config, experiments, bounds)) as url:
        yield f"{url.rstrip('/')}{prefix}/"
