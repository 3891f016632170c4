from __future__ import annotations

from pathlib import Path

import pytest
from long_description import long_description

SOURCE = "https://example.org/mindviz"
URLS = '[project.urls]\nSource = "https://example.org/mindviz"\n'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[a](docs/a.md)", "[a](https://example.org/mindviz/blob/main/docs/a.md)"),
        ("[a](docs/a.md#b)", "[a](https://example.org/mindviz/blob/main/docs/a.md#b)"),
        ("![a](a.png)", "![a](https://example.org/mindviz/raw/main/a.png)"),
        ("[a](#b) [c](https://x.org/)", "[a](#b) [c](https://x.org/)"),
        (
            "[![a](a.png)](b.md)",
            f"[![a]({SOURCE}/raw/main/a.png)]({SOURCE}/blob/main/b.md)",
        ),
    ],
)
def test_relative_links_become_absolute(tmp_path: Path, written: str, shown: str) -> None:
    (tmp_path / "pyproject.toml").write_text(URLS, "utf-8")
    (tmp_path / "README.md").write_text(f"Text {written} text\n", "utf-8")
    assert long_description(tmp_path) == f"Text {shown} text\n"
