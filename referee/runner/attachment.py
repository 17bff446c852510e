"""A bot that a person starts: in a debugger, in a container, on any road but ours.

There is one process for both seats of its partnership, and it stays for the whole match: each
membership of each sitting has a link to it, as others have to a process of their own. What goes out
on its stream is numbered anew, so that ids count up as on every stream, and each answer finds its
link again. When the stream ends the variables for the next one are told.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.bots import BotStream, Ending, EndReason, Reception
from referee.runner.link import TROUBLE_OF, Listener
from referee.runner.rulings import Trouble
from referee.tourney import Limits
from referee.wire import Answer, GoodbyeReason, Hello, Unparsable, read_request, renumbered

__all__ = ["Attach", "AttachedLink", "Attachment", "Tell"]

Tell = Callable[[Mapping[str, str]], None]
"""Tells a person the environment variables that the bot is to be started with."""


@dataclass(frozen=True, slots=True)
class Attach:
    """What a person who starts a bot is told, and the limits that hold for this bot alone."""

    tell: Tell
    limits: Limits


_NOTHING_OF_OURS = Ending(failure="", exit=None, leftovers=0, output=b"", dropped=0)


class Attachment:
    """The one bot of a match that is started by hand."""

    def __init__(
        self, reception: Reception, *, welcome: Callable[[Hello], bytes], tell: Tell
    ) -> None:
        self._reception = reception
        self._welcome = welcome
        self._tell = tell
        self._stream: BotStream | None = None
        self._hello: Hello | None = None
        self._links: list[AttachedLink] = []
        self._asked: dict[int, tuple[AttachedLink, int]] = {}
        self._next_id = 1
        self._arrived: asyncio.Event = asyncio.Event()

    async def arrive(self, wait_s: float) -> Hello | None:
        """Wait for the bot's first hello; None if it does not come in time."""
        self._expect()
        try:
            async with asyncio.timeout(wait_s):
                await self._arrived.wait()
        except TimeoutError:
            return None
        return self._hello

    def link(self, listener: Listener) -> AttachedLink:
        """Return a link of one membership; the bot is waited for if it is not there."""
        link = AttachedLink(self, listener)
        self._links.append(link)
        if self._stream is None:
            self._expect()
        if self._hello is not None:
            # As every bot's hello it comes later: the caller is about to take note of its start.
            asyncio.get_running_loop().call_soon(link.greet, self._hello)
        return link

    def send(self, link: AttachedLink, message: bytes) -> None:
        """Write a link's message under ids of the stream."""
        if self._stream is not None:
            self._stream.send(renumbered(message, lambda own: self._number(link, own)))

    def forget(self, link: AttachedLink) -> None:
        """The link is over: what is still answered to it is nobody's."""
        if link in self._links:
            self._links.remove(link)
            self._asked = {
                number: asked for number, asked in self._asked.items() if asked[0] is not link
            }

    def _expect(self) -> None:
        token = secrets.token_hex(16)
        self._stream = stream = self._reception.expect(token)
        self._next_id = 1
        self._asked.clear()
        stream.on_message = self._hear
        stream.on_end = self._stream_ended
        self._tell({"SCHMIER_REFEREE": stream.target, "SCHMIER_TOKEN": token})

    def _number(self, link: AttachedLink, own: int) -> int:
        """The same number for what is asked again."""
        for number, asked in self._asked.items():
            if asked == (link, own):
                return number
        number, self._next_id = self._next_id, self._next_id + 1
        self._asked[number] = (link, own)
        return number

    def _hear(self, data: bytes) -> None:
        try:
            said = read_request(data)
        except Unparsable as problem:
            self._over(Trouble.UNREADABLE, str(problem))
            return
        if isinstance(said, Hello):
            if self._hello is not None:
                self._over(Trouble.UNREADABLE, "a second hello")
                return
            self._hello = said
            self._arrived.set()
            assert self._stream is not None
            self._stream.send(self._welcome(said))
            for link in list(self._links):
                link.greet(said)
            return
        heard: defaultdict[AttachedLink, list[Answer]] = defaultdict(list)
        for answer in said:
            # As the conversation does, it takes an answer until the decision is closed; to one
            # that is not open anywhere it answers itself, by passing it over.
            if answer.id in self._asked:
                asked_by, own = self._asked[answer.id]
                heard[asked_by].append(answer._replace(id=own))
                if answer.action is not None:
                    del self._asked[answer.id]
        for link, answers in heard.items():
            link.hear(answers)

    def _stream_ended(self, reason: EndReason, detail: str) -> None:
        self._over(TROUBLE_OF[reason], detail)

    def _over(self, trouble: Trouble, detail: str) -> None:
        """The process is of no more use; the next link waits for another one."""
        stream, self._stream, self._hello = self._stream, None, None
        if stream is not None:
            stream.close()
        links, self._links = self._links, []
        for link in links:
            link.lose(trouble, detail)


class AttachedLink:
    """What one membership has of the attached bot: a `Link`."""

    def __init__(self, attachment: Attachment, listener: Listener) -> None:
        self.hello: Hello | None = None
        self._attachment = attachment
        self._listener = listener
        self._over = False

    def send(self, message: bytes) -> None:
        """Write a message; never waits."""
        self._attachment.send(self, message)

    def end(self, reason: GoodbyeReason, text: str, *, stop_s: float) -> None:
        """Hear no more of the bot; its process and stream go on for other memberships."""
        self._over = True
        self._attachment.forget(self)

    def kill_if_ending(self) -> None:
        """Do nothing: the process is a person's."""

    @property
    def is_gone(self) -> bool:
        """Whether it is over."""
        return self._over

    async def ended(self) -> Ending:
        """Return at once: how the process ended is not ours to see."""
        return _NOTHING_OF_OURS

    @property
    def was_killed(self) -> bool:
        """Never: the process is a person's."""
        return False

    async def output(self) -> bytes:
        """Nothing: what the bot prints is on the person's own screen."""
        return b""

    def greet(self, hello: Hello) -> None:
        """The bot is there."""
        if not self._over and self.hello is None:
            self.hello = hello
            self._listener.on_hello(hello)

    def hear(self, answers: list[Answer]) -> None:
        """Answers to what this link asked."""
        if not self._over:
            self._listener.on_answers(answers)

    def lose(self, trouble: Trouble, detail: str) -> None:
        """The bot is gone."""
        if not self._over:
            self._over = True
            self._listener.on_over(trouble, detail)
