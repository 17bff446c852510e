"""Between the table's values and the bytes of the protocol `schmier.v1`.

Nothing else in the house knows field numbers or protobuf messages, but for the SDK, which speaks
the generated code in `wire.pb`. Bytes from a bot never raise anything but `Unparsable` here.

What is public is loaded when it is first asked for: a bot process that imports the SDK, and with it
`wire.pb`, would otherwise load codec and engine for nothing, a third of its time to start.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from referee.wire.installed import require_protobuf

if TYPE_CHECKING:
    from referee.wire.decisions import DecisionEncoder, decisions_message, renumbered
    from referee.wire.later import newer, newer_kind_of_message
    from referee.wire.notices import (
        MAX_IGNORED_ACTIONS,
        REVISION,
        GoodbyeReason,
        game_ended,
        goodbye,
        welcome,
    )
    from referee.wire.protos import proto_files, write_protos
    from referee.wire.requests import (
        MAX_ACTIONS,
        MAX_BATCH,
        MAX_MESSAGE_BYTES,
        Answer,
        Hello,
        Unparsable,
        read_hello,
        read_request,
    )
    from referee.wire.samples import Sample, new_bot, sample_bots, sample_files

__all__ = [
    "MAX_ACTIONS",
    "MAX_BATCH",
    "MAX_IGNORED_ACTIONS",
    "MAX_MESSAGE_BYTES",
    "REVISION",
    "Answer",
    "DecisionEncoder",
    "GoodbyeReason",
    "Hello",
    "Sample",
    "Unparsable",
    "decisions_message",
    "game_ended",
    "goodbye",
    "new_bot",
    "newer",
    "newer_kind_of_message",
    "proto_files",
    "read_hello",
    "read_request",
    "renumbered",
    "require_protobuf",
    "sample_bots",
    "sample_files",
    "welcome",
    "write_protos",
]

require_protobuf()

_MODULES = ("requests", "decisions", "notices", "protos", "samples", "later")


if not TYPE_CHECKING:  # a type checker knows the names above, and should know no others

    def __getattr__(name: str) -> object:
        """Load a public name from the module that lists it."""
        if name in __all__:
            for module in _MODULES:
                home = import_module(f"referee.wire.{module}")
                if name in home.__all__:
                    return globals().setdefault(name, getattr(home, name))
        raise AttributeError(f"module 'referee.wire' has no attribute {name!r}")
