"""The files of TensorBoard's embedding projector, beside the log.

`projector_config.pbtxt` names, for each embedding, `<step>/<tag>/tensors.tsv` and, where there are
any, `metadata.tsv` and `sprite.png`. Source: tensorboard/plugins/projector.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from google.protobuf.text_encoding import CEscape

from mindviz.errors import InvalidValue
from mindviz.summary.values import images, tensorboard_values
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.values.tensorboard_values import Embedding, label_rows
from mindviz.summary.values.torch_images import shades
from mindviz.summary.writing.log_names import named
from mindviz.summary.writing.recorded_step import PooledValue


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """One embedding."""

    tag: str
    vectors: Array
    """Shape (n, dimensions)."""
    rows: Sequence[Sequence[str]] = ()
    """What each point is; none: not known."""
    header: Sequence[str] = ()
    pictures: Array | None = None
    """Shape (n, channels, height, width): what each point looks like."""


class Projector:
    """The embeddings of one directory; `write` may be called from any thread."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._entries: list[str] = []

    def write(self, points: ProjectedPoints, step: int) -> None:
        """Write the files of an embedding, then name them in the configuration. Raises OSError."""
        folder = f"{step:05}/{_folder_name(points.tag)}"
        path = self._directory / folder
        path.mkdir(parents=True, exist_ok=True)
        np.savetxt(path / "tensors.tsv", points.vectors, "%.9g", delimiter="\t")
        lines = [
            ("tensor_name", f"{points.tag}:{step:05}"),
            ("tensor_path", f"{folder}/tensors.tsv"),
        ]
        if points.rows:
            rows = [points.header, *points.rows] if points.header else points.rows
            text = "".join("\t".join(map(_cell, row)) + "\n" for row in rows)
            (path / "metadata.tsv").write_text(text, "utf-8")
            lines.append(("metadata_path", f"{folder}/metadata.tsv"))
        entry = "".join(f"  {name}: {_quoted(text)}\n" for name, text in lines)
        if points.pictures is not None:
            (path / "sprite.png").write_bytes(_sprite(points.pictures))
            height, width = points.pictures.shape[2:]
            entry += f"  sprite {{\n    image_path: {_quoted(folder + '/sprite.png')}\n"
            entry += f"    single_image_dim: {width}\n    single_image_dim: {height}\n  }}\n"
        with self._lock:
            configuration = self._directory / "projector_config.pbtxt"
            if not self._entries and configuration.exists():
                # Of a training that is resumed here: its embeddings are still there.
                self._entries.append(configuration.read_text("utf-8", "replace"))
            entry = f"embeddings {{\n{entry}}}\n"
            if not any(entry in known for known in self._entries):
                self._entries.append(entry)
            part = configuration.with_suffix(".pbtxt.part")
            part.write_text("".join(self._entries), "utf-8")
            part.replace(configuration)


def embedding(
    projector: Projector,
    tag: str,
    vectors: object,
    *,
    metadata: Sequence[object] | None = None,
    header: Sequence[str] | None = None,
    pictures: object = None,
) -> PooledValue:
    """A record of an embedding that, when it is encoded, writes the projector's files as well.

    Raises InvalidValue for vectors, metadata and pictures that don't fit together.
    """
    what = named("embedding", tag)
    labels = () if metadata is None else metadata
    points = ProjectedPoints(
        tag,
        snapshot(vectors, what),
        label_rows(labels),
        header or (),
        None if pictures is None else snapshot(pictures, f"the pictures of {what}"),
    )
    (record,) = tensorboard_values.embedding(tag, Embedding(points.vectors, labels, points.header))
    if points.pictures is not None and (
        points.pictures.ndim != 4 or len(points.pictures) != len(points.vectors)
    ):
        raise InvalidValue(
            f"{what} has {len(points.vectors)} vectors and pictures of shape "
            f"{list(points.pictures.shape)}; it needs [count, channels, height, width]."
        )

    def encode(wall_time: float, step: int) -> bytes | None:
        projector.write(points, step)
        return record.encode(wall_time, step)

    return replace(record, encode=encode)


def _folder_name(tag: str) -> str:
    """As torch has it, but for tags that are no names of folders."""
    if not tag.strip("."):
        return tag.replace(".", "%2e") or "%"
    for special in "%/\\":
        tag = tag.replace(special, f"%{ord(special):02x}")
    return tag


def _quoted(text: str) -> str:
    return f'"{CEscape(text.encode(errors="replace"), as_utf8=True)}"'


def _cell(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")


def _sprite(pictures: Array) -> bytes:
    """As many rows as columns, the first picture at the top left."""
    side = math.isqrt(len(pictures) - 1) + 1
    count, *shape = pictures.shape
    places = np.zeros((side * side, *shape), np.uint8)
    places[:count] = shades(pictures)
    return images.png(images.grid(places, "NCHW", side))
