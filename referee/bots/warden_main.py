"""The warden: the process that owns every bot process, and leaves none behind.

Standard library only, started as `python -I -S warden_main.py` before gRPC is touched, so that it
may fork. It holds one end of a socket as its standard input and speaks JSON lines over it.

Theory of operation. For each bot the warden forks a *keeper*, which makes itself a child subreaper
and then starts the bot. Whatever the bot starts (daemons, own sessions, cleared environments) stays
below its keeper: when a parent ends, the kernel hands the orphan to the nearest subreaper above it.
So a process belongs to a bot exactly if it descends from that bot's keeper, and no name, marker or
process group has to be trusted. When the bot ends, or must, the keeper kills its own children until
`wait` says that it has none: the children of those it killed have become its own by then.
A keeper whose pipe closes (the warden died) does the same; so does the warden when its socket
closes (the referee died). If a bot kills its keeper, what it started falls to the warden, whose
children are keepers and nothing else, so that all others are killed at sight.

A bot cannot gain rights by starting a set-user-id program: such a process could not be killed.

Only children are ever signalled by number: their number cannot be given away before they are
waited for. Deeper descendants are reached through a process descriptor, checked after opening.

Commands:  {"do": "spawn", "bot": N, "command": [..], "cwd": "..", "env": {..}}
           {"do": "kill", "bot": N}       {"do": "output", "bot": N}       end of file: kill all
Events:    {"is": "ready", "kind": "subreaper" | "process-groups"}
           {"is": "started", "bot": N, "pid": P}
           {"is": "exited", "bot": N, "status": S, "cpu_s": C, "max_rss_kib": R}
           {"is": "output", "bot": N, "output": BASE64, "dropped": BYTES}
           {"is": "ended", "bot": N, "failure": "..", "leftovers": L, "output": .., "dropped": ..}
A bot that cannot be started has no `started` and `exited`; its `ended` says why. Every spawned bot
gets exactly one `ended`, the last event that names it, after its last process is gone.
"""

# Paths here are numbers below /proc, read while processes die: plain calls, no path objects.
# ruff: noqa: PTH110, PTH112, PTH123, PTH208

from __future__ import annotations

import base64
import contextlib
import ctypes
import itertools
import json
import os
import resource
import selectors
import signal
import socket
import subprocess
import sys
import time
from typing import Any

KEPT_BYTES = 32 * 1024
"""Of a bot's output so many bytes are kept from the start, and as many from the end."""

_CHUNK_BYTES = 64 * 1024
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_KILL_PAUSE_S = 0.001
_KEEPER_PATIENCE_S = 2.0
_ROUNDS_WITHOUT_PAUSE = 50


class BoundedOutput:
    """The first and the last `KEPT_BYTES` of a byte stream of any length."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self.dropped = 0

    def add(self, data: bytes) -> None:
        """Append data; what falls out of the middle is counted in `dropped`."""
        room = KEPT_BYTES - len(self._first)
        if room > 0:
            self._first += data[:room]
            data = data[room:]
        self._last += data
        excess = len(self._last) - KEPT_BYTES
        if excess > 0:
            del self._last[:excess]
            self.dropped += excess

    def text(self) -> bytes:
        """What is kept, with a line that says how many bytes are missing between its halves."""
        gap = b"\n[... %d bytes left out ...]\n" % self.dropped if self.dropped else b""
        return bytes(self._first) + gap + bytes(self._last)


def become_subreaper() -> bool:
    """Make this process the one that orphans below it are handed to; False where impossible."""
    return os.path.exists("/proc/self/stat") and _prctl(_PR_SET_CHILD_SUBREAPER)


def gain_no_rights() -> bool:
    """Bar this process and all below it from ever gaining rights; False where impossible."""
    return _prctl(_PR_SET_NO_NEW_PRIVS)


def _prctl(option: int) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except (OSError, AttributeError):
        return False
    return bool(prctl(option, 1, 0, 0, 0) == 0)


def children_of(pid: int) -> list[int]:
    """Children of a process as /proc lists them now; empty when it has gone."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):  # an optional kernel part
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        return [number for number in numbers if parent_of(number) == pid]
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            continue
    return found


