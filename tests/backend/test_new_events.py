from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from queue import Empty, Queue
from typing import Any

import numpy as np
import pytest

from mindviz.backend.new_events import NewEvents
from mindviz.backend.webhook import Webhook
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.store import LoadStatus
from tests.store_fake import START, FakeStore

NAN = math.nan
WAIT = 20.0


class Recorded(Webhook):
    """Keeps messages instead of sending them."""

    def __init__(self) -> None:
        super().__init__("http://127.0.0.1:9/")
        self.messages: Queue[Mapping[str, Any]] = Queue()

    def send(self, message: Mapping[str, Any]) -> None:
        self.messages.put(message)


def place(message: Mapping[str, Any]) -> tuple[str, str, int]:
    return message["train_id"], message["event"]["kind"], message["event"]["step"]


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    store.add("./old").append("loss", [0, 1, 2], [1, NAN, 1])
    return store


class Followed:
    """The messages about a store; `check` replaces the thread."""

    def __init__(self, store: FakeStore) -> None:
        self.health = LogHealth(store)
        self.webhook = Recorded()
        self.events = NewEvents(self.webhook, interval=3_600)
        self.events.follow("", store, self.health)

    def analyzed(self) -> None:
        """Wait until all runs are analyzed."""
        self.events.check()
        while (page := self.health.page(wait=WAIT)).looked_into < page.jobs:
            pass

    def next(self) -> Mapping[str, Any]:
        """The next message."""
        for _ in range(400):
            self.events.check()  # a growing run is not due at once
            with suppress(Empty):
                return self.webhook.messages.get(timeout=0.05)
        pytest.fail("no message")


@pytest.fixture
def followed(store: FakeStore) -> Iterator[Followed]:
    """The events of ./old are known."""
    followed = Followed(store)
    followed.analyzed()
    yield followed
    followed.events.close()


def nothing_more(followed: Followed) -> None:
    followed.analyzed()
    with pytest.raises(Empty):
        followed.webhook.messages.get_nowait()


def test_events_of_new_runs_are_sent_once(store: FakeStore, followed: Followed) -> None:
    store.add("./new").append("loss", [0, 1], [NAN, 1])
    assert place(followed.next()) == ("./new", "nan", 0)
    store.jobs["./new"].append("loss", [2, 3], [NAN, 1], START + 100)
    assert place(followed.next()) == ("./new", "nan", 2)
    nothing_more(followed)


def test_of_old_runs_only_new_events_are_sent(store: FakeStore, followed: Followed) -> None:
    store.jobs["./old"].append("loss", [3, 4], [math.inf, 1], START + 100)
    assert place(followed.next()) == ("./old", "infinity", 3)
    nothing_more(followed)


def test_what_repeats_is_sent_again_with_its_number(store: FakeStore, followed: Followed) -> None:
    run = store.add("./new")
    noise = np.random.default_rng(0).normal(0, 0.1, 60).tolist()
    run.append("loss", range(63), [*noise, 9.0, 0.0, 0.0])
    assert followed.next()["event"]["times"] == 1
    run.append("loss", range(63, 126), [*noise, 9.0, 0.0, 0.0], START + 63)
    assert followed.next()["event"]["times"] == 2
    nothing_more(followed)


def test_what_is_found_while_loading_is_known(store: FakeStore) -> None:
    store.load_status = LoadStatus.LOADING
    followed = Followed(store)
    followed.analyzed()
    store.load_status = LoadStatus.LOADED
    store.jobs["./old"].append("loss", [3, 4], [NAN, 1], START + 100)
    assert place(followed.next()) == ("./old", "nan", 3)
    followed.events.close()


def test_a_message_says_what_and_where(store: FakeStore, followed: Followed) -> None:
    store.add("./new").append("loss", [0, 1], [NAN, 1])
    message = followed.next()
    assert message["text"] == "`./new`: severe, nan in `loss` at step 0"
    assert message["event"]["severity"] == "severe"
    assert message["event"]["places"][0]["tag"] == "loss"


def test_names_in_the_text_are_neither_markup_nor_mentions(
    store: FakeStore, followed: Followed
) -> None:
    store.add("./@all").append("<!channel> `x` ![](http://a)\n\x1b", [0, 1], [NAN, 1])
    assert followed.next()["text"] == (
        "`./@all`: severe, nan in `\\x3c!channel> 'x' ![](http://a)\\n\\x1b` at step 0"
    )
