"""mindviz's application behind another HTTP server: other_servers.py SERVER PORT DIR.

The workers of granian and gunicorn are processes, so each creates its own application.
"""

import asyncio
import logging
import sys
import tempfile
from pathlib import Path
from wsgiref.types import WSGIApplication

from mindviz.backend.opened_experiments import OpenedExperiments
from mindviz.config import Config

server, port, directory = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
address = "127.0.0.1", port


def application() -> WSGIApplication:
    """The application for the logs, which are loaded in the background."""
    config = Config(directory, workspace=Path(tempfile.gettempdir()) / f"mindviz-bench-{port}")
    opened = OpenedExperiments(config).__enter__()
    from mindviz.backend.app import ExperimentApps

    return ExperimentApps(config, opened.experiments)


def waitress(**options: int) -> None:
    """The server of mindviz before uvicorn."""
    from waitress import serve

    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    bounds = {"outbuf_overflow": 1 << 28, "outbuf_high_watermark": 1 << 20, "recv_bytes": 1 << 16}
    poll = {"connection_limit": 1000, "asyncore_use_poll": True}
    serve(application(), host=address[0], port=port, threads=8, **bounds, **poll, **options)


def gunicorn() -> None:
    """Threads."""
    from gunicorn.app.base import BaseApplication

    class Application(BaseApplication):
        def load_config(self) -> None:
            settings = {"bind": f"127.0.0.1:{port}", "worker_class": "gthread", "threads": 8}
            for name, value in {**settings, "keepalive": 75, "loglevel": "error"}.items():
                self.cfg.set(name, value)

        def load(self) -> WSGIApplication:
            return application()

    Application().run()


def granian(interface: str) -> None:
    """WSGI in a worker process, or our bridge in this one."""
    bounds = {"backlog": 1024, "backpressure": 1024, "websockets": False, "log_enabled": False}
    if interface == "wsgi":
        from granian import Granian

        options = {"interface": "wsgi", "blocking_threads": 8, "factory": True, **bounds}
        Granian("other_servers:application", *address, **options).serve()
        return
    from granian.server.embed import Server

    from mindviz.backend.wsgi_bridge import WsgiBridge

    async def main() -> None:
        await Server(WsgiBridge(application()), *address, interface="asginl", **bounds).serve()

    asyncio.run(main())


def cheroot() -> None:
    """Threads."""
    from cheroot.wsgi import Server

    Server(address, application(), numthreads=8, request_queue_size=1024, timeout=75).start()


def hypercorn() -> None:
    """Our bridge in asyncio's event loop."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config as Settings

    from mindviz.backend.wsgi_bridge import WsgiBridge

    settings = Settings()
    settings.bind = [f"127.0.0.1:{port}"]
    asyncio.run(serve(WsgiBridge(application()), settings))


SERVERS = {
    "waitress": waitress,
    "waitress-tuned": lambda: waitress(send_bytes=1 << 20),
    "gunicorn": gunicorn,
    "granian": lambda: granian("wsgi"),
    "granian-embedded": lambda: granian("asginl"),
    "cheroot": cheroot,
    "hypercorn": hypercorn,
}

if __name__ == "__main__":
    SERVERS[server]()
