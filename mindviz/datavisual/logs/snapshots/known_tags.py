"""Tags of jobs by their series: the runs of a sweep have equal ones.

Catalogs of 100,000 runs take a minute and a gigabyte; a listing needs only the tags.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import islice

import numpy as np

from mindviz.datavisual.logs.formats import logged_metadata
from mindviz.datavisual.logs.snapshots.file_snapshot import FileSnapshot
from mindviz.datavisual.series.columns import Int64s

Tags = Mapping[str, Sequence[str]]

_known: dict[Hashable, tuple[Tags, Int64s]] = {}
_MOST = 1_000


def known_tags(files: Sequence[FileSnapshot]) -> tuple[Tags, Int64s] | None:
    """The tags of an earlier job with equal series, which had no findings about them.

    With the rows of its scalars in the file's series table, in the order of their tags.
    """
    return _known.get(_key(files[0])) if _is_simple(files) else None


def note_tags(files: Sequence[FileSnapshot], tags: Tags, scalars: Sequence[int]) -> None:
    """Note the tags of a job without findings about its series, and the rows of its scalars."""
    if _is_simple(files):
        if len(_known) >= _MOST:
            _known.clear()
        _known.setdefault(_key(files[0]), (tags, np.array(scalars, np.int64)))


def _is_simple(files: Sequence[FileSnapshot]) -> bool:
    # Several files or segments may be written at the same time, which is a finding.
    return len(files) == 1 and files[0].found.kind.schema is not None and len(files[0].spans) <= 1


def _key(file: FileSnapshot) -> Hashable:
    """Files with equal keys have equal tags."""
    count = file.series_count
    declared = []
    # Another thread may add metadata.
    for series, metadata in list(file.metadata.items()):
        if series < count:
            logged = logged_metadata(metadata)
            declared.append((series, logged.plugin_name, logged.data_class))
    found = file.found
    named = found.name if found.format.kinds_named_by_file else ""
    heads = tuple(islice(file.series, count))
    return found.format.name, found.kind.name, named, heads, tuple(declared)
