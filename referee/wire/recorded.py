"""A decision from protobuf's JSON, as recorded ones are kept for people to read and for tests."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.json_format import ParseDict, ParseError

from referee.wire.pb.schmier.v1 import decision_pb2

__all__ = ["recorded_decision"]


def recorded_decision(fields: Mapping[str, object]) -> decision_pb2.Decision:
    """Return the decision that the fields are the JSON of; ValueError if they are none."""
    try:
        return ParseDict(dict(fields), decision_pb2.Decision())
    except ParseError as error:
        raise ValueError(f"not the JSON of a decision: {error}") from None
