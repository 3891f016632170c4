"""Writes the files of TensorBoard's embedding projector next to the log.

`projector_config.pbtxt` lists each embedding's `<step>/<tag>/tensors.tsv` and its optional
`metadata.tsv` and `sprite.png`. Source: tensorboard/plugins/projector.
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
from mindviz.summary.values.torch_images import to_uint8
from mindviz.summary.writing.recorded_step import PooledValue, describe


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """One embedding."""

    tag: str
    vectors: Array
    """Shape (n, dimensions)."""
    rows: Sequence[Sequence[str]] = ()
    """Labels of each point; may be empty."""
    header: Sequence[str] = ()
    images: Array | None = None
    """Shape (n, channels, height, width): the thumbnail of each point."""


class Projector:
    """The embeddings of one directory; thread-safe."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._lock = threading.Lock()
        self._entries: list[str] = []

    def write(self, points: ProjectedPoints, step: int) -> None:
        """Write the files of an embedding and add them to the configuration. Raises OSError."""
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
        if points.images is not None:
            (path / "sprite.png").write_bytes(_sprite(points.images))
            height, width = points.images.shape[2:]
            entry += f"  sprite {{\n    image_path: {_quoted(folder + '/sprite.png')}\n"
            entry += f"    single_image_dim: {width}\n    single_image_dim: {height}\n  }}\n"
        with self._lock:
            configuration = self._directory / "projector_config.pbtxt"
            if not self._entries and configuration.exists():
                # A resumed training keeps the embeddings of the earlier run.
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
    label_images: object = None,
) -> PooledValue:
    """The record of an embedding; encoding it also writes the projector's files.

    Raises InvalidValue if vectors, metadata and images differ in length.
    """
    what = describe("embedding", tag)
    labels = () if metadata is None else metadata
    points = ProjectedPoints(
        tag,
        snapshot(vectors, what),
        label_rows(labels),
        header or (),
        None if label_images is None else snapshot(label_images, f"the images of {what}"),
    )
    (record,) = tensorboard_values.embedding(tag, Embedding(points.vectors, labels, points.header))
    if points.images is not None and (
        points.images.ndim != 4 or len(points.images) != len(points.vectors)
    ):
        raise InvalidValue(
            f"{what} has {len(points.vectors)} vectors and images of shape "
            f"{list(points.images.shape)}; it must be [count, channels, height, width]."
        )

    def encode(wall_time: float, step: int) -> bytes | None:
        projector.write(points, step)
        return record.encode(wall_time, step)

    return replace(record, encode=encode)


def _folder_name(tag: str) -> str:
    """As in torch, except that tags such as `..` are escaped."""
    if not tag.strip("."):
        return tag.replace(".", "%2e") or "%"
    for special in "%/\\":
        tag = tag.replace(special, f"%{ord(special):02x}")
    return tag


def _quoted(text: str) -> str:
    return f'"{CEscape(text.encode(errors="replace"), as_utf8=True)}"'


def _cell(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ").replace("\r", " ")


def _sprite(thumbnails: Array) -> bytes:
    """A square grid of images, filled from the top left."""
    side = math.isqrt(len(thumbnails) - 1) + 1
    count, *shape = thumbnails.shape
    tiles = np.zeros((side * side, *shape), np.uint8)
    tiles[:count] = to_uint8(thumbnails)
    return images.png(images.grid(tiles, "NCHW", side))
