"""What was seen around a fault, kept beside the records and never in them.

Whoever judges a bot writes it, `show` reads it, and the store carries it as JSON between the two.
The decision itself is not in it: it is recomputed from the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from referee.table import FaultKind

__all__ = ["Evidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One fault as it was seen.

    `detail` says what was wrong, in a few words; `came_back` is the answer as text, empty if there
    was none. `limit_ms` is the limit that counted, `waited_ms` the time measured against it, None
    if no clock ran. `asked_alone`: nothing else was open at the process. `ended` is the end of the
    process, like "exit code 3" or "signal 9", empty if it went on; `output_tail` its last output.
    Texts from a bot are as they came: whoever shows them makes them visible.
    """

    kind: FaultKind
    bot: str
    partnership: str
    detail: str
    came_back: str = ""
    limit_ms: int
    waited_ms: int | None
    asked_alone: bool
    ended: str = ""
    output_tail: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the evidence as plain JSON."""
        return {**asdict(self), "kind": self.kind.value}

    @staticmethod
    def from_json(data: Mapping[str, object]) -> Evidence:
        """Return what `to_json` wrote; raises `ValueError` if it is none."""
        types = dict(_TYPES)
        if set(data) != set(types):
            raise ValueError(f"not evidence: keys {sorted(set(data) ^ set(types))}")
        for name, allowed in types.items():
            if type(data[name]) not in allowed:
                raise ValueError(f"not evidence: {name} is {data[name]!r}")
        values: dict[str, object] = {**data, "kind": FaultKind(str(data["kind"]))}
        return Evidence(**values)  # type: ignore[arg-type]


_TEXT: tuple[type, ...] = (str,)
_TYPES = {
    **{field.name: _TEXT for field in fields(Evidence)},
    "limit_ms": (int,),
    "waited_ms": (int, type(None)),
    "asked_alone": (bool,),
}
