"""Findings: which of them mean missing data."""

from __future__ import annotations

from mindviz.datavisual.series.findings import Finding, FindingKind, are_harmless


def test_nothing_is_missing_where_all_findings_are_harmless() -> None:
    tail, writers = Finding(FindingKind.ZERO_TAIL, "a"), Finding(FindingKind.SEVERAL_WRITERS, "a")
    assert are_harmless([])
    assert are_harmless([tail, writers])
    assert not are_harmless([tail, Finding(FindingKind.TRUNCATED, "a")])
