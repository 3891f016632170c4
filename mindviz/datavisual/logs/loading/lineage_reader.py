"""LineageReader: decodes the facts of a log file as soon as they are scanned.

They are few and small, and tables of thousands of jobs need them: unlike other values, they are
decoded at once and stay in memory when columns are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.warm.kept_file import LineageState
from mindviz.datavisual.series.columns import ScanResult, SeriesHead, ValueIndex
from mindviz.datavisual.series.findings import HARMLESS, Finding, FindingKind
from mindviz.datavisual.series.lineage_facts import NO_FACTS, CutFacts, LineageFacts, merged_facts
from mindviz.errors import DamagedValue
from mindviz.wire.framing import unpack_record

MAX_FACT_SIZE = 16 * 1024 * 1024
"""Bytes of one record; no description of a dataset is larger."""
SMALL_RECORD = 65_536
"""Bytes. Scanners verify the checksums of larger records only in part."""
NAMED_FINDINGS = 100
"""Named damaged values per file."""

_FEW_VALUES = 1000
_KIND = attrgetter("kind")

Read = Callable[[int, int], bytes | memoryview]
"""(offset, length) -> the file's bytes. Raises OSError."""


class LineageReader:
    """Reads the facts of one log file, scan by scan."""

    def __init__(self, found: FoundFile) -> None:
        self.facts = NO_FACTS
        self.findings: list[Finding] = []
        self._found = found
        self._rule = found.format.lineage
        kinds = found.kind.schema.kinds if found.kind.schema is not None else ()
        wanted = self._rule.kinds if self._rule is not None else ()
        self._kinds = {kinds.index(kind): kind for kind in wanted if kind in kinds}
        self._series: dict[int, str] = {}
        """Series with facts -> their kind."""
        self._metadata: dict[int, bytes] = {}
        self._facts: dict[int, LineageFacts] = {}
        """By series, since the last value of a file wins, however scans divide it."""
        self._seen = 0
        self._unread: list[tuple[int, ValueIndex, list[int]]] = []
        """Series, index and rows of facts that are not read yet, in file order."""

    def take(self, result: ScanResult) -> None:
        """Record the places of facts in a scan; `read_facts` reads them."""
        if not self._kinds:
            return
        self._note_series(result.new_series)
        if not self._series:
            return
        for series in self._series.keys() & result.metadata.keys():
            self._metadata[series] = result.metadata[series]
        for batch in result.batches:
            found = set(self._series)
            if len(batch.values) < _FEW_VALUES:  # most logs: cheaper than a search for each series
                found &= set(batch.values.series.tolist())
            for series in sorted(found):
                rows = batch.values.rows_of(series)
                if len(rows):
                    values = batch.values.selected(rows)
                    self._unread.append((series, values, list(range(len(rows)))))

    def read_facts(self, read: Read) -> None:
        """Read the recorded facts. Raises OSError; the rest is left for the next call."""
        if not self._unread:
            return
        while self._unread:
            self._decode(*self._unread[0], read)
            del self._unread[0]
        self.facts = merged_facts(self._facts[series] for series in sorted(self._facts))

    @property
    def state(self) -> LineageState:
        """For `resume`, once everything is read."""
        return LineageState(self._facts, tuple(self.findings))

    def resume(
        self, state: LineageState, series: Sequence[SeriesHead], metadata: Mapping[int, bytes]
    ) -> None:
        """Continue another reader, given the file's series and their metadata."""
        if self._kinds:
            self._note_series(series)
            self._metadata = {key: metadata[key] for key in self._series if key in metadata}
        self._facts, self.findings = dict(state.facts), list(state.findings)
        if self._facts:
            self.facts = merged_facts(self._facts[key] for key in sorted(self._facts))

    def _note_series(self, heads: Sequence[SeriesHead]) -> None:
        assert self._rule is not None
        has_facts = self._rule.has_facts
        if not self._kinds.keys().isdisjoint(map(_KIND, heads)):
            for series, head in enumerate(heads, self._seen):
                kind = self._kinds.get(head.kind)
                if kind is not None and has_facts(kind, head.tag):
                    self._series[series] = kind
        self._seen += len(heads)

    def _decode(self, series: int, values: ValueIndex, rows: list[int], read: Read) -> None:
        """Decode rows of a series: all if they are merged, else the last readable one."""
        assert self._rule is not None
        kind = self._series[series]
        merges = kind in self._rule.merged_kinds
        for row in rows if merges else reversed(rows):
            offset = int(values.record_offset[row])
            try:
                value = self._value(values, row, read)
                facts = self._rule.decode(kind, self._metadata.get(series, b""), value)
            except DamagedValue as error:
                self._report(offset, str(error))
                continue
            if isinstance(facts, CutFacts):
                self._report(offset, facts.detail, FindingKind.CUT_CONFIG)
                facts = facts.facts
            if facts is None:
                if merges:
                    continue
                return
            if not merges:
                self._facts[series] = facts
                return
            self._facts[series] = merged_facts((self._facts.get(series, NO_FACTS), facts))

    def _value(self, values: ValueIndex, row: int, read: Read) -> bytes:
        start, length = int(values.record_offset[row]), int(values.record_length[row])
        if length > MAX_FACT_SIZE:
            raise DamagedValue(f"A lineage event has {length} bytes, more than is looked at.")
        first, size = int(values.value_offset[row]), int(values.value_length[row])
        schema = self._found.kind.schema
        if length <= SMALL_RECORD or schema is None:
            value = bytes(read(first, size))
            if len(value) < size:
                raise DamagedValue("The file is shorter than it was.")
            return value
        record = bytes(read(start, length))
        unpack_record(schema.framing, record)
        return record[first - start : first - start + size]

    def _report(self, offset: int, detail: str, kind: FindingKind = FindingKind.BAD_VALUE) -> None:
        if len(self.findings) < NAMED_FINDINGS:
            path = self._found.relative_path
            self.findings.append(
                Finding(kind, path, offset, detail, lost_records=int(kind not in HARMLESS))
            )
