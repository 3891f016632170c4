from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.analysis.series_parity import EXACT, StepParity
from mindviz.datavisual.plugins.audio import PLUGIN, parity
from mindviz.datavisual.series import series_view
from mindviz.datavisual.series.time_series import Audio
from mindviz.errors import AnswerTooLarge
from tests.sounds import wav
from tests.store_fake import FakeStore

samples = PLUGIN.values["samples"]
unit_samples = PLUGIN.values["unit_samples"]
values = PLUGIN.values[""]
view = PLUGIN.view

MONO = wav(np.array([0, 16384], np.int16), 8000)
STEREO = wav(np.array([[0, 16384], [-16384, 0], [0, 0]], np.int16), 44_100)


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    clips = [Audio((MONO,), ("a *tone*",)), Audio((STEREO, MONO)), Audio((b"OggS",)), Audio(())]
    store.add("./a").add_values("audio", "t", [0, 1, 2, 3], clips)
    return store


def test_the_view_describes_the_clips(store: FakeStore) -> None:
    columns = view(store, "./a", "t").whole().columns
    assert columns["clips"] == [1, 2, 1, 0]
    assert columns["labels"] == [["a *tone*"], [], [], []]
    assert columns["content_type"] == ["audio/wav", "audio/wav", "audio/ogg", None]
    assert columns["sample_rate"] == [8000, 44_100, None, None]
    assert (columns["channels"], columns["frames"]) == ([1, 2, None, None], [2, 3, None, None])


def test_values_have_the_number_of_frames_as_their_size(store: FakeStore) -> None:
    assert values(store, "./a", "t").whole().columns["size"] == [[2], [3], [], []]


def test_samples_are_those_of_the_first_clip_frame_by_frame(store: FakeStore) -> None:
    seen = samples(store, "./a", "t").whole()
    mono, stereo = seen.columns["data"][:2]
    assert np.asarray(mono).tolist() == [0, 0.5]
    assert np.asarray(stereo).tolist() == [0, 0.5, -0.5, 0, 0, 0]
    assert seen.columns["size"] == [[2], [3, 2], None, None]
    assert list(seen.problems) == [2, 3]


def test_unit_samples_are_the_same_between_0_and_1(store: FakeStore) -> None:
    seen = samples(store, "./a", "t").whole()
    unit = unit_samples(store, "./a", "t").whole()
    assert unit.columns["size"] == seen.columns["size"]
    for one, other in zip(seen.columns["data"], unit.columns["data"], strict=True):
        if one is not None:
            np.testing.assert_allclose(2 * np.asarray(other) - 1, one)
            assert 0 <= np.min(np.asarray(other)) <= np.max(np.asarray(other)) <= 1


def test_more_samples_than_an_answer_may_have_are_refused(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 5)
    with pytest.raises(AnswerTooLarge):
        samples(store, "./a", "t").read(np.array([1]))


def test_equal_samples_have_parity_in_any_encoding() -> None:
    wider = wav(np.array([0, 16384 << 16], np.int32), 8000)
    assert parity(Audio((MONO,)), Audio((wider,)), EXACT) == StepParity(reencoded=True)
    assert parity(Audio((b"OggS",)), Audio((b"OggS",)), EXACT) == StepParity()


@pytest.mark.parametrize(
    ("other", "descriptions"),
    [
        (Audio((MONO, MONO)), ("clips: 1", "clips: 2")),
        (Audio((b"OggS",)), ("audio/wav, 48 bytes", "audio/ogg, 4 bytes")),
        (Audio((wav(np.array([0, 16384], np.int16), 16_000),)), ("8,000 Hz", "16,000 Hz")),
        (Audio((STEREO,)), ("8,000 Hz", "44,100 Hz")),
        (Audio((wav(np.array([0], np.int16), 8000),)), ("shape [2, 1]", "shape [1, 1]")),
        (Audio((wav(np.array([0, 8192], np.int16), 8000),)), (0.5, 0.25)),
        (Audio((MONO,), ("a tone",)), ("texts: 0", "texts: 1")),
    ],
)
def test_differences_of_audio_are_described(
    other: Audio, descriptions: tuple[str | float, str | float]
) -> None:
    found = parity(Audio((MONO,)), other, EXACT)
    assert found.different
    assert (found.a, found.b) == descriptions
