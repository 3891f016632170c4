"""Which packs have the newest states of files."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from mindviz.datavisual.logs.warm.pack_index import PackIndex


class LivePack(NamedTuple):
    """What is in use of a pack."""

    pack: str
    files: int
    """Those with a state in it."""
    newest: Sequence[int]
    """The numbers of those whose newest state it is, in order."""
    packs: Sequence[str]
    """Others to which it refers."""


def live_packs(
    indices: Iterable[tuple[Mapping[str, Any], PackIndex]], gone: AbstractSet[str]
) -> Sequence[LivePack]:
    """All packs of the documents and tables, in the same order: the newest first.

    Logs that are `gone` have no newest state. Only one index is needed at a time: those of 100,000
    files take 40 MB.
    """
    live = []
    seen: set[int] = set()
    """Hashes of paths, which take half their memory. If two are equal, a log may be read again."""
    for document, table in indices:
        newest = array("I")
        for number, path in reversed([*enumerate(document["paths"])]):
            key = hash(path)
            if key not in seen:
                seen.add(key)
                if path not in gone:
                    newest.append(number)
        newest.reverse()
        live.append(LivePack(table.pack, len(table), newest, document["packs"]))
    return live
