from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mindviz.errors import InvalidAnnotation, ViewNotFound
from mindviz.lineagemgr import annotation_tables
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.saved_view import MAX_NAME, MAX_QUERY, SavedView
from tests.lineagemgr.conftest import OpenNotes

View = dict[str, Any]
BEST: View = {"name": "Best", "page": "scalar", "query": "runs=a~b"}
ALL: View = {"name": "All", "page": "runs", "query": ""}
IDS = ("aaaaaaaa", "bbbbbbbb", "cccccccc")


@pytest.fixture
def notes(open_notes: OpenNotes) -> Annotations:
    return open_notes("logs")


def test_views_are_listed_by_name_and_kept_per_directory(
    notes: Annotations, open_notes: OpenNotes
) -> None:
    assert notes.views() == []
    notes.update_view(IDS[0], BEST)
    notes.update_view(IDS[1], ALL)
    assert open_notes("logs").views() == [SavedView(IDS[1], **ALL), SavedView(IDS[0], **BEST)]
    other = open_notes("other")
    assert other.views() == []
    other.update_view(IDS[0], BEST)
    other.delete_view(IDS[0])
    assert len(notes.views()) == 2


def test_changes_keep_other_fields(notes: Annotations) -> None:
    notes.update_view(IDS[0], BEST)
    notes.update_view(IDS[0], {"name": "Renamed"})
    notes.update_view(IDS[0], {"query": "x=time", "page": "image"})
    assert notes.views() == [SavedView(IDS[0], "Renamed", "image", "x=time")]


def test_a_deleted_view_can_be_restored(notes: Annotations) -> None:
    notes.update_view(IDS[0], BEST)
    notes.delete_view(IDS[0])
    assert notes.views() == []
    notes.update_view(IDS[0], BEST)
    assert notes.views() == [SavedView(IDS[0], **BEST)]


def test_one_view_is_the_default(notes: Annotations) -> None:
    notes.update_view(IDS[0], BEST | {"is_default": True})
    notes.update_view(IDS[1], ALL | {"is_default": True})
    assert [view.view_id for view in notes.views() if view.is_default] == [IDS[1]]
    notes.update_view(IDS[1], {"is_default": False})
    assert not any(view.is_default for view in notes.views())


def test_unknown_views_are_not_found(notes: Annotations, tmp_path: Path) -> None:
    with pytest.raises(ViewNotFound):
        notes.update_view(IDS[0], {"name": "x"})
    with pytest.raises(ViewNotFound):
        notes.delete_view(IDS[0])
    assert not (tmp_path / "workspace").exists()
    notes.update_view(IDS[1], ALL)
    with pytest.raises(ViewNotFound):
        notes.update_view(IDS[0], {"name": "x"})
    with pytest.raises(ViewNotFound):
        notes.delete_view(IDS[0])


def test_names_are_unique(notes: Annotations) -> None:
    notes.update_view(IDS[0], BEST)
    notes.update_view(IDS[1], ALL)
    with pytest.raises(InvalidAnnotation, match="Another view has the name 'Best'"):
        notes.update_view(IDS[2], BEST)
    with pytest.raises(InvalidAnnotation, match="Another view has the name 'Best'"):
        notes.update_view(IDS[1], {"name": "Best", "is_default": True})
    assert notes.views() == [SavedView(IDS[1], **ALL), SavedView(IDS[0], **BEST)]


def test_the_number_of_views_is_limited(
    notes: Annotations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotation_tables, "MAX_VIEWS", 2)
    notes.update_view(IDS[0], BEST)
    notes.update_view(IDS[1], ALL)
    with pytest.raises(InvalidAnnotation, match="at most 2 saved views"):
        notes.update_view(IDS[2], BEST | {"name": "Third"})
    notes.update_view(IDS[1], {"name": "Still changes"})


def test_writers_wait_for_each_other(open_notes: OpenNotes) -> None:
    failed: list[Exception] = []

    def write(number: int) -> None:
        notes = open_notes("logs")
        try:
            for turn in range(10):
                view = {"name": f"{number}/{turn}", "page": "runs", "query": ""}
                notes.update_view(f"{number:04}{turn:04}", view | {"is_default": True})
        except Exception as error:  # noqa: BLE001 -- of a thread
            failed.append(error)

    writers = [Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert failed == []
    views = open_notes("logs").views()
    assert len(views) == 30
    assert sum(view.is_default for view in views) == 1


def test_notes_and_views_share_the_database(notes: Annotations) -> None:
    notes.update("./a", {"tag": 1})
    notes.update_view(IDS[0], BEST)
    assert notes.all() == {"./a": Annotation(tag=1)}
    assert len(notes.views()) == 1


@pytest.mark.parametrize(
    "changes",
    [
        None,
        [],
        {"x": 1},
        {"name": ""},
        {"name": "  "},
        {"name": "two\nlines"},
        {"name": "x" * (MAX_NAME + 1)},
        {"name": "\ud800"},
        {"name": None},
        {"page": "../x"},
        {"page": ""},
        {"page": 1},
        {"query": "x" * (MAX_QUERY + 1)},
        {"query": None},
        {"is_default": 1},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_invalid_views_are_refused(notes: Annotations, changes: Any) -> None:
    with pytest.raises(InvalidAnnotation):
        notes.update_view(IDS[0], BEST | changes if isinstance(changes, dict) else changes)
    assert notes.views() == []


@pytest.mark.parametrize("view_id", ["", "short", "UPPERCASE", "a" * 33, "../../../x", "aaaaaaa\0"])
def test_invalid_ids_are_refused(notes: Annotations, view_id: str) -> None:
    with pytest.raises(InvalidAnnotation, match="id"):
        notes.update_view(view_id, BEST)
