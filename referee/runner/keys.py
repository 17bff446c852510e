"""The keys of a run, all derived by name from its master (see `proto/README.md`, the deals)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from referee.engine import BoardSeeds, block_key, commitment, derive, key, master_from_text
from referee.tourney import Block, Fixture

__all__ = ["RunKeys", "draw_master"]


def draw_master(seed: str | None) -> bytes:
    """Return 32 random bytes, or the master of a typed seed, which is for practice."""
    return secrets.token_bytes(32) if seed is None else master_from_text(seed)


@dataclass(frozen=True, slots=True)
class RunKeys:
    """What a master gives for one tournament."""

    commitment: bytes
    deal: bytes
    bot: bytes
    wire: bytes
    plan: bytes

    @staticmethod
    def of(master: bytes, tournament_id: str) -> RunKeys:
        """Derive all keys of a tournament."""
        deal, bot, wire, plan = (
            key(master, tournament_id, name) for name in ("deal", "bot", "wire", "plan")
        )
        return RunKeys(commitment(master, tournament_id), deal, bot, wire, plan)

    def seeds(self, block: Block) -> BoardSeeds:
        """Return the decks and random seeds of a block."""
        return BoardSeeds(block_key(self.deal, block.id), block_key(self.bot, block.id))

    def table_text(self, fixture: Fixture) -> str:
        """Return what a table is called on the wire: new every sitting, without meaning."""
        label = f"{fixture.leg} {fixture.sitting} {fixture.id}"
        return derive(self.wire, label).hex()[:32]
