from __future__ import annotations

import pytest

from mindviz.datavisual.plugins.audio_labels import PLUGIN, tags
from mindviz.datavisual.series.time_series import Audio
from mindviz.errors import TagNotFound
from tests.store_fake import FakeStore

values = PLUGIN.values[""]
view = PLUGIN.view


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    job.add_values("audio", "said", [1, 2], [Audio((b"", b"")), Audio((b"", b""), ("*a*", "b"))])
    job.add_values("audio", "mute", [1], [Audio((b"",))])
    job.add_values("audio", "broken", [1], [Audio((b"",), ("x",))])
    job.damage("audio", "broken", 0)
    return store


def test_series_whose_clips_have_labels_are_listed(store: FakeStore) -> None:
    assert tags(store, "./a") == ["said"]


def test_labels_are_a_series_of_the_same_tag(store: FakeStore) -> None:
    assert view(store, "./a", "said").whole().columns["labels"] == [[], ["*a*", "b"]]
    assert values(store, "./a", "said").whole().columns["data"] == [[], ["*a*", "b"]]
    assert list(view(store, "./a", "broken").whole().problems) == [0]
    with pytest.raises(TagNotFound):
        view(store, "./a", "none")
