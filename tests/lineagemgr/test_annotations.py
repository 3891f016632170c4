from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from mindviz.errors import AnnotationsUnavailable, InvalidAnnotation
from mindviz.lineagemgr.annotation import Annotation
from mindviz.lineagemgr.annotations import FILE_NAME, WorkspaceAnnotations
from tests.lineagemgr.conftest import OpenNotes

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def base_dir(tmp_path: Path) -> Path:
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def test_reading_creates_and_opens_nothing(workspace: Path, base_dir: Path) -> None:
    assert WorkspaceAnnotations(workspace, base_dir).all() == {}
    assert not workspace.exists()


def test_changes_keep_other_keys(open_notes: OpenNotes) -> None:
    annotations = open_notes("logs")
    assert annotations.all() == {}
    annotations.update("./a", {"tag": 3, "remark": "first"})
    annotations.update("./a", {"remark": "second", "pinned": True, "colour": "#1f77B4"})
    annotations.update("./b", {"notes": "# Title", "group": "baseline", "hidden": False})
    annotations.update("./c", {})
    expected = {
        "./a": Annotation(tag=3, remark="second", pinned=True, colour="#1f77B4"),
        "./b": Annotation(notes="# Title", group="baseline", hidden=False),
    }
    assert annotations.all() == open_notes("logs").all() == expected
    assert open_notes("other").all() == {}
    annotations.update("./a", {"colour": None})
    assert annotations.all()["./a"].colour is None


def test_annotations_outlive_the_process_and_the_job(workspace: Path, base_dir: Path) -> None:
    first = WorkspaceAnnotations(workspace, base_dir)
    first.update("./a", {"tag": 3})
    first.close()
    base_dir.rmdir()
    again = WorkspaceAnnotations(workspace, base_dir)
    assert again.all() == {"./a": Annotation(tag=3)}
    again.close()


def test_a_base_dir_is_known_by_its_real_path(
    workspace: Path, base_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(base_dir)
    annotations = WorkspaceAnnotations(workspace, tmp_path / "link")
    annotations.update("./a", {"tag": 3})
    other = WorkspaceAnnotations(workspace, tmp_path / "other")
    other.update("./a", {"tag": 4})
    real = WorkspaceAnnotations(workspace, base_dir)
    assert real.all() == annotations.all() == {"./a": Annotation(tag=3)}
    assert other.all() == {"./a": Annotation(tag=4)}
    for one in (annotations, other, real):
        one.close()


def test_a_non_utf8_base_dir_has_separate_annotations(workspace: Path, tmp_path: Path) -> None:
    for number, name in enumerate((b"caf\xe9", b"caf\xe8")):
        base_dir = tmp_path / os.fsdecode(name)
        WorkspaceAnnotations(workspace, base_dir).update("./a", {"tag": number})
        assert WorkspaceAnnotations(workspace, base_dir).all()["./a"].tag == number


def test_the_log_directory_is_never_written_to(workspace: Path, base_dir: Path) -> None:
    base_dir.chmod(0o555)
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./a", {"tag": 3})
    annotations.close()
    assert list(base_dir.iterdir()) == []


def test_only_the_owner_may_read_notes(workspace: Path, base_dir: Path) -> None:
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./a", {"tag": 3})
    annotations.close()
    assert (workspace / FILE_NAME).stat().st_mode & 0o077 == 0


def test_changes_by_other_servers_are_seen(open_notes: OpenNotes) -> None:
    reader, writer = open_notes("logs"), open_notes("logs")
    writer.update("./a", {"tag": 1})
    assert reader.all() == {"./a": Annotation(tag=1)}
    unchanged = reader.all()
    assert reader.all() is unchanged
    writer.update("./a", {"tag": 2})
    assert reader.all() == {"./a": Annotation(tag=2)}
    reader.update("./b", {"tag": 3})
    assert set(reader.all()) == set(writer.all()) == {"./a", "./b"}


def test_notes_outlive_the_deletion_of_their_database(
    workspace: Path, base_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./a", {"tag": 1})
    assert annotations.all() == {"./a": Annotation(tag=1)}
    (workspace / FILE_NAME).unlink()
    assert annotations.all() == {}
    annotations.update("./b", {"tag": 2})
    assert "was deleted or replaced" in caplog.text
    shutil.rmtree(workspace)
    annotations.update("./c", {"tag": 3})
    assert annotations.all() == {"./c": Annotation(tag=3)}
    annotations.close()
    again = WorkspaceAnnotations(workspace, base_dir)
    assert again.all() == {"./c": Annotation(tag=3)}
    again.close()


def test_a_database_that_replaces_another_is_the_one_that_counts(
    workspace: Path, base_dir: Path, tmp_path: Path
) -> None:
    annotations, other = (
        WorkspaceAnnotations(where, base_dir) for where in (workspace, tmp_path / "other")
    )
    annotations.update("./a", {"tag": 1})
    other.update("./b", {"tag": 2})
    other.close()
    (tmp_path / "other" / FILE_NAME).replace(workspace / FILE_NAME)
    assert annotations.all() == {"./b": Annotation(tag=2)}
    annotations.close()


def test_notes_outlive_the_deletion_of_their_databases_log(workspace: Path, base_dir: Path) -> None:
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./a", {"tag": 1})
    (workspace / f"{FILE_NAME}-wal").unlink()
    annotations.update("./b", {"tag": 2})
    # As after a crash: the first one is never closed.
    again = WorkspaceAnnotations(workspace, base_dir)
    assert set(again.all()) == {"./a", "./b"}
    for one in (again, annotations):
        one.close()


def test_notes_survive_repeated_deletion_of_their_database(workspace: Path, base_dir: Path) -> None:
    annotations = WorkspaceAnnotations(workspace, base_dir)
    failed: list[Exception] = []

    def write(name: str) -> None:
        try:
            for number in range(30):
                annotations.update(f"./{name}", {"tag": number % 10})
                annotations.all()
        except AnnotationsUnavailable:
            pass  # deleted twice meanwhile: reported, not lost
        except Exception as error:  # noqa: BLE001 -- of a thread
            failed.append(error)

    writers = [Thread(target=write, args=(name,)) for name in "abc"]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        (workspace / FILE_NAME).unlink(missing_ok=True)
    for writer in writers:
        writer.join()
    assert failed == []
    annotations.update("./last", {"tag": 1})
    annotations.close()
    again = WorkspaceAnnotations(workspace, base_dir)
    assert again.all()["./last"] == Annotation(tag=1)
    again.close()


WRITE_MANY = """
import sys
from pathlib import Path
from mindviz.lineagemgr.annotations import WorkspaceAnnotations
annotations = WorkspaceAnnotations(Path(sys.argv[1]), sys.argv[2])
for number in range(50):
    annotations.update("./shared", {sys.argv[3]: sys.argv[3] + str(number)})
    annotations.update(f"./{sys.argv[3]}/{number}", {"remark": "mine"})
"""


def test_several_processes_write_at_once(workspace: Path, base_dir: Path) -> None:
    fields = ("remark", "notes", "group")
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITE_MANY, workspace, base_dir, field],
            cwd=ROOT,
            stderr=subprocess.PIPE,
        )
        for field in fields
    ]
    for writer in writers:
        assert writer.communicate()[1] == b""
    annotations = WorkspaceAnnotations(workspace, base_dir)
    found = annotations.all()
    annotations.close()
    assert found["./shared"] == Annotation(remark="remark49", notes="notes49", group="group49")
    assert len(found) == 1 + 50 * len(fields)


