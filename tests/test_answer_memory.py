"""Responses in flight: claims on a shared budget."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

from mindviz.answer_memory import (
    LONG_BYTES,
    AnswerBudget,
    Reservation,
    await_turn,
    claim,
    claiming,
    holding,
    new_reservation,
    unclaim,
)
from mindviz.deadline import LongWorkAhead, allow, doing
from mindviz.errors import Cancelled, MemoryBusy


def test_without_a_server_nothing_is_counted() -> None:
    claim(1 << 60)


def test_a_younger_answer_that_does_not_fit_is_refused() -> None:
    budget = AnswerBudget(100)
    oldest, younger = Reservation(budget), Reservation(budget)
    with claiming(oldest):
        claim(60)
    with claiming(younger):
        claim(40)
        with pytest.raises(MemoryBusy):
            claim(1)
    assert budget.nbytes == 100
    oldest.release()
    with claiming(younger):
        claim(60)
    younger.release()
    younger.release()
    assert budget.nbytes == 0


def test_the_oldest_answer_always_succeeds() -> None:
    budget = AnswerBudget(100)
    oldest, younger = Reservation(budget), Reservation(budget)
    with claiming(oldest):
        claim(1)
        with claiming(younger):
            claim(90)
        claim(500)
    oldest.release()
    assert budget.nbytes == 90
    with claiming(younger):
        claim(500)  # the oldest now


def test_a_refused_answer_does_not_block_others() -> None:
    budget = AnswerBudget(100)
    oldest, refused = Reservation(budget), Reservation(budget)
    oldest.claim(100)
    with pytest.raises(MemoryBusy):
        refused.claim(1)
    oldest.release()
    third = Reservation(budget)
    third.claim(500)


def test_a_finished_answer_is_counted_but_not_refused() -> None:
    budget = AnswerBudget(100)
    Reservation(budget).claim(100)
    made = Reservation(budget)
    made.cover(50)
    made.cover(40)
    assert (made.nbytes, budget.nbytes) == (50, 150)


def test_long_work_waits_for_room() -> None:
    budget = AnswerBudget(100)
    oldest, younger = Reservation(budget), Reservation(budget)
    oldest.claim(100)

    def wait() -> int:
        with doing(allow(60.0)):
            younger.claim(50)
        return younger.nbytes

    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(wait)
        oldest.release()
        assert waiting.result() == 50


def test_long_work_waits_no_longer_than_its_client() -> None:
    budget = AnswerBudget(100)
    Reservation(budget).claim(100)
    with doing(allow(60.0)) as work:
        work.cancelled = True
        with pytest.raises(Cancelled):
            Reservation(budget).claim(50)


def test_long_work_that_waited_in_vain_is_refused() -> None:
    budget = AnswerBudget(100, wait_seconds=0.0)
    Reservation(budget).claim(100)
    with doing(allow(60.0)), pytest.raises(MemoryBusy):
        Reservation(budget).claim(50)


def test_answers_wait_in_the_order_of_their_first_claims() -> None:
    budget = AnswerBudget(100)
    oldest = Reservation(budget)
    oldest.claim(90)
    taken: list[str] = []
    begun = threading.Semaphore(0)

    @contextmanager
    def noted() -> Iterator[None]:
        begun.release()
        yield

    def take(name: str, nbytes: int) -> Reservation:
        reservation = Reservation(budget)
        with doing(replace(allow(60.0), waiting=noted)):
            reservation.claim(nbytes)
        taken.append(name)
        return reservation

    with ThreadPoolExecutor(2) as threads:
        large = threads.submit(take, "large", 95)
        assert begun.acquire(timeout=60)
        small = threads.submit(take, "small", 10)  # would fit now, but the large one is older
        assert begun.acquire(timeout=60)
        assert not taken
        oldest.release()
        large.result().release()
        small.result().release()
    assert taken == ["large", "small"]
    assert budget.nbytes == 0


def test_long_work_awaits_its_turn_before_it_reads_what_it_claims() -> None:
    budget = AnswerBudget(LONG_BYTES, wait_seconds=0.0)
    oldest, younger = Reservation(budget), Reservation(budget)
    with claiming(oldest), doing(allow(60.0)):
        await_turn()
        await_turn()
        claim(LONG_BYTES - 1)
        assert budget.nbytes == LONG_BYTES
        claim(3)
        assert budget.nbytes == LONG_BYTES + 2
    with claiming(younger):
        with doing(allow(60.0)), pytest.raises(MemoryBusy):
            await_turn()
        with doing(allow(60.0, is_short=True)):
            await_turn()  # a short request does not wait
    oldest.release()
    assert budget.nbytes == 0
    Reservation(budget).claim(2 * LONG_BYTES)  # the refused one released everything


def test_a_short_request_without_room_restarts_as_long_work() -> None:
    budget = AnswerBudget(100)
    oldest, younger = Reservation(budget), Reservation(budget)
    oldest.claim(100)
    with doing(allow(60.0, is_short=True)), pytest.raises(LongWorkAhead):
        younger.claim(1)
    oldest.release()
    Reservation(budget).claim(500)  # the cancelled one released everything


def test_a_large_answer_is_long_work() -> None:
    reservation = Reservation(AnswerBudget(LONG_BYTES))
    with doing(allow(60.0, is_short=True)):
        reservation.claim(LONG_BYTES)
        with pytest.raises(LongWorkAhead):
            reservation.claim(1)


def test_a_temporary_claim_counts_while_it_is_held() -> None:
    budget = AnswerBudget(100)
    oldest, younger = Reservation(budget), Reservation(budget)
    oldest.claim(10)
    with claiming(younger):
        for _ in range(3):
            with holding(60):
                assert budget.nbytes == 70
        claim(5)
        with pytest.raises(MemoryBusy), holding(90):
            pytest.fail("It does not fit.")
        with pytest.raises(ZeroDivisionError), holding(60):
            raise ZeroDivisionError
        with holding(60):
            younger.release()
    assert budget.nbytes == 10
    with holding(1 << 60):  # no answer in progress
        pass


def test_a_response_within_another_counts_as_that_one() -> None:
    budget = AnswerBudget(100)
    outer, other = Reservation(budget), Reservation(budget)
    with claiming(outer):
        claim(60)
        inner = new_reservation(budget)
        with claiming(other), pytest.raises(MemoryBusy):
            claim(50)
        with claiming(inner):
            claim(50)  # does not wait for the one that it is part of
            inner.cover(70)
            inner.cover(10)
            unclaim(30)
        assert (inner.nbytes, outer.nbytes, budget.nbytes) == (40, 100, 100)
        inner.release()
        inner.release()
        assert (inner.nbytes, outer.nbytes, budget.nbytes) == (0, 60, 60)
        unclaim(20)
    assert budget.nbytes == 40
    outer.release()
    assert budget.nbytes == 0


def test_a_response_within_another_takes_its_turn_as_that_one() -> None:
    budget = AnswerBudget(2 * LONG_BYTES)
    outer = Reservation(budget)
    with doing(allow(60.0)), claiming(outer):
        inner = new_reservation(budget)
        with claiming(inner):
            await_turn()
            claim(1000)
        assert (inner.nbytes, budget.nbytes) == (1000, LONG_BYTES)
        inner.release()
    outer.release()
    assert budget.nbytes == 0
