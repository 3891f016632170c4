"""Health events: what befell a run, each once, however many findings and series tell of it.

A crash shows in every series of a run, and in each at steps of its own: one logs every step,
another every hundredth, a third counts epochs. A bad disk spoils thousands of records of one file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mindviz.datavisual.health.series_health import Sign, SignKind
from mindviz.datavisual.series.findings import HARMLESS, Finding, FindingKind

MAX_PLACES = 20
"""Named of one event, the first ones."""


class Severity(StrEnum):
    """How much it matters, the worst first."""

    SEVERE = "severe"
    """Data is lost, or training has gone astray."""
    WARNING = "warning"
    """Something went otherwise than usual; all that was logged since is there."""
    NOTE = "note"
    """Nothing is missing because of it."""


Kind = FindingKind | SignKind

_SEVERE: frozenset[Kind] = frozenset(
    {
        FindingKind.BAD_LENGTH,
        FindingKind.BAD_PAYLOAD,
        FindingKind.BAD_RECORD,
        FindingKind.BAD_VALUE,
        FindingKind.BROKEN_CLASS,
        FindingKind.CLASS_MISMATCH,
        FindingKind.UNREADABLE,
        SignKind.NAN,
        SignKind.INFINITY,
    }
)


def severity_of(kind: Kind) -> Severity:
    """How much something of this kind matters."""
    if kind in _SEVERE:
        return Severity.SEVERE
    return Severity.NOTE if kind in HARMLESS or kind is SignKind.STRAY else Severity.WARNING


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """Where an event is seen in a series."""

    tag: str
    step: int
    end_step: int
    window: tuple[int, int]
    """As of a `Sign`."""


@dataclass(frozen=True, slots=True)
class SeriesEvent:
    """What befell scalars of a run: signs of one kind at the same steps, or at the same time."""

    kind: SignKind
    severity: Severity
    count: int
    """Signs that it stands for."""
    tags: int
    """Series that have one."""
    step: int
    end_step: int
    """The range of steps of all of them."""
    size: tuple[float, float]
    """The least and the largest of the signs' sizes."""
    window: tuple[int, int]
    """First and last step of a chart that shows all of them."""
    places: tuple[SeriesPlace, ...]
    """By step and tag, at most `MAX_PLACES`."""


@dataclass(frozen=True, slots=True)
class LogEvent:
    """What is wrong with a file or directory: findings of one kind."""

    kind: FindingKind
    severity: Severity
    count: int
    """Findings that it stands for."""
    path: str
    """Relative to the base dir, `/` separated."""
    detail: str
    """Of the first finding."""
    lost_records: int
    """Of all of them."""
    offsets: tuple[int, ...]
    """In the file, ascending, at most `MAX_PLACES`; none if the file as a whole is meant."""


def log_events(findings: Iterable[Finding]) -> list[LogEvent]:
    """The events that these findings tell of, where the first of each stood."""
    together: defaultdict[tuple[FindingKind, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        together[finding.kind, finding.path].append(finding)
    return [
        LogEvent(
            kind,
            severity_of(kind),
            len(found),
            path,
            found[0].detail,
            sum(finding.lost_records for finding in found),
            tuple(
                sorted({finding.offset for finding in found if finding.offset is not None})[
                    :MAX_PLACES
                ]
            ),
        )
        for (kind, path), found in together.items()
    ]


def series_events(signs: Iterable[tuple[str, Sign]]) -> list[SeriesEvent]:
    """The events that signs of a run's series tell of, each sign with its tag; the worst first.

    Two signs of a kind are of one event if their steps or their times overlap, and so are those
    that a chain of such pairs leads to: what befell a run befell its series at the same time.
    """
    kinds: defaultdict[SignKind, list[tuple[str, Sign]]] = defaultdict(list)
    for tag, sign in signs:
        kinds[sign.kind].append((tag, sign))
    events = [
        _event(kind, together) for kind, found in kinds.items() for together in _overlapping(found)
    ]
    order = list(Severity)
    return sorted(events, key=lambda event: (order.index(event.severity), event.kind, event.step))


def _event(kind: SignKind, together: list[tuple[str, Sign]]) -> SeriesEvent:
    together.sort(key=lambda one: (one[1].step, one[0]))
    signs = [sign for _, sign in together]
    return SeriesEvent(
        kind,
        severity_of(kind),
        len(signs),
        len({tag for tag, _ in together}),
        signs[0].step,
        max(sign.end_step for sign in signs),
        (min(sign.size for sign in signs), max(sign.size for sign in signs)),
        (min(sign.window[0] for sign in signs), max(sign.window[1] for sign in signs)),
        tuple(
            SeriesPlace(tag, sign.step, sign.end_step, sign.window)
            for tag, sign in together[:MAX_PLACES]
        ),
    )


def _overlapping(found: Sequence[tuple[str, Sign]]) -> Iterator[list[tuple[str, Sign]]]:
    """The signs in groups that no overlap, of steps or of times, leads out of."""
    if len(found) == 1:
        yield list(found)
        return
    group = list(range(len(found)))

    def first_of(at: int) -> int:
        while group[at] != at:
            group[at] = at = group[group[at]]
        return at

    for span in (_steps, _times):
        for one, other in _touching([span(sign) for _, sign in found]):
            group[first_of(one)] = first_of(other)
    groups: defaultdict[int, list[tuple[str, Sign]]] = defaultdict(list)
    for at, sign in enumerate(found):
        groups[first_of(at)].append(sign)
    yield from groups.values()


_Span = tuple[float, float]


def _steps(sign: Sign) -> _Span:
    return sign.step, sign.end_step


def _times(sign: Sign) -> _Span:
    first, last = sign.wall_time, sign.end_wall_time
    return min(first, last), max(first, last)


def _touching(spans: Sequence[_Span]) -> Iterator[tuple[int, int]]:
    """Pairs that connect all spans that overlap; unknown ones (NaN) overlap nothing."""
    known = [at for at, (first, last) in enumerate(spans) if first <= last]
    farthest: int | None = None
    for at in sorted(known, key=lambda at: spans[at]):
        if farthest is not None and spans[at][0] <= spans[farthest][1]:
            yield at, farthest
        if farthest is None or spans[at][1] >= spans[farthest][1]:
            farthest = at
