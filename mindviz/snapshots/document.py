"""Puts a snapshot together: one HTML file, or a folder for a web host.

The file's content security policy allows two scripts by their hash: one that unpacks the page's
script, and that script. No text of a log becomes HTML: it is in the data, in base64.
"""

from __future__ import annotations

import gzip
import shutil
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template

from mindviz.errors import StartError
from mindviz.snapshots.packed_words import packed
from mindviz.snapshots.snapshot import Facts

DATA = "snapshot.bin"
LICENSES = "THIRD_PARTY_LICENSES.md"
_LOADER = """
const text = document.getElementById('page').textContent;
const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const script = document.createElement('script');
script.type = 'module';
new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
  .text()
  .then((text) => {
    script.textContent = text;
    document.head.append(script);
  });
"""
_PIECE = 192 * 1024
"""Bytes of data per piece of a document, at least."""
_HEAD = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>$style</style>
</head>
<body>
<div id="app"></div>
<noscript>This snapshot of training logs needs JavaScript.</noscript>
<script type="text/plain" id="mindviz-snapshot">""")
_TAIL = Template("""</script>
<script type="text/plain" id="page">$page</script>
<!-- Licenses of the packages in the page, as gzip in base64; About mindviz shows them. -->
<script type="text/plain" id="third-party-licenses">$licenses</script>
<script>$loader</script>
</body>
</html>
""")


@dataclass(frozen=True, slots=True)
class BuiltPage:
    """The page of snapshots, as the build of the UI leaves it."""

    script: bytes
    """gzip"""
    style: str
    licenses: bytes
    """Of the packages in the script; gzip."""

    @classmethod
    def of(cls, webui: Path) -> BuiltPage:
        """Of the directory of the built UI. Raises StartError if it was not built."""
        try:
            script = (webui / "snapshot" / "page.js.gz").read_bytes()
            style = gzip.decompress((webui / "snapshot" / "page.css.gz").read_bytes())
            licenses = packed((webui / LICENSES).read_bytes())
        except FileNotFoundError:
            raise StartError(
                "This installation has no web UI. In a checkout, `make ui` builds it."
            ) from None
        return cls(script, style.decode(), licenses)

    @property
    def size(self) -> int:
        """Bytes of a file without data."""
        return self.document((), "").size

    def document(self, data: Sequence[bytes], title: str) -> Document:
        """One file with the page and the data."""
        unpacked = gzip.decompress(self.script)
        head = _HEAD.substitute(
            policy=_policy(_LOADER.encode(), unpacked),
            title=escape(title),
            # The only way out of the element.
            style=self.style.replace("</", "<\\/"),
        )
        tail = _TAIL.substitute(
            page=b64encode(self.script).decode(),
            licenses=b64encode(self.licenses).decode(),
            loader=_LOADER,
        )
        return Document(head.encode("utf-8", "replace"), data, tail.encode())


@dataclass(frozen=True, slots=True)
class Document:
    """A file that is written in pieces, because its data are large."""

    head: bytes
    data: Sequence[bytes]
    tail: bytes

    @property
    def size(self) -> int:
        """Bytes of the file."""
        data = sum(map(len, self.data))
        return len(self.head) + -(-data // 3) * 4 + len(self.tail)

    def pieces(self) -> Iterator[bytes]:
        """The file, in order."""
        yield self.head
        yield from _as_base64(self.data)
        yield self.tail


def _as_base64(parts: Iterable[bytes]) -> Iterator[bytes]:
    rest = bytearray()
    for part in parts:
        for at in range(0, len(part), _PIECE):
            rest += part[at : at + _PIECE]
            # Whole groups of three bytes have no padding.
            whole = len(rest) // 3 * 3
            if whole >= _PIECE:
                yield b64encode(rest[:whole])
                del rest[:whole]
    yield b64encode(rest)


def _policy(*scripts: bytes) -> str:
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(script).digest()).decode()}'" for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; media-src data: blob:; worker-src blob:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def title(facts: Facts) -> str:
    """Of a document."""
    return f"{facts.source.rstrip('/').rpartition('/')[2]} · mindviz snapshot"


def bytes_for_data(budget: int, page: BuiltPage) -> int:
    """How many bytes of data fit in a file of `budget` bytes, as base64."""
    return max(0, (budget - page.size) // 4 * 3)


def write_folder(folder: Path, webui: Path, data: Sequence[bytes]) -> None:
    """The page and the data as static files, for any host and path. Raises StartError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise StartError(f"{str(folder)!r} is not empty.")
        shutil.copytree(webui / "assets", folder / "assets", ignore=_ignored)
        for name in ("favicon.svg", LICENSES):
            shutil.copy(webui / name, folder)
        index = (webui / "index.html").read_text("utf-8")
        link = f'<link id="mindviz-snapshot" rel="preload" as="fetch" crossorigin href="./{DATA}">'
        (folder / "index.html").write_text(index.replace("</head>", f"{link}\n</head>"), "utf-8")
        with (folder / DATA).open("wb") as file:
            file.writelines(data)
    except FileNotFoundError:
        raise StartError(
            "This installation has no web UI. In a checkout, `make ui` builds it."
        ) from None
    except OSError as error:
        raise StartError(f"Cannot write {str(folder)!r}: {error.strerror or error}.") from None


def _ignored(_folder: str, names: list[str]) -> list[str]:
    """Compressed copies, and the REST explorer, which needs a server."""
    return [name for name in names if name.endswith(".gz") or name.startswith("rest-api")]
