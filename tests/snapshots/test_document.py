"""The file and the folder."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.errors import StartError
from mindviz.snapshots.document import BuiltPage, bytes_for_data, write_folder


@pytest.fixture
def webui(tmp_path: Path) -> Path:
    folder = tmp_path / "webui"
    (folder / "snapshot").mkdir(parents=True)
    (folder / "assets").mkdir()
    script = "document.title = '</script><b>';"
    (folder / "snapshot/page.js.gz").write_bytes(gzip.compress(script.encode()))
    (folder / "snapshot/page.css.gz").write_bytes(
        gzip.compress(b"p::before { content: '</style>' }")
    )
    (folder / "index.html").write_text("<head></head><body></body>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "THIRD_PARTY_LICENSES.md").write_text("## a - 1 (MIT)</script>")
    (folder / "assets/index-1.js").write_text("1")
    (folder / "assets/index-1.js.gz").write_text("1")
    (folder / "assets/rest-api-1.js").write_text("1")
    return folder


class Parsed(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[str, str] = {}
        self._open = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open = dict(attrs).get("id") or tag
        self.texts.setdefault(self._open, "")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open] += data


def test_the_file_embeds_script_and_data_and_allows_only_its_scripts(webui: Path) -> None:
    page = BuiltPage.of(webui)
    data = b"\0</script><script>alert(1)</script>"
    html = b"".join(page.document([data], 'a "<b>" & c').pieces()).decode()
    parsed = Parsed(html).texts
    assert b64decode(parsed["mindviz-snapshot"]) == data
    script = gzip.decompress(b64decode(parsed["page"]))
    assert parsed["title"] == 'a "<b>" & c'
    licenses = gzip.decompress(b64decode(parsed["third-party-licenses"]))
    assert licenses == b"## a - 1 (MIT)</script>"
    assert html.count("<script") == 4
    assert "alert" not in html
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    hashes = [
        f"'sha256-{b64encode(sha256(text).digest()).decode()}'"
        for text in (parsed["script"].encode(), script)
    ]
    assert f"script-src {' '.join(hashes)};" in policy[1]
    assert html.count("</style>") == 1


def test_the_budget_counts_the_page_and_base64(webui: Path) -> None:
    page = BuiltPage.of(webui)
    budget = page.size + 4_000
    document = page.document([b"x" * bytes_for_data(budget, page)], "")
    assert budget - 8 <= document.size <= budget
    assert bytes_for_data(10, page) == 0


@given(sizes=st.lists(st.integers(0, 700_000), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pieces_of_any_size_are_one_text_in_base64(webui: Path, sizes: list[int]) -> None:
    data = [(b"abcde"[at:] * 200_000)[:length] for at, length in enumerate(sizes)]
    document = BuiltPage.of(webui).document(data, "")
    head, *middle, tail = document.pieces()
    assert b64decode(b"".join(middle), validate=True) == b"".join(data)
    assert (head, tail) == (document.head, document.tail)
    assert document.size == len(head) + sum(map(len, middle)) + len(tail)
    assert max(map(len, middle)) < 1_000_000


def test_a_folder_has_no_file_that_needs_a_server(webui: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    write_folder(folder, webui, [b"da", b"ta"])
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert files == {
        "index.html",
        "favicon.svg",
        "THIRD_PARTY_LICENSES.md",
        "snapshot.bin",
        "assets/index-1.js",
    }
    assert (folder / "snapshot.bin").read_bytes() == b"data"
    assert 'href="./snapshot.bin"' in (folder / "index.html").read_text()


def test_folders_and_pages_that_cannot_be_used_are_explained(webui: Path, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="not empty"):
        write_folder(webui, webui, [])
    with pytest.raises(StartError, match="has no web UI"):
        BuiltPage.of(tmp_path)
    with pytest.raises(StartError, match="has no web UI"):
        write_folder(tmp_path / "x", tmp_path / "y", [])
    with pytest.raises(StartError, match="Cannot write"):
        write_folder(webui / "index.html", webui, [])
