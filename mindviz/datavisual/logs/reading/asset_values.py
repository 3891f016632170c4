"""AssetValues: embeddings in files next to a job's logs, as generic series."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.directories.projector_assets import ProjectorAssets
from mindviz.datavisual.logs.migration import asset_series, generic_tensor
from mindviz.datavisual.logs.reading.generic_values import GenericValues
from mindviz.datavisual.payloads.projector_config import ProjectedFiles
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.generic_name import GenericName


class AssetValues(GenericValues):
    """Values in files of one tag, one file per step."""

    def __init__(
        self, assets: ProjectorAssets, name: GenericName, tag: str, files: Sequence[ProjectedFiles]
    ) -> None:
        """`files` are not empty, and in the order of steps."""
        paths = [_path(step, name) for step in files]
        super().__init__(
            asset_series(tag, name),
            np.array([step.step for step in files], np.int64),
            np.array([assets.time(path) for path in paths], np.float64),
        )
        self._assets = assets
        self._files = files
        self._paths = paths
        self._is_sprite = name.asset == "sprite"

    def report(self, index: int, kind: FindingKind, detail: str) -> None:  # noqa: ARG002
        """Take note of it, with the name of the configuration."""
        self._assets.report(kind, detail)

    def size(self, index: int) -> int:
        """Bytes of the file."""
        return self._assets.size(self._paths[index])

    def tensor(self, index: int) -> NDArray[np.generic]:
        """What the file holds. Raises DamagedValue, which has been reported."""
        files = self._files[index]
        if self._is_sprite:
            return generic_tensor(self.series, self._assets.sprite(files))
        return generic_tensor(self.series, self._assets.embedding(files))


def _path(files: ProjectedFiles, name: GenericName) -> str:
    if name.asset == "vectors":
        return files.tensor_path
    return files.metadata_path if name.asset == "metadata" else files.sprite_path


def asset_values(
    assets: ProjectorAssets, logged: Mapping[str, Collection[str]], plugin_name: str = ""
) -> Iterator[AssetValues]:
    """Series under a generic name, or all, in the order of tags.

    `logged` are the tags of each name. Of those, only the sprites are included.
    """
    known = {tag for name in generic_names().assets for tag in logged.get(name.name, ())}
    for tag in assets.tags():
        for name in generic_names().assets:
            if plugin_name not in ("", name.name):
                continue
            if tag not in known or name.asset == "sprite":
                files = [step for step in assets.files(tag) if _path(step, name)]
                if files:
                    yield AssetValues(assets, name, tag, files)
