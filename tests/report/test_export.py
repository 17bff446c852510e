from __future__ import annotations

from pathlib import Path

from referee.report import export_lines, verify
from referee.store import RunReader


def exported(folder: Path, *, evidence: bool = False) -> list[bytes]:
    with RunReader(folder) as reader:
        return list(export_lines(reader, evidence=evidence))


def test_a_closed_run_is_exported_whole(closed_run: Path, tmp_path: Path) -> None:
    lines = exported(closed_run)
    (tmp_path / "x").write_bytes(b"".join(lines))
    v = verify(tmp_path / "x")
    print("\n".join(v.lines()))
    print(lines[1][:1500])
    v = verify(closed_run)
    print("\n".join(v.lines()))
    assert v.ok


def test_open(open_run: Path, tmp_path: Path) -> None:
    lines = exported(open_run, evidence=True)
    (tmp_path / "x").write_bytes(b"".join(lines))
    v = verify(tmp_path / "x")
    print("\n".join(v.lines()))
    assert v.ok
    v = verify(open_run)
    print("\n".join(v.lines()))
    assert v.ok
