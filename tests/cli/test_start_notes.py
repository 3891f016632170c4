"""Start notes: one for each thing that a person should know at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mindviz.cli.start_notes import start_notes
from mindviz.config import Config, ExperimentSource

PLAIN = Config(Path("/data"))


def test_by_default_there_are_no_notes() -> None:
    assert start_notes(PLAIN, [], token_is_new=False) == []


def test_the_note_about_a_missing_base_dir_names_log_files(tmp_path: Path) -> None:
    (tmp_path / "trainings").mkdir()
    (note,) = start_notes(PLAIN, [tmp_path / "trainngs"], token_is_new=False)
    assert note.startswith("This directory does not exist yet; mindviz waits for it. Did you mean")
    assert "*tfevents*" in note


def test_the_note_names_the_missing_base_dir(tmp_path: Path) -> None:
    sources = tuple(ExperimentSource(name, tmp_path / name) for name in ("a", "b"))
    config = replace(PLAIN, experiments=sources)
    (note,) = start_notes(config, [tmp_path / "b"], token_is_new=False)
    assert note.startswith(f"{tmp_path / 'b'} does not exist yet")


@pytest.mark.parametrize(
    ("host", "token", "is_new", "words"),
    [
        ("127.0.0.1", "x" * 16, False, ["asks for the configured token"]),
        ("::1", "", False, []),
        ("0.0.0.0", "x" * 16, True, ["link contains a token"]),
        ("192.0.2.1", "x" * 16, True, ["link contains a token"]),
        ("192.0.2.1", "", False, ["Anyone who can connect"]),
    ],
)
def test_the_notes_say_who_can_read_the_logs(
    host: str, token: str, is_new: bool, words: list[str]
) -> None:
    config = replace(PLAIN, host=host, auth_token=token)
    notes = start_notes(config, [], token_is_new=is_new)
    assert len(notes) == len(words)
    assert all(word in note for word, note in zip(words, notes, strict=True))
    assert not any("xxx" in note for note in notes)


def test_the_note_about_tensorboard_depends_on_the_token() -> None:
    config = replace(PLAIN, grpc_port=6806)
    (note,) = start_notes(config, [], token_is_new=False)
    assert "--grpc_data_provider localhost:6806" in note
    *_, note = start_notes(replace(config, auth_token="x" * 16), [], token_is_new=False)
    assert "TensorBoard cannot" in note
