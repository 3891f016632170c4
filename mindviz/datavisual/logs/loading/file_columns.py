"""FileColumns: the batches of one log file, in memory or in the warm cache."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.warm.kept_file import batch_of, batch_section
from mindviz.datavisual.logs.warm.pack import (
    DamagedPack,
    PackWriter,
    Place,
    decoded,
    encoded,
)
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.scratch_file import SMALL, ScratchFile
from mindviz.datavisual.series.columns import Batch, MappedBatch, merged

MERGE_LIMIT = 65_536
"""Points. Larger batches stay as they are: a merge takes time, and duplicates what they share."""


class FileColumns:
    """The batches of one file: first those in the warm cache, then those in memory.

    Not thread-safe.
    """

    def __init__(
        self,
        places: tuple[Place, ...] = (),
        recent: Iterable[Batch] = (),
        *,
        complete: bool = True,
    ) -> None:
        """`places` are those of its first batches, in the warm cache."""
        self.complete = complete
        """False after batches were dropped that are nowhere else; later ones are not added."""
        self._places = places
        self._mapped: tuple[Batch, ...] | None = None if places else ()
        """Batches at `_places`; None until they are requested."""
        self._recent = list(recent)
        """Later ones, in memory."""
        self.read_bytes = sum(batch.nbytes for batch in self._recent)
        """Of all batches that were read, in memory or not."""
        self._spilled = 0
        """The same when they were last spilled."""

    @property
    def is_resident(self) -> bool:
        """Whether `batches` are all batches of the file."""
        return self.complete and self._mapped is not None

    @property
    def is_kept(self) -> bool:
        """Whether a part of it is in the warm cache."""
        return bool(self._places)

    @property
    def batches(self) -> tuple[Batch, ...]:
        """In order; none unless all are at hand."""
        return (*self._mapped, *self._recent) if self._mapped is not None else ()

    def add(self, batch: Batch, scratch: ScratchFile | None = None) -> None:
        """Append a batch, in a `scratch` file if there is one, unless earlier ones are lost."""
        self.read_bytes += batch.nbytes
        if self.complete:
            self._recent.append(batch)
            _merge_tail(self._recent)
            if scratch is not None:
                self._recent[-1] = moved(self._recent[-1], scratch)

    def drop(self) -> None:
        """Free the memory."""
        if self._recent:
            self.complete, self._recent, self._places = False, [], ()
        self._mapped = None if self._places else ()

    def map(self, warm: WarmCache) -> None:
        """Map what the warm cache has. Raises DamagedPack."""
        if self._mapped is None:
            self._mapped = tuple(map(warm.mapped, self._places))

    def write(self, writer: PackWriter, warm: WarmCache) -> tuple[Place, ...]:
        """Add what is in memory to a pack; the places of all batches then.

        Small batches are merged with those of earlier packs, so that few remain and a growing file
        is not written again and again. Raises OSError, DamagedPack.
        """
        recent, places = list(self._recent), list(self._places)
        while recent and places:
            earlier = warm.mapped(places[-1])
            if not _can_merge(earlier, recent[0]):
                break
            recent[0] = merged(earlier, recent[0])
            del places[-1]
        return (*places, *(writer.add(batch_section(batch)) for batch in recent))

    def replace(self, places: tuple[Place, ...]) -> None:
        """The warm cache has all batches at these places now: free the memory."""
        self.complete, self._recent = True, []
        self._places, self._mapped = places, None if places else ()
        self._spilled = self.read_bytes

    def spill(self, options: ScanOptions) -> bool:
        """Move what is in memory to the warm cache, if any, once it is much; whether it is."""
        if self.read_bytes - self._spilled < options.memory.spill_bytes:
            return False
        self._spilled, warm = self.read_bytes, options.warm
        if warm is None:
            return True
        try:
            with closing(warm.writer()) as writer:
                places = self.write(writer, warm)
                warm.commit(writer, ())
                self.replace(places)
        except (OSError, DamagedPack) as error:
            warm.report(error)
        return True


def moved(batch: Batch, scratch: ScratchFile) -> Batch:
    """An equal batch in a file; itself if it is small, or if nothing can be written."""
    data = None if batch.nbytes < SMALL else scratch.written(encoded(batch_section(batch)))
    if data is None:
        return batch
    there = batch_of(decoded(data))
    return MappedBatch(there.segment, there.scalars, there.values)


def _merge_tail(batches: list[Batch]) -> None:
    """Merge the last batches while they are small and of similar size, so that few remain."""
    while len(batches) > 1 and _can_merge(*batches[-2:]):
        batches[-2:] = [merged(*batches[-2:])]


def _can_merge(earlier: Batch, later: Batch) -> bool:
    first, second = (batch.scalars.points + len(batch.values) for batch in (earlier, later))
    return (
        earlier.segment == later.segment and first <= 2 * second and first + second <= MERGE_LIMIT
    )
