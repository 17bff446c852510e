"""The floor that touches bot processes and gRPC streams: bytes in and out, nothing is parsed."""

from referee.bots.endpoint import MAX_MESSAGE_BYTES, BotStream, Endpoint, EndReason, Refusal
from referee.bots.homes import Homes
from referee.bots.process import BotProcess, BotProgram, bot_environment, resolved_command
from referee.bots.warden import BotChild, BotSpec, Ending, Exit, Warden, WardenKind

__all__ = [
    "MAX_MESSAGE_BYTES",
    "BotChild",
    "BotProcess",
    "BotProgram",
    "BotSpec",
    "BotStream",
    "EndReason",
    "Ending",
    "Endpoint",
    "Exit",
    "Homes",
    "Refusal",
    "Warden",
    "WardenKind",
    "bot_environment",
    "resolved_command",
]