def parent_of(pid: int) -> int | None:
    """Parent of a process, or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _signal_deep(pid: int, parent: int) -> None:
    """Kill a descendant that is not a child, unless its number means another process by now."""
    if not hasattr(os, "pidfd_open"):
        return
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        return
    try:
        if parent_of(pid) in (parent, os.getpid()):
            signal.pidfd_send_signal(descriptor, signal.SIGKILL)
    except OSError:
        pass
    finally:
        os.close(descriptor)


def kill_children(spared: set[int]) -> int:
    """Kill every descendant that is not below one of `spared`; return how many children it were."""
    children = [pid for pid in children_of(os.getpid()) if pid not in spared]
    below = [(child, parent) for parent in children for child in children_of(parent)]
    for pid in children:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    while below:
        deeper = [(child, pid) for pid, _ in below for child in children_of(pid)]
        for pid, parent in below:
            _signal_deep(pid, parent)
        below = deeper
    return len(children)


def kill_group(leader: int) -> None:
    """Kill what is left of the process group that a bot was started as."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def exit_report(status: int, usage: resource.struct_rusage) -> dict[str, Any]:
    """What an `exited` event says of a process that has been waited for."""
    return {
        "status": status,
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
        "max_rss_kib": usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1),
    }


class Wakeups:
    """Turns SIGCHLD into a readable descriptor, and keeps the terminal's signals harmless."""

    def __init__(self) -> None:
        self.reading, self._writing = socket.socketpair()
        self.reading.setblocking(False)
        self._writing.setblocking(False)
        signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        # A handler, not SIG_IGN: what is ignored stays ignored in every program started from here.
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda *_: None)

    def clear(self) -> None:
        """Forget the signals seen so far."""
        with contextlib.suppress(BlockingIOError):
            while self.reading.recv(4096):
                pass


# --- the keeper -----------------------------------------------------------------------------------


def _tell(descriptor: int, **event: Any) -> None:
    with contextlib.suppress(OSError):
        os.write(descriptor, json.dumps(event).encode() + b"\n")


def _reason(error: OSError, command: list[str], cwd: str) -> str:
    place = "directory" if error.filename == cwd and not os.path.isdir(cwd) else "program"
    name = cwd if place == "directory" else command[0]
    return f"cannot start {place} {name!r}: {error.strerror or error}"


