"""One running copy of a bot: token, private directory, environment, process and stream together.

The environment is built from nothing and the token never travels in argv.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from referee.bots.endpoints import Reception
from referee.bots.homes import Homes
from referee.bots.streams import BotStream
from referee.bots.warden import BotChild, BotSpec, Ending, Warden

__all__ = ["BotProcess", "BotProgram", "bot_environment", "resolved_command"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BotProgram:
    """What a configuration says of how a bot is started; `env` wins over what we set."""

    command: tuple[str, ...]
    directory: Path
    env: tuple[tuple[str, str], ...] = ()


def resolved_command(command: tuple[str, ...]) -> tuple[str, ...]:
    """The command with `{python}` replaced by the interpreter that runs the referee."""
    return tuple(part.replace("{python}", sys.executable) for part in command)


def bot_environment(
    *, target: str, token: str, home: Path, env: tuple[tuple[str, str], ...]
) -> dict[str, str]:
    """The whole environment of a bot process: nothing is inherited but PATH."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": str(home),
        "TMPDIR": str(home),
        "SCHMIER_DIR": str(home),
        "no_proxy": "*",
        "PYTHONHASHSEED": "0",
        **dict(env),
        "SCHMIER_REFEREE": target,
        "SCHMIER_TOKEN": token,
    }


class BotProcess:
    """A bot process and the stream it is to open.

    `start` returns at once. Set `stream.on_message` and `stream.on_end` before the loop runs
    again; watch `child.exited` for a bot that ends without having dialled in.
    """

    def __init__(self, *, stream: BotStream, child: BotChild, home: Path, homes: Homes) -> None:
        self.stream = stream
        self.child = child
        self.home = home
        self._homes = homes

    @classmethod
    def start(
        cls, program: BotProgram, *, warden: Warden, endpoint: Reception, homes: Homes
    ) -> BotProcess:
        """Make a token and a private directory, expect the token, start the program."""
        token = secrets.token_hex(16)
        home = homes.new()
        stream = endpoint.expect(token)
        child = warden.spawn(
            BotSpec(
                command=resolved_command(program.command),
                cwd=program.directory,
                env=bot_environment(target=stream.target, token=token, home=home, env=program.env),
            )
        )
        return cls(stream=stream, child=child, home=home, homes=homes)

    async def stop(self, *, goodbye: bytes | None = None, stop_s: float = 0.0) -> Ending:
        """Close the stream, give the bot `stop_s` to exit by itself, kill what is left of it.

        Returns when its last process and its private directory are gone.
        """
        self.stream.close(goodbye)
        if stop_s > 0:
            await asyncio.wait([self.child.exited], timeout=stop_s)
        self.child.kill()
        ending = await asyncio.shield(self.child.ended)
        try:
            await asyncio.to_thread(self._homes.remove, self.home)
        except OSError as error:
            _log.warning("cannot remove a bot's private directory: %s", error)
        return ending
