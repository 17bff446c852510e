"""The versions that a run stores and `--version` prints."""

from __future__ import annotations

__all__ = ["versions", "versions_text"]


def versions() -> dict[str, str]:
    """Return the versions of the referee, its record format, gRPC, protobuf and Python."""
    import platform
    from importlib.metadata import version

    from referee.store import RECORD_FORMAT

    return {
        "schmier-referee": version("schmier-referee"),
        "record format": str(RECORD_FORMAT),
        "grpcio": version("grpcio"),
        "protobuf": version("protobuf"),
        "python": platform.python_version(),
    }


def versions_text() -> str:
    """Return the versions as lines."""
    return "\n".join(f"{name} {number}" for name, number in versions().items())
