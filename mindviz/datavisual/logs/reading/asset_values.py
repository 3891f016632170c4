"""AssetValues: embeddings in files beside a job's logs, as generic series."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.migration import (
    EMBEDDING_LABELS,
    EMBEDDING_SPRITES,
    asset_series,
    generic_tensor,
)
from mindviz.datavisual.logs.reading.generic_values import GenericValues
from mindviz.datavisual.payloads.projector_config import ProjectedFiles
from mindviz.datavisual.series.findings import FindingKind

ASSET_PLUGINS: dict[str, Callable[[ProjectedFiles], str]] = {
    "embedding": lambda files: files.tensor_path,
    EMBEDDING_LABELS: lambda files: files.metadata_path,
    EMBEDDING_SPRITES: lambda files: files.sprite_path,
}
"""Generic plugin -> the file that has its value at a step, an empty name if there is none."""


class AssetValues(GenericValues):
    """What some files hold of one embedding: a step each."""

    def __init__(
        self, assets: ProjectorAssets, plugin_name: str, tag: str, files: Sequence[ProjectedFiles]
    ) -> None:
        """`files` are not empty, and in the order of steps."""
        names = [ASSET_PLUGINS[plugin_name](one) for one in files]
        super().__init__(
            asset_series(tag, plugin_name),
            np.array([one.step for one in files], np.int64),
            np.array([assets.time(name) for name in names], np.float64),
        )
        self._assets = assets
        self._files = files
        self._names = names

    def report(self, index: int, kind: FindingKind, detail: str) -> None:  # noqa: ARG002
        """Take note of it, with the name of the configuration."""
        self._assets.report(kind, detail)

    def size(self, index: int) -> int:
        """Bytes of the file."""
        return self._assets.size(self._names[index])

    def tensor(self, index: int) -> NDArray[np.generic]:
        """What the file holds. Raises DamagedValue, which has been reported."""
        files = self._files[index]
        if self.series.metadata.plugin_name == EMBEDDING_SPRITES:
            return generic_tensor(self.series, self._assets.sprite(files))
        return generic_tensor(self.series, self._assets.embedding(files))


def asset_values(
    assets: ProjectorAssets, logged: Collection[str], plugin_names: Collection[str] = ASSET_PLUGINS
) -> Iterator[AssetValues]:
    """Series of these plugins, in the order of tags.

    Of embeddings that are `logged` there are only the pictures, which no log has.
    """
    for tag in assets.tags():
        for plugin_name, name_of in ASSET_PLUGINS.items():
            if plugin_name in plugin_names and (
                tag not in logged or plugin_name == EMBEDDING_SPRITES
            ):
                files = [one for one in assets.files(tag) if name_of(one)]
                if files:
                    yield AssetValues(assets, plugin_name, tag, files)
