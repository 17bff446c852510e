"""The floor that touches bot processes and gRPC streams: bytes in and out, nothing is parsed."""

from referee.bots.echo import Echo, measure_echo
from referee.bots.endpoint import Endpoint, Refusal
from referee.bots.endpoints import Endpoints, Reception
from referee.bots.homes import Homes
from referee.bots.leftovers import Leftover, leftovers
from referee.bots.machine import (
    CoreFacts,
    DescriptorFacts,
    core_facts,
    descriptor_facts,
    descriptors_needed,
    usable_cores,
)
from referee.bots.plain_port import PlainPort
from referee.bots.process import BotProcess, BotProgram, bot_environment, resolved_command
from referee.bots.streams import MAX_MESSAGE_BYTES, BotStream, EndReason
from referee.bots.usage import Usage, usage_of
from referee.bots.warden import BotChild, BotSpec, Ending, Exit, Warden, WardenKind

__all__ = [
    "MAX_MESSAGE_BYTES",
    "BotChild",
    "BotProcess",
    "BotProgram",
    "BotSpec",
    "BotStream",
    "CoreFacts",
    "DescriptorFacts",
    "Echo",
    "EndReason",
    "Ending",
    "Endpoint",
    "Endpoints",
    "Exit",
    "Homes",
    "Leftover",
    "PlainPort",
    "Reception",
    "Refusal",
    "Usage",
    "Warden",
    "WardenKind",
    "bot_environment",
    "core_facts",
    "descriptor_facts",
    "descriptors_needed",
    "leftovers",
    "measure_echo",
    "resolved_command",
    "usable_cores",
    "usage_of",
]
