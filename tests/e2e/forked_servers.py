"""Start mindviz servers by forking a process that has imported mindviz: most of a start is imports.

Standard input: one JSON line for each server, `{"id": 1, "arguments": ["start", ...]}`.
Standard output: `{"id": 1, "pid": 7}`, then `{"id": 1, "output": "..."}` as the server prints, last
`{"id": 1, "code": 0}`. All servers end with the input.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from dataclasses import dataclass, field
from typing import Any

from mindviz.backend import app, server  # noqa: F401 -- imported for its forks
from mindviz.cli import main, start  # noqa: F401 -- as above
from mindviz.datavisual.logs import log_store  # noqa: F401 -- as above


@dataclass
class Child:
    """A server, and the pipe that it prints to."""

    id: int
    pid: int
    decoder: Any = field(default_factory=getincrementaldecoder("utf-8"))


def tell(message: dict[str, object]) -> None:
    """Write one message."""
    os.write(1, json.dumps(message).encode() + b"\n")


def serve_requests() -> list[str]:
    """Handle requests until the input ends; in a forked server, its arguments."""
    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ)
    children: dict[int, Child] = {}
    unread = b""
    while True:
        for key, _ in selector.select():
            data = os.read(key.fd, 65536)
            if child := key.data:
                if data:
                    tell({"id": child.id, "output": child.decoder.decode(data)})
                    continue
                selector.unregister(key.fd)
                os.close(key.fd)
                _, status = os.waitpid(child.pid, 0)
                del children[child.id]
                tell({"id": child.id, "code": os.waitstatus_to_exitcode(status)})
                continue
            if not data:
                for child in children.values():
                    os.kill(child.pid, signal.SIGTERM)
                sys.exit()
            *lines, unread = (unread + data).split(b"\n")
            for line in lines:
                request = json.loads(line)
                output, end = os.pipe()
                pid = os.fork()
                if pid == 0:
                    selector.close()
                    _use_as_output(end)
                    arguments: list[str] = request["arguments"]
                    return arguments
                os.close(end)
                child = children[request["id"]] = Child(request["id"], pid)
                selector.register(output, selectors.EVENT_READ, child)
                tell({"id": child.id, "pid": pid})


def _use_as_output(descriptor: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(nothing)
    os.close(descriptor)
    # Streams remember whether their file could seek.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1) for number in (1, 2))
    signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C ends the tests, and they end this
    sys.argv[1:] = serve_requests()
    main()
