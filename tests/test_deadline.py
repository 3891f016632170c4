"""Deadlines: long loops stop when they pass, and long work starts where it may."""

from __future__ import annotations

import threading
import time

import pytest

from mindviz import deadline
from mindviz.deadline import (
    LongWorkAhead,
    allow,
    begin_long_work,
    check,
    doing,
    ending_early,
    is_over,
    let_requests_pass,
    waiting,
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


@pytest.fixture
def _long_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "_LONGEST_PAUSE", 60.0)


def background() -> threading.Thread:
    """A thread that ends once requests let it pass."""
    thread = threading.Thread(target=let_requests_pass, daemon=True)
    thread.start()
    return thread


def pauses(thread: threading.Thread) -> bool:
    thread.join(0.05)
    return thread.is_alive()


def ends(thread: threading.Thread) -> bool:
    thread.join(30.0)
    return not thread.is_alive()


@pytest.mark.usefixtures("_long_pauses")
def test_background_work_pauses_while_any_request_is_answered() -> None:
    with doing(allow(60.0)):
        with doing(allow(60.0)):
            thread = background()
        assert pauses(thread)
    assert ends(thread)


@pytest.mark.usefixtures("_long_pauses")
def test_background_work_pauses_while_an_answer_is_prepared_and_sent() -> None:
    work = allow(60.0)
    work.begin_answer()
    with doing(work), waiting():
        assert ends(background())
    thread = background()
    assert pauses(thread)
    work.end_answer()
    work.end_answer()
    assert ends(thread)


@pytest.mark.usefixtures("_long_pauses")
def test_background_work_goes_on_while_requests_wait() -> None:
    with doing(allow(60.0)):
        with waiting():
            assert ends(background())
        thread = background()
        assert pauses(thread)
    assert ends(thread)


@pytest.mark.usefixtures("_long_pauses")
def test_a_request_does_not_wait_for_itself() -> None:
    let_requests_pass()
    with doing(allow(60.0)):
        started = time.monotonic()
        let_requests_pass()
        assert time.monotonic() < started + 30.0


def test_background_work_goes_on_beside_requests_without_end() -> None:
    with doing(allow(60.0)):
        assert ends(background())