def keep(order: dict[str, Any], *, output: int, pipe: int, groups_only: bool) -> None:
    """Start one bot, wait for its end or for the pipe's, and leave no descendant."""
    wakeups = Wakeups()
    subreaper = not groups_only and become_subreaper()
    gain_no_rights()
    command, cwd = order["command"], order["cwd"]
    try:
        bot = subprocess.Popen(
            command,
            cwd=cwd,
            env=order["env"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    except OSError as error:
        _tell(pipe, failure=_reason(error, command, cwd))
        return
    except ValueError as error:
        _tell(pipe, failure=f"cannot start program {command[0]!r}: {error}")
        return
    finally:
        os.close(output)
    _tell(pipe, pid=bot.pid)
    exited = False
    leftovers = 0

    def reap() -> bool:
        """Wait for all that has ended; True when no child is left."""
        nonlocal exited
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == bot.pid:
                exited = True
                bot.returncode = 0
                _tell(pipe, **exit_report(status, usage))

    with selectors.DefaultSelector() as selector:
        selector.register(wakeups.reading, selectors.EVENT_READ)
        selector.register(pipe, selectors.EVENT_READ)
        while not reap() and not exited:
            ready = [key.fd for key, _ in selector.select()]
            wakeups.clear()
            if pipe in ready:
                break  # a kill or, with the warden gone, end of file: the same to us
    for round_number in itertools.count():
        if not subreaper:
            kill_group(bot.pid)
        if reap():
            break
        killed = kill_children(set()) if subreaper else 0
        leftovers = max(leftovers, killed if exited else 0)
        if round_number > _ROUNDS_WITHOUT_PAUSE:  # a process that keeps forking is hunted first
            time.sleep(_KILL_PAUSE_S)
    _tell(pipe, leftovers=leftovers)


# --- the warden -----------------------------------------------------------------------------------


class Bot:
    """What the warden knows of one bot: its keeper, its output, what the keeper has told."""

    def __init__(self, number: int, keeper: int, output: int, pipe: socket.socket) -> None:
        self.number, self.keeper, self.output, self.pipe = number, keeper, output, pipe
        self.kept = BoundedOutput()
        self.told = b""
        self.failure = ""
        self.pid: int | None = None
        self.exited = False
        self.leftovers = 0
        self.kill_by: float | None = None


class WardenLoop:
    """One thread, one selector: commands in, events out, outputs drained, children reaped."""

    def __init__(self, control: socket.socket, *, groups_only: bool) -> None:
        self._control = control
        self._control.setblocking(False)
        self._groups_only = groups_only
        self._subreaper = not groups_only and become_subreaper()
        self._groups_only = not self._subreaper
        self._wakeups = Wakeups()
        self._bots: dict[int, Bot] = {}
        self._received = b""
        self._outgoing = bytearray()
        self._open = True
        self._strays = False
        self._dying: list[Bot] = []
        self._selector = selectors.DefaultSelector()
        self._interest = 0
        self._watch_control()
        self._selector.register(self._wakeups.reading, selectors.EVENT_READ, self._wakeups.clear)

    def run(self) -> None:
        """Serve until the referee's end is closed, then until no descendant is left."""
        kind = "subreaper" if self._subreaper else "process-groups"
        self._emit({"is": "ready", "kind": kind})
        alone = False
        while self._open or self._outgoing or not alone:
            for key, _ in self._selector.select(self._patience()):
                key.data()
            alone = self._reap()
            self._kill_strays()
            self._kill_late_keepers()
            self._flush()

    # events and commands

    def _emit(self, event: dict[str, Any]) -> None:
        self._outgoing += json.dumps(event).encode() + b"\n"
        self._flush()

    def _flush(self) -> None:
        while self._outgoing:
            try:
                sent = self._control.send(self._outgoing)
            except BlockingIOError:
                break
            except OSError:
                self._outgoing.clear()  # nobody is left to hear it
                break
            del self._outgoing[:sent]
        self._watch_control()

    def _watch_control(self) -> None:
        interest = selectors.EVENT_READ if self._open else 0
        interest |= selectors.EVENT_WRITE if self._outgoing else 0
        if interest == self._interest:
            return
        if self._interest == 0:
            self._selector.register(self._control, interest, self._on_control)
        elif interest == 0:
            self._selector.unregister(self._control)
        else:
            self._selector.modify(self._control, interest, self._on_control)
        self._interest = interest

    def _on_control(self) -> None:
        if not self._open:
            return  # woken to write, which the loop does in any case
        try:
            data = self._control.recv(_CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._open = False
            for bot in self._bots.values():
                self._kill(bot)
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            self._obey(json.loads(line))

    def _obey(self, order: dict[str, Any]) -> None:
        number = order["bot"]
        if order["do"] == "spawn":
            self._spawn(number, order)
            return
        bot = self._bots.get(number)
        if bot is None:
            return  # it ended while the command was on its way
        if order["do"] == "kill":
            self._kill(bot)
        elif order["do"] == "output":
            self._drain(bot)
            self._emit({"is": "output", "bot": number, **_output(bot.kept)})

    # one bot

    def _spawn(self, number: int, order: dict[str, Any]) -> None:
        try:
            with contextlib.ExitStack() as undo:
                reading, writing = os.pipe()
                undo.callback(os.close, reading)
                undo.callback(os.close, writing)
                ours, theirs = socket.socketpair()
                undo.callback(ours.close)
                undo.callback(theirs.close)
                keeper = os.fork()
                undo.pop_all()
        except OSError as error:
            failure = f"the warden cannot start another process: {error.strerror or error}"
            nothing = {"leftovers": 0, **_output(BoundedOutput())}
            self._emit({"is": "ended", "bot": number, "failure": failure, **nothing})
            return
        if keeper == 0:
            self._run_keeper(order, output=writing, pipe=theirs.fileno())
        os.close(writing)
        theirs.close()
        os.set_blocking(reading, False)
        ours.setblocking(False)
        bot = Bot(number, keeper, reading, ours)
        self._bots[number] = bot
        self._selector.register(reading, selectors.EVENT_READ, lambda: self._read_output(bot))
        self._selector.register(ours, selectors.EVENT_READ, lambda: self._hear(bot))

    def _run_keeper(self, order: dict[str, Any], *, output: int, pipe: int) -> None:
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            # Only these may stay open: another bot's pipe held here would never reach its end.
            low, high = sorted((output, pipe))
            os.closerange(3, low)
            os.closerange(low + 1, high)
            os.closerange(high + 1, os.sysconf("SC_OPEN_MAX"))
            keep(order, output=output, pipe=pipe, groups_only=self._groups_only)
            status = 0
        except Exception:
            sys.excepthook(*sys.exc_info())
            raise
        finally:
            os._exit(status)

    def _read_output(self, bot: Bot) -> bool:
        """Take one piece of output; False when there is none now, or never again."""
        try:
            data = os.read(bot.output, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not data:
            with contextlib.suppress(KeyError):
                self._selector.unregister(bot.output)
            return False
        bot.kept.add(data)
        return True

    def _drain(self, bot: Bot) -> None:
        for _ in range(32):  # a pipe holds less; more is being written while we read
            if not self._read_output(bot):
                return

    def _hear(self, bot: Bot) -> None:
        """Pass on what a keeper has told."""
        try:
            data = bot.pipe.recv(_CHUNK_BYTES)
        except OSError:
            data = b""
        if not data:
            with contextlib.suppress(KeyError):
                self._selector.unregister(bot.pipe)
            return
        *lines, bot.told = (bot.told + data).split(b"\n")
        for line in lines:
            told = json.loads(line)
            if "pid" in told:
                bot.pid = told["pid"]
                self._emit({"is": "started", "bot": bot.number, "pid": told["pid"]})
            elif "status" in told:
                bot.exited = True
                self._emit({"is": "exited", "bot": bot.number, **told})
            elif "failure" in told:
                bot.failure = told["failure"]
            else:
                bot.leftovers = told["leftovers"]

    def _kill(self, bot: Bot) -> None:
        with contextlib.suppress(OSError):
            bot.pipe.send(b"k")
        if bot.kill_by is None:
            bot.kill_by = time.monotonic() + _KEEPER_PATIENCE_S

    # endings

    def _patience(self) -> float | None:
        if self._strays:
            return _KILL_PAUSE_S
        late = [bot.kill_by for bot in self._bots.values() if bot.kill_by is not None]
        return max(0.0, min(late) - time.monotonic()) if late else None

    def _kill_late_keepers(self) -> None:
        """A keeper that was stopped, or starved, is killed: what it kept falls to us."""
        for bot in self._bots.values():
            if bot.kill_by is not None and bot.kill_by <= time.monotonic():
                os.kill(bot.keeper, signal.SIGKILL)
                bot.kill_by = time.monotonic() + _KEEPER_PATIENCE_S

    def _kill_strays(self) -> None:
        """Kill what has lost its keeper; then bury the bots whose keeper was killed."""
        if not self._strays:
            return
        if not kill_children({bot.keeper for bot in self._bots.values()}):
            self._strays = False
            for bot in self._dying:
                self._bury(bot)
            self._dying.clear()

    def _reap(self) -> bool:
        """Wait for all that has ended and bury its bots; True when no child is left."""
        keepers = {bot.keeper: bot for bot in self._bots.values()}
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            bot = keepers.pop(pid, None)
            if bot is None:
                self._adopted_ended(pid, status, usage)
                continue
            del self._bots[bot.number]
            if status == 0:
                self._bury(bot)
            else:
                self._hear(bot)
                self._strays = True
                self._dying.append(bot)
                if not self._subreaper and bot.pid is not None and not bot.exited:
                    kill_group(bot.pid)

    def _adopted_ended(self, pid: int, status: int, usage: resource.struct_rusage) -> None:
        """What a dead keeper had kept has ended; if it was the bot itself, say so."""
        for bot in self._dying:
            if bot.pid == pid and not bot.exited:
                bot.exited = True
                report = exit_report(status, usage)
                self._emit({"is": "exited", "bot": bot.number, **report})

    def _bury(self, bot: Bot) -> None:
        self._hear(bot)
        self._drain(bot)
        for source in (bot.output, bot.pipe):
            with contextlib.suppress(KeyError):
                self._selector.unregister(source)
        os.close(bot.output)
        bot.pipe.close()
        if bot in self._dying and not bot.failure:
            bot.failure = "its keeper was killed"
        self._emit(
            {
                "is": "ended",
                "bot": bot.number,
                "failure": bot.failure,
                "leftovers": bot.leftovers,
                **_output(bot.kept),
            }
        )


def _output(kept: BoundedOutput) -> dict[str, Any]:
    return {"output": base64.b64encode(kept.text()).decode("ascii"), "dropped": kept.dropped}


def main() -> None:
    """Run the warden on the socket that is standard input."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    control = socket.socket(fileno=os.dup(0))
    os.set_inheritable(control.fileno(), False)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    WardenLoop(control, groups_only="--process-groups" in sys.argv[1:]).run()


if __name__ == "__main__":
    main()
