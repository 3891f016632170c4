from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from mindviz import log_limit
from mindviz.log_limit import INTERVAL, LogLimit, limit_repeats


class Written:
    """A rate-limited logger, its clock, and its output."""

    def __init__(self) -> None:
        self.now = 0.0
        self.stream = io.StringIO()
        self.logger = logging.getLogger(f"mindviz.test.{id(self)}")
        self.logger.propagate = False
        handler = logging.StreamHandler(self.stream)
        handler.addFilter(LogLimit(lambda: self.now))
        self.logger.addHandler(handler)

    def fail(self, error: Exception, job: str = "./a") -> None:
        self.logger.error("Reading %s failed", job, exc_info=error)

    @property
    def messages(self) -> list[str]:
        return [line for line in self.stream.getvalue().splitlines() if "failed" in line]


def test_repeated_messages_are_logged_once_and_then_counted() -> None:
    written = Written()
    for number in range(1_000):
        written.fail(OSError(24, "Too many open files"), f"./{number}")
    assert written.messages == ["Reading ./0 failed"]
    assert written.stream.getvalue().count("OSError: ") == 1
    written.now = INTERVAL
    written.fail(OSError(24, "Too many open files"), "./b%s")
    assert written.messages[1:] == ["Reading ./b%s failed (999 similar messages suppressed)"]
    written.now = 2 * INTERVAL
    written.fail(OSError(24, "Too many open files"))
    assert written.messages[2:] == ["Reading ./a failed"]


def test_messages_of_other_kinds_are_not_held_back() -> None:
    written = Written()
    written.fail(OSError())
    written.fail(ZeroDivisionError())
    written.logger.warning("Writing failed")
    written.logger.error("Writing failed")
    assert len(written.messages) == 4


def test_few_kinds_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_limit, "_MOST_KINDS", 10)
    limit = LogLimit()
    for number in range(100):
        record = logging.LogRecord("one", logging.ERROR, "", 0, f"{number}", None, None)
        assert limit.filter(record)
        assert len(limit._seen) <= 10


@pytest.fixture
def _last_resort() -> Iterator[None]:
    handlers = [*logging.getLogger().handlers, logging.lastResort]
    before = [(one, list(one.filters)) for one in handlers if one is not None]
    yield
    for handler, filters in before:
        handler.filters = filters


@pytest.mark.usefixtures("_last_resort")
def test_every_handler_gets_one_limit() -> None:
    limit_repeats()
    limit_repeats()
    assert logging.lastResort is not None
    for handler in (*logging.getLogger().handlers, logging.lastResort):
        assert sum(isinstance(one, LogLimit) for one in handler.filters) == 1