@pytest.mark.parametrize(
    "changes",
    [
        {"x": 1},
        {"tag": 11},
        {"tag": -1},
        {"tag": "1"},
        {"tag": True},
        {"tag": 1.0},
        {"tag": None},
        {"remark": 3},
        {"remark": "x" * 129},
        {"remark": None},
        {"notes": "x" * 100_001},
        {"notes": "\0"},
        {"notes": "\ud800"},
        {"hidden": 1},
        {"pinned": "yes"},
        {"colour": "red"},
        {"colour": "#12345"},
        {"colour": "#1234567"},
        {"colour": 3},
        {"group": []},
    ],
    ids=lambda changes: str(changes)[:40],
)
def test_invalid_notes_are_refused_without_changes(
    workspace: Path, base_dir: Path, changes: dict[str, Any]
) -> None:
    annotations = WorkspaceAnnotations(workspace, base_dir)
    with pytest.raises(InvalidAnnotation):
        annotations.update("./a", {"pinned": True} | changes)
    assert not workspace.exists()


def test_a_corrupt_database_raises_annotations_unavailable(workspace: Path, base_dir: Path) -> None:
    workspace.mkdir()
    (workspace / FILE_NAME).write_bytes(b"not a database, but longer than a header of one" * 20)
    annotations = WorkspaceAnnotations(workspace, base_dir)
    for use in (annotations.all, lambda: annotations.update("./a", {"tag": 1})):
        with pytest.raises(AnnotationsUnavailable):
            use()


def test_an_impossible_workspace_raises_annotations_unavailable(
    tmp_path: Path, base_dir: Path
) -> None:
    (tmp_path / "file").touch()
    annotations = WorkspaceAnnotations(tmp_path / "file" / "workspace", base_dir)
    assert annotations.all() == {}
    with pytest.raises(AnnotationsUnavailable):
        annotations.update("./a", {"tag": 1})


@pytest.mark.usefixtures("untraced")
def test_sqlalchemy_is_imported_with_the_first_note() -> None:
    code = (
        "import sys, mindviz.backend.app\n"
        "print({'sqlalchemy', 'sqlite3', 'scipy'} & set(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "set()"
