from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.datavisual.logs.scanner.damage import damage, further_damage
from mindviz.datavisual.series.findings import FindingKind

ROOT = Path(__file__).resolve().parents[4]

SCANNERS_FIND = [
    FindingKind.TRUNCATED,
    FindingKind.ZERO_TAIL,
    FindingKind.BAD_LENGTH,
    FindingKind.BAD_PAYLOAD,
    FindingKind.BAD_RECORD,
    FindingKind.TOO_MANY_SEGMENTS,
]


@pytest.mark.parametrize("kind", SCANNERS_FIND)
def test_every_finding_has_a_place_and_a_description(kind: FindingKind) -> None:
    finding = damage(kind, "run/log", 12)
    assert (finding.kind, finding.path, finding.offset) == (kind, "run/log", 12)
    assert finding.detail.endswith(".")


def test_the_page_translates_every_kind() -> None:
    page = (ROOT / "ui/src/jobs/server_texts.ts").read_text("utf-8")
    assert [kind for kind in SCANNERS_FIND if f"'{kind.value}'" not in page] == []


@pytest.mark.parametrize("kind", [FindingKind.BAD_PAYLOAD, FindingKind.BAD_RECORD])
def test_a_skipped_record_is_a_lost_one(kind: FindingKind) -> None:
    assert damage(kind, "log", 0).lost_records == 1


def test_a_record_that_is_waited_for_is_not_lost() -> None:
    assert damage(FindingKind.TRUNCATED, "log", 0).lost_records == 0


def test_unlisted_findings_are_counted() -> None:
    finding = further_damage(FindingKind.BAD_PAYLOAD, "log", 99, 17)
    assert (finding.offset, finding.lost_records) == (99, 17)
    assert "17" in finding.detail
