"""Bots are started, watched and ended by the warden; each test starts real processes."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from referee.bots import BotChild, BotSpec, Warden
from referee.errors import RunFailed

Run = Callable[[Callable[[], Coroutine[Any, Any, None]]], None]
Until = Callable[[Callable[[], bool | Awaitable[bool]]], Awaitable[None]]
Shell = Callable[[str], BotSpec]

KEPT = 32 * 1024

DAEMON = """
setsid env -i sh -c 'setsid sh -c "echo \\$\\$ >>{file}; exec sleep 1000" &' </dev/null >&0 2>&0
while [ ! -s {file} ]; do :; done
"""
"""Starts a process twice removed, in a session of its own, with an empty environment."""


def alive(pid: int | None) -> bool:
    return pid is not None and Path(f"/proc/{pid}").exists()


def pids_in(file: Path) -> list[int]:
    return [int(line) for line in file.read_text().split()] if file.exists() else []


async def the_end(child: BotChild) -> tuple[str, bytes]:
    ending = await child.ended
    return str(ending.exit), ending.output


# --- starting and reporting


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("exit 0", "exit code 0"),
        ("exit 7", "exit code 7"),
        ("kill -ABRT $$", "signal 6"),
        ("kill -KILL $$", "signal 9"),
        ("exec 0<&- 1>&- 2>&-; exit 5", "exit code 5"),
    ],
)
def test_an_ending_says_how_the_bot_ended(
    script: str, expected: str, warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        ending = await warden.spawn(shell(script)).ended
        assert str(ending.exit) == expected
        assert ending.failure == ""
        assert ending.leftovers == 0

    run(scenario)


def test_an_ending_tells_what_the_bot_used(warden: Warden, run: Run, shell: Shell) -> None:
    async def scenario() -> None:
        burn = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        ending = await warden.spawn(shell(burn)).ended
        assert ending.exit is not None
        assert ending.exit.cpu_s > 0
        assert ending.exit.max_rss_kib > 100

    run(scenario)


def unstartable(kind: str, place: Path) -> BotSpec:
    program, cwd = place / "program", place
    match kind:
        case "no such program":
            pass
        case "not executable":
            program.write_text("#!/bin/sh\n")
        case "a directory":
            program.mkdir()
        case "not a program":
            program.write_text("neither code nor script")
            program.chmod(0o755)
        case "no such interpreter":
            program.write_text("#!/no/such/interpreter\n")
            program.chmod(0o755)
        case "no such directory":
            cwd = place / "nowhere"
    return BotSpec(command=(str(program),), cwd=cwd, env={})


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("no such program", "program': No such file"),
        ("not executable", "program': Permission denied"),
        ("a directory", "program': Permission denied"),
        ("not a program", "program': Exec format error"),
        ("no such interpreter", "program': No such file"),
        ("no such directory", "directory '"),
    ],
)
def test_a_command_that_cannot_be_executed_is_reported_with_its_reason(
    kind: str, reason: str, warden: Warden, run: Run, tmp_path: Path
) -> None:
    async def scenario() -> None:
        child = warden.spawn(unstartable(kind, tmp_path))
        ending = await child.ended
        assert reason in ending.failure
        assert ending.exit is None
        assert await child.started is None
        assert await child.exited is None
        assert child.pid is None

    run(scenario)


def test_a_command_with_a_zero_byte_is_reported_like_any_other(
    warden: Warden, run: Run, tmp_path: Path
) -> None:
    async def scenario() -> None:
        ending = await warden.spawn(BotSpec(("sh", "a\0b"), tmp_path, {})).ended
        assert "null" in ending.failure

    run(scenario)


def test_an_environment_that_no_system_takes_is_reported_like_any_other(
    warden: Warden, run: Run, tmp_path: Path
) -> None:
    async def scenario() -> None:
        spec = BotSpec(("/bin/true",), tmp_path, {"LONG": "x" * 4_000_000})
        assert "too long" in (await warden.spawn(spec).ended).failure

    run(scenario)


def test_a_warden_without_descriptors_says_so_and_goes_on(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        first = warden.spawn(shell("exit 0"))
        await first.ended
        hard = resource.prlimit(warden.pid, resource.RLIMIT_NOFILE)[1]
        resource.prlimit(warden.pid, resource.RLIMIT_NOFILE, (24, hard))
        children = [warden.spawn(shell("exec sleep 1000")) for _ in range(20)]
        for child in children:
            await child.started
        refused = [child for child in children if child.ended.done()]
        assert 0 < len(refused) < len(children)
        assert all("Too many open files" in child.ended.result().failure for child in refused)
        for child in children:
            child.kill()
            await child.ended
        assert str((await warden.spawn(shell("exit 3")).ended).exit) == "exit code 3"

    run(scenario)


def test_a_bot_gets_the_environment_that_was_given_and_nothing_else(
    warden: Warden, run: Run, tmp_path: Path
) -> None:
    async def scenario() -> None:
        spec = BotSpec(("/usr/bin/env",), tmp_path, {"A": "1", "B": "ä\udcff"})
        _, output = await the_end(warden.spawn(spec))
        assert output == "A=1\nB=ä\udcff\n".encode("utf-8", "surrogateescape")

    run(scenario)


def test_a_bot_reads_nothing_from_its_standard_input(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        assert await the_end(warden.spawn(shell("cat; echo end"))) == ("exit code 0", b"end\n")

    run(scenario)


def test_a_bot_inherits_no_descriptor_but_its_three(warden: Warden, run: Run, shell: Shell) -> None:
    async def scenario() -> None:
        others = [warden.spawn(shell("exec sleep 1000")) for _ in range(3)]
        for other in others:
            await other.started
        _, output = await the_end(warden.spawn(shell("ls /proc/$$/fd; true")))
        assert set(output.split()) <= {b"0", b"1", b"2", b"10"}  # dash keeps a script's end at 10

    run(scenario)


def test_a_bot_has_a_session_of_its_own_and_no_ignored_signals(
    warden: Warden, run: Run, tmp_path: Path
) -> None:
    code = "import os; print(os.getsid(0) == os.getpid(), os.getcwd());"
    code += "[print(line, end='') for line in open('/proc/self/status') if 'SigIgn' in line]"

    async def scenario() -> None:
        spec = BotSpec((sys.executable, "-I", "-S", "-c", code), tmp_path, {})
        _, output = await the_end(warden.spawn(spec))
        first, ignored = output.decode().splitlines()
        assert first == f"True {tmp_path}"
        ours = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD}
        assert not int(ignored.split()[1], 16) & sum(1 << (number - 1) for number in ours)

    run(scenario)


@pytest.mark.skipif(sys.platform != "linux", reason="no_new_privs is missing")
def test_a_bot_cannot_start_what_we_could_not_kill(warden: Warden, run: Run, shell: Shell) -> None:
    async def scenario() -> None:
        child = warden.spawn(shell("(setsid sh -c 'grep NoNewPrivs /proc/self/status')"))
        assert (await child.ended).output == b"NoNewPrivs:\t1\n"

    run(scenario)


def test_a_bot_that_aborts_leaves_no_core_file(warden: Warden, run: Run, shell: Shell) -> None:
    async def scenario() -> None:
        assert await the_end(warden.spawn(shell("ulimit -c"))) == ("exit code 0", b"0\n")

    run(scenario)


# --- output


def test_output_is_kept_as_bytes_from_both_streams(warden: Warden, run: Run, shell: Shell) -> None:
    async def scenario() -> None:
        script = r"printf '\377\376 out\n'; printf '\000err\n' >&2"
        _, output = await the_end(warden.spawn(shell(script)))
        assert output == b"\xff\xfe out\n\x00err\n"

    run(scenario)


def test_of_a_long_output_both_ends_are_kept_and_the_gap_is_counted(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        script = "echo first; yes | head -c 3000000; echo last"
        ending = await warden.spawn(shell(script)).ended
        assert ending.output.startswith(b"first\ny\n")
        assert ending.output.endswith(b"y\nlast\n")
        assert ending.dropped == 3_000_000 + len("first\nlast\n") - 2 * KEPT
        gap = b"\n[... %d bytes left out ...]\n" % ending.dropped
        assert ending.output[KEPT : KEPT + len(gap)] == gap
        assert len(ending.output) == 2 * KEPT + len(gap)

    run(scenario)


def test_a_bot_that_prints_for_ever_is_never_blocked_and_stays_bounded(
    warden: Warden, run: Run, shell: Shell, until: Until
) -> None:
    async def scenario() -> None:
        printer = warden.spawn(shell("exec yes"))
        other = warden.spawn(shell("echo calm; exec sleep 1000"))

        async def printed_much() -> bool:
            said = (await printer.output()).partition(b"[... ")[2]
            return bool(said) and int(said.split()[0]) > 20_000_000

        async def other_was_heard() -> bool:
            return await other.output() == b"calm\n"

        await until(printed_much)
        await until(other_was_heard)
        printer.kill()
        ending = await printer.ended
        assert len(ending.output) < 2 * KEPT + 100
        assert str(ending.exit) == "signal 9"
        assert not other.ended.done()

    run(scenario)


def test_output_can_be_asked_for_before_and_after_the_end(
    warden: Warden, run: Run, shell: Shell, until: Until
) -> None:
    async def scenario() -> None:
        child = warden.spawn(shell("echo here; exec sleep 1000"))

        async def heard() -> bool:
            return await child.output() == b"here\n"

        await until(heard)
        child.kill()
        asked = asyncio.create_task(child.output())
        await child.ended
        assert await asked == b"here\n"
        assert await child.output() == b"here\n"

    run(scenario)


# --- endings


ENDINGS = {
    "exits": "exit 0",
    "crashes": "kill -ABRT $$",
    "is killed by the referee": "echo ready; exec sleep 1000",
    "kills its keeper": "kill -KILL $PPID; exec sleep 1000",
    "kills its keeper and exits": "kill -KILL $PPID; exit 3",
}


@pytest.mark.parametrize("how", ENDINGS)
def test_a_daemon_is_gone_after_every_ending(
    how: str, warden: Warden, run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        file = tmp_path / "daemon"
        other_file = tmp_path / "other"
        other = warden.spawn(shell(DAEMON.format(file=other_file) + "exec sleep 1000"))
        await until(lambda: bool(pids_in(other_file)))
        child = warden.spawn(shell(DAEMON.format(file=file) + ENDINGS[how]))
        await until(lambda: bool(pids_in(file)))
        if "referee" in how:
            child.kill()
        ending = await child.ended
        assert not any(alive(pid) for pid in pids_in(file))
        assert not alive(child.pid)
        assert (ending.failure != "") == ("keeper" in how)
        assert alive(other.pid)  # another bot's processes are not touched
        assert all(alive(pid) for pid in pids_in(other_file))

    run(scenario)


def test_leftovers_of_a_bot_that_ended_by_itself_are_counted(
    warden: Warden, run: Run, shell: Shell, tmp_path: Path
) -> None:
    async def scenario() -> None:
        script = DAEMON.format(file=tmp_path / "daemon") + "sleep 1000 & exit 0"
        assert (await warden.spawn(shell(script)).ended).leftovers == 2

    run(scenario)


HOPPER = """
import os
file = os.open("hops", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for hop in range(100000):
    if os.fork():
        os._exit(0)
    os.setsid()
    os.write(file, b".")
"""


def test_a_process_that_forks_while_it_is_being_killed_is_caught(
    warden: Warden, run: Run, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        hopper = BotSpec((sys.executable, "-I", "-S", "-c", HOPPER), tmp_path, {})
        ending = await warden.spawn(hopper).ended
        hops = tmp_path / "hops"
        size = hops.stat().st_size if hops.exists() else 0
        assert size < 100_000
        assert str(ending.exit) == "exit code 0"
        ended = await warden.spawn(BotSpec(("/bin/true",), tmp_path, {})).ended
        assert ended.exit is not None
        assert (hops.stat().st_size if hops.exists() else 0) == size

    run(scenario)


def test_many_processes_at_several_depths_go_together(
    warden: Warden, run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        file = tmp_path / "all"
        tree = "for i in 1 2 3 4; do (for j in 1 2 3; do setsid sh -c "
        tree += f"'echo $$ >>{file}; exec sleep 1000' & done; wait) & done; wait"
        child = warden.spawn(shell(tree))
        await until(lambda: len(pids_in(file)) == 12)
        child.kill()
        await child.ended
        assert not any(alive(pid) for pid in pids_in(file))

    run(scenario)


@pytest.mark.parametrize(
    "stubborn",
    [
        "trap '' TERM INT HUP QUIT; while :; do sleep 1000; done",
        "kill -STOP $$",
        "kill -STOP $PPID; exec sleep 1000",
    ],
    ids=["ignores signals", "stops itself", "stops its keeper"],
)
def test_a_bot_that_refuses_to_end_is_ended(
    stubborn: str, warden: Warden, run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        go = f"until [ -e {tmp_path}/go ]; do :; done; echo $$ >{tmp_path}/pid; "
        child = warden.spawn(shell(go + stubborn))
        await child.started
        tmp_path.joinpath("go").touch()
        await until(lambda: bool(pids_in(tmp_path / "pid")))
        child.kill()
        child.kill()
        ending = await child.ended
        assert str(ending.exit) == "signal 9"
        child.kill()
        (pid,) = pids_in(tmp_path / "pid")
        assert not alive(pid)

    run(scenario)


def test_the_exit_is_known_before_the_descendants_are_gone(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        child = warden.spawn(shell("exit 4"))
        exit_status = await child.exited
        assert exit_status is not None
        assert exit_status.code == 4
        assert (await child.ended).exit is exit_status

    run(scenario)


def test_a_hundred_bots_in_sequence_leave_nothing_open(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        descriptors = Path(f"/proc/{warden.pid}/fd")
        await warden.spawn(shell("exit 0")).ended
        before = len(list(descriptors.iterdir()))
        for _ in range(100):
            assert (await warden.spawn(shell("exit 0")).ended).failure == ""
        assert len(list(descriptors.iterdir())) == before
        assert warden.alive == 0

    run(scenario)


# --- the warden's own end


def test_closing_ends_every_bot_and_the_warden(
    warden: Warden, run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        file = tmp_path / "daemon"
        children = [warden.spawn(shell("exec sleep 1000")) for _ in range(3)]
        children.append(warden.spawn(shell(DAEMON.format(file=file) + "exec sleep 1000")))
        await until(lambda: bool(pids_in(file)))
        await warden.close()
        assert not alive(warden.pid)
        assert not any(alive(child.pid) for child in children)
        assert not any(alive(pid) for pid in pids_in(file))
        assert all([(await child.ended).exit for child in children])
        with pytest.raises(RunFailed, match="warden"):
            await warden.spawn(shell("exit 0")).ended

    run(scenario)


def test_when_the_warden_is_killed_the_run_fails_and_no_bot_is_left(
    warden: Warden, run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    async def scenario() -> None:
        file = tmp_path / "daemon"
        child = warden.spawn(shell(DAEMON.format(file=file) + "exec sleep 1000"))
        await until(lambda: bool(pids_in(file)))
        asked = asyncio.create_task(child.output())
        await asyncio.sleep(0)
        os.kill(warden.pid, signal.SIGKILL)
        assert warden.lost is not None
        with pytest.raises(RunFailed, match="warden"):
            await warden.lost
        with pytest.raises(RunFailed, match="warden"):
            await child.ended
        with pytest.raises(RunFailed, match="warden"):
            await child.output()
        await asyncio.wait([asked])
        assert asked.exception() is None or isinstance(asked.exception(), RunFailed)
        await until(lambda: not any(map(alive, [child.pid, *pids_in(file)])))
        child.kill()
        await warden.close()

    run(scenario)


def test_signals_from_the_terminal_do_not_reach_the_warden(
    warden: Warden, run: Run, shell: Shell
) -> None:
    async def scenario() -> None:
        assert os.getsid(warden.pid) == warden.pid
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(warden.pid, number)
        assert await the_end(warden.spawn(shell("echo up"))) == ("exit code 0", b"up\n")

    run(scenario)


STAND_IN = """
import asyncio
from pathlib import Path
from referee.bots import BotSpec, Warden

async def main():
    await warden.attach()
    script = Path("bot.sh").read_text()
    for number in range(3):
        command = ("/bin/sh", "-c", script.replace("NUMBER", str(number)))
        child = warden.spawn(BotSpec(command, Path.cwd(), {"PATH": "/usr/bin:/bin"}))
    await child.started
    Path("warden").write_text(str(warden.pid))
    await child.ended

warden = Warden.start()
asyncio.run(main())
"""


def test_when_the_referee_is_killed_no_descendant_is_left(
    run: Run, until: Until, tmp_path: Path
) -> None:
    file = tmp_path / "all"
    script = DAEMON.format(file="daemon.NUMBER") + f"cat daemon.NUMBER >>{file}; echo $$ >>{file}\n"
    tmp_path.joinpath("bot.sh").write_text(script + "exec sleep 1000")
    tmp_path.joinpath("stand_in.py").write_text(textwrap.dedent(STAND_IN))

    async def scenario() -> None:
        with subprocess.Popen([sys.executable, "stand_in.py"], cwd=tmp_path) as referee:
            try:
                await until(lambda: len(pids_in(file)) == 6 and bool(pids_in(tmp_path / "warden")))
                pids = [*pids_in(file), *pids_in(tmp_path / "warden")]
                assert all(alive(pid) for pid in pids)
            finally:
                referee.kill()
            await until(lambda: not any(alive(pid) for pid in pids))

    run(scenario)


def test_the_warden_needs_nothing_but_the_standard_library() -> None:
    program = Path(sys.modules[Warden.__module__].__file__ or "").with_name("warden_main.py")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", str(program)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "socket" in done.stderr
    assert "referee" not in done.stderr.replace(str(program), "")


# --- without a subreaper


def test_without_a_subreaper_the_kind_says_so_and_groups_are_killed(
    wardens: list[Warden], run: Run, shell: Shell, until: Until, tmp_path: Path
) -> None:
    warden = Warden.start(groups_only=True)
    wardens.append(warden)

    async def scenario() -> None:
        assert warden.kind == "process-groups"
        file = tmp_path / "group"
        script = f"sh -c 'echo $$ >>{file}; exec sleep 1000' & "
        killed = warden.spawn(shell(script + "exec sleep 1000"))
        await until(lambda: len(pids_in(file)) == 1)
        exited = warden.spawn(shell(script + f"while [ $(wc -l <{file}) -lt 2 ]; do :; done"))
        await until(lambda: len(pids_in(file)) == 2)
        assert str((await exited.ended).exit) == "exit code 0"
        killed.kill()
        assert str((await killed.ended).exit) == "signal 9"
        await until(lambda: not any(alive(pid) for pid in pids_in(file)))

    run(scenario)


def test_on_linux_the_warden_is_a_subreaper(warden: Warden) -> None:
    assert (warden.kind == "subreaper") == sys.platform.startswith("linux")
