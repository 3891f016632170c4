"""Runs Python modules in forks of a process that has imported mindviz: most of a start is imports.

python -m tests.e2e.forked_modules DIRECTORY

Standard input: a JSON line for each process, `{"id": 1, "module": "mindviz", "arguments": [...]}`.
Standard output: `{"id": 1, "pid": 7}`, then `{"id": 1, "output": "..."}` as the module prints, last
`{"id": 1, "code": 0}`. All processes end with the input.

Clients that wait synchronously write the same lines, with the id 0, to the named pipe `requests` of
DIRECTORY, and read `{"code": 0, "output": "..."}` from the pipe `answers` at the end.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import runpy
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from mindviz import backend, datavisual, lineagemgr, summary

SYNCHRONOUS = 0


@dataclass
class Child:
    """A process, and the pipe that it prints to."""

    id: int
    pid: int
    decoder: Any = field(default_factory=getincrementaldecoder("utf-8"))
    printed: str = ""


class Forks:
    """The processes that were requested."""

    def __init__(self, directory: Path) -> None:
        self._answers = directory / "answers"
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ, bytearray())
        # Also opened for writing, or it would end after each request.
        requests = os.open(directory / "requests", os.O_RDWR)
        self._selector.register(requests, selectors.EVENT_READ, bytearray())
        self._children: dict[int, Child] = {}

    def serve(self) -> tuple[str, list[str]]:
        """Handle requests until the input ends; in a fork, its module and arguments."""
        while True:
            for key, _ in self._selector.select():
                data = os.read(key.fd, 65536)
                if isinstance(key.data, Child):
                    self._follow(key.fd, key.data, data)
                    continue
                if not data:
                    for child in self._children.values():
                        os.kill(child.pid, signal.SIGTERM)
                    sys.exit()
                unread: bytearray = key.data
                unread += data
                *lines, rest = bytes(unread).split(b"\n")
                unread[:] = rest
                for line in lines:
                    request = json.loads(line)
                    if self._fork(request["id"]):
                        return request["module"], request["arguments"]

    def _fork(self, number: int) -> bool:
        """Whether this is the new process."""
        output, end = os.pipe()
        pid = os.fork()
        if pid == 0:
            self._selector.close()
            _use_as_output(end)
            return True
        os.close(end)
        child = self._children[pid] = Child(number, pid)
        self._selector.register(output, selectors.EVENT_READ, child)
        if number != SYNCHRONOUS:
            _tell({"id": number, "pid": pid})
        return False

    def _follow(self, descriptor: int, child: Child, data: bytes) -> None:
        """Pass on what a process printed, or its end."""
        output = child.decoder.decode(data)
        if data:
            if child.id == SYNCHRONOUS:
                child.printed += output
            else:
                _tell({"id": child.id, "output": output})
            return
        self._selector.unregister(descriptor)
        os.close(descriptor)
        _, status = os.waitpid(child.pid, 0)
        del self._children[child.pid]
        code = os.waitstatus_to_exitcode(status)
        if child.id == SYNCHRONOUS:
            self._answers.write_text(json.dumps({"code": code, "output": child.printed}))
        else:
            _tell({"id": child.id, "code": code})


def _tell(message: dict[str, object]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


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


def _import_for_forks() -> None:
    """Import what servers and the modules that write logs need."""
    for package in (backend, datavisual, lineagemgr, summary):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            if "adapters" not in module.name:  # they need their frameworks
                import_module(module.name)
    for name in ("mindviz.cli.start", "tests.lineage_logs", "tests.mindspore_graphs"):
        import_module(name)
    # Forks share the memory of objects that the collector does not touch.
    gc.freeze()


def main(arguments: Sequence[str]) -> None:
    """Command line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C ends the tests, and they end this
    _import_for_forks()
    module, sys.argv[1:] = Forks(Path(arguments[0])).serve()
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
