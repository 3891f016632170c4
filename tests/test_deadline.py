"""Deadlines: long loops stop when they pass, and long work starts where it may."""

from __future__ import annotations

import pytest

from mindviz.deadline import (
    LongWorkAhead,
    allow,
    begin_long_work,
    check,
    doing,
    ending_early,
    is_over,
)
from mindviz.errors import Cancelled, DeadlineExceeded


def test_without_a_server_nothing_is_limited() -> None:
    check()
    begin_long_work()


def test_work_stops_at_its_deadline() -> None:
    with doing(allow(-1.0)), pytest.raises(DeadlineExceeded, match="-1 s"):
        check()
    check()


def test_a_part_of_work_may_end_early() -> None:
    with ending_early(120.0):
        assert not is_over()
    with doing(allow(60.0)):
        with ending_early(120.0):
            assert is_over()
            with pytest.raises(DeadlineExceeded, match="60 s"):
                check()
        assert not is_over()
        check()


def test_work_stops_once_its_client_is_gone() -> None:
    with doing(allow(60.0)) as work:
        check()
        work.cancelled = True
        with pytest.raises(Cancelled):
            check()


def test_long_work_does_not_start_in_the_short_pool() -> None:
    with doing(allow(60.0, is_short=True)):
        check()
        with pytest.raises(LongWorkAhead):
            begin_long_work()
    with doing(allow(60.0)):
        begin_long_work()


def test_no_error_handler_catches_server_control_flow() -> None:
    assert not issubclass(LongWorkAhead, Exception)
