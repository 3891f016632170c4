"""Memory of responses in flight: each request holds a reservation until its response is sent."""

from __future__ import annotations

from contextlib import ExitStack

from flask import Flask, Response, g

from mindviz.answer_memory import AnswerBudget, Reservation, claiming, new_reservation
from mindviz.backend.responses import Pieces
from mindviz.backend.wsgi_bridge import WHOLE_BYTES

SMALL_ANSWER = 512 * 1024
"""Bytes. Smaller responses are not counted."""


def count_answers(app: Flask, budget: AnswerBudget) -> None:
    """Count the responses of this app in the budget."""

    def begin() -> None:
        g.reservation = new_reservation(budget)
        g.claiming = ExitStack()
        g.claiming.enter_context(claiming(g.reservation))

    def hand_over(response: Response) -> Response:
        # None if the request failed before `begin`.
        reservation: Reservation | None = g.pop("reservation", None)
        if reservation is None:
            return response
        if response.status_code >= 400:
            # The partial response is not sent.
            reservation.release()
        size = 0 if response.is_streamed else response.calculate_content_length() or 0
        if size > SMALL_ANSWER:
            reservation.cover(size)
        if size > WHOLE_BYTES:
            # In pieces, because the event loop copies what it cannot send at once.
            response.headers["Content-Length"] = str(size)
            response.response = Pieces.of([response.get_data()]).stream()
        response.call_on_close(reservation.release)
        return response

    def end(_error: BaseException | None) -> None:
        # Still there if the request moves to another pool or failed.
        reservation: Reservation | None = g.pop("reservation", None)
        if reservation is not None:
            reservation.release()
        stack: ExitStack | None = g.pop("claiming", None)
        if stack is not None:
            stack.close()

    app.before_request(begin)
    app.after_request(hand_over)
    app.teardown_request(end)
