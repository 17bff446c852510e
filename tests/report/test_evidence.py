from __future__ import annotations

import json
from typing import Any

import pytest

from referee.report import Evidence
from referee.table import FaultKind

SEEN = Evidence(
    kind=FaultKind.CRASH,
    bot="careful",
    partnership="Careful pair",
    detail="the stream ended",
    came_back="play TH",
    limit_ms=1000,
    waited_ms=12,
    asked_alone=True,
    ended="exit code 3",
    output_tail="Traceback\n\x1b[31mboom",
)


@pytest.mark.parametrize("waited_ms", [None, 0, 12])
def test_evidence_comes_back_from_json(waited_ms: int | None) -> None:
    evidence = Evidence(
        kind=FaultKind.HANDSHAKE,
        bot="b",
        partnership="p",
        detail="d",
        limit_ms=1,
        waited_ms=waited_ms,
        asked_alone=False,
    )
    for seen in (SEEN, evidence):
        assert Evidence.from_json(json.loads(json.dumps(seen.to_json()))) == seen


BROKEN: dict[str, dict[str, Any]] = {
    "a key too many": {"more": 1},
    "a text that is a number": {"detail": 5},
    "a time that is a text": {"waited_ms": "12"},
    "a time that is a yes": {"waited_ms": True},
    "a limit that is missing": {"limit_ms": None},
    "a yes that is a number": {"asked_alone": 1},
    "an unknown kind": {"kind": "bored"},
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_no_evidence_is_refused(case: str) -> None:
    with pytest.raises(ValueError, match=r"not evidence|bored"):
        Evidence.from_json({**SEEN.to_json(), **BROKEN[case]})


def test_evidence_without_a_key_is_refused() -> None:
    data = SEEN.to_json()
    for key in data:
        with pytest.raises(ValueError, match=key):
            Evidence.from_json({name: value for name, value in data.items() if name != key})
