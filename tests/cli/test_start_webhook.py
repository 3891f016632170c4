"""`mindviz start --webhook`: an event of a growing log reaches a server."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.backend.test_webhook import Receiver, receiver
from tests.mindviz_process import PATIENCE, Mindviz, wait_until
from tests.written_logs import events, tensorboard_log, write

__all__ = ["receiver"]


@pytest.mark.parametrize("as_variable", [False, True])
def test_an_event_of_a_growing_log_is_sent(
    tmp_path: Path, receiver: Receiver, *, as_variable: bool
) -> None:
    known = [(step, math.nan if step == 5 else 1.0) for step in range(20)]
    log = write(tmp_path / "logs" / "a`<b>", "events.out.tfevents.1.host", tensorboard_log(known))
    url = receiver.url()
    options = [] if as_variable else ["--webhook", url]
    env = {"MINDVIZ_WEBHOOK": url} if as_variable else {}
    with Mindviz(tmp_path / "logs", tmp_path / "workspace", *options, env=env) as mindviz:
        mindviz.wait_until_loaded()
        wait_until(lambda: mindviz.json("/findings")["looked_into"] == 1, "analysis")
        with log.open("ab") as file:
            file.write(events([(20, math.inf), (21, 1.0)], start=1_020.0))
        path, _, message = receiver.requests.get(timeout=PATIENCE)
        assert path == "/hook?key=secret"
        assert message["train_id"] == "./a`<b>"
        assert message["text"] == "`./a'\\x3cb>`: severe, infinity in `loss` at step 20"
        assert message["event"]["step"] == 20
        wait_until(lambda: mindviz.json("/status")["webhook"]["sent"] == 1, "sent")
        status = mindviz.json("/status")["webhook"]
        assert (status["host"], status["dropped"], status["problem"]) == ("127.0.0.1", 0, "")
    assert receiver.requests.empty()  # the NaN was there before
    assert "secret" not in "\n".join(mindviz.lines)
