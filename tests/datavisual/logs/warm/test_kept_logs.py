from __future__ import annotations

from pathlib import Path

from mindviz.datavisual.logs.warm.kept_logs import clear, kept_logs
from mindviz.datavisual.logs.warm.pack import PackWriter, Section


def test_packs_of_earlier_releases_are_listed(tmp_path: Path) -> None:
    writer = PackWriter(tmp_path / "cache" / "folder")
    writer.commit(Section({"base_dir": "/logs", "written": 1, "files": [["/logs/a"]]}, ()))
    (kept,) = kept_logs(tmp_path / "cache")
    assert kept.base_dir == "/logs"
    assert kept.bytes > 0
    assert clear(tmp_path / "cache", "/others") == 0
    assert clear(tmp_path / "cache", "/logs") == kept.bytes
    assert kept_logs(tmp_path / "cache") == []
