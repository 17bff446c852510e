"""Between the table's values and the bytes of the protocol `schmier.v1`.

Nothing else in the house knows field numbers or protobuf messages, but for the generated code in
`wire.pb` that the SDK speaks. Bytes from a bot never raise anything but `Unparsable` here.
"""

from referee.wire.installed import require_protobuf

require_protobuf()

from referee.wire.decisions import DecisionEncoder, decisions_message  # noqa: E402
from referee.wire.notices import (  # noqa: E402
    MAX_BATCH,
    MAX_IGNORED_ACTIONS,
    REVISION,
    GoodbyeReason,
    game_ended,
    goodbye,
    welcome,
)
from referee.wire.protos import proto_files, write_protos  # noqa: E402
from referee.wire.requests import (  # noqa: E402
    MAX_MESSAGE_BYTES,
    Answer,
    Hello,
    Unparsable,
    read_request,
)

__all__ = [
    "MAX_BATCH",
    "MAX_IGNORED_ACTIONS",
    "MAX_MESSAGE_BYTES",
    "REVISION",
    "Answer",
    "DecisionEncoder",
    "GoodbyeReason",
    "Hello",
    "Unparsable",
    "decisions_message",
    "game_ended",
    "goodbye",
    "proto_files",
    "read_request",
    "require_protobuf",
    "welcome",
    "write_protos",
]
