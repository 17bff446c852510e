"""`schmier-referee doctor`: what this machine offers, and what dead runs have left on it."""

from __future__ import annotations

from referee.cli.versions import versions

__all__ = ["doctor"]


def doctor() -> None:
    """Print versions, cores, limits, the warden, leftovers, and the time of a gRPC round trip."""
    import asyncio

    from referee.bots import Warden, core_facts, descriptor_facts, leftovers, measure_echo

    for name, version in versions().items():
        _print(name, version)
    cores = core_facts()
    quota = "no quota" if cores.quota is None else f"a quota of {cores.quota:g}"
    _print("cores", f"{cores.usable} usable ({cores.affinity} by affinity, {quota})")
    descriptors = descriptor_facts()
    _print("descriptors", f"{descriptors.soft} (can be raised to {descriptors.hard})")
    warden = Warden.start()
    if warden.kind == "subreaper":
        _print("warden", "subreaper: nothing a bot starts outlives the run")
    else:
        _print("warden", "process groups only: a bot can leave a daemon behind; Linux has better")
    echo = asyncio.run(measure_echo(warden))
    _print(
        "echo",
        f"{echo.median_us:.0f} us a round trip (median of {echo.count}; "
        f"{echo.p99_us:.0f} us for 99 of 100)",
    )
    found = leftovers()
    if not found:
        _print("leftovers", "none")
    for leftover in found:
        _print("leftovers", leftover.text)


def _print(name: str, text: str) -> None:
    print(f"{name + ':':<17} {text}")
