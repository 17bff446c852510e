"""What a bot is asked, read from the message only as far as the bot looks.

Every property reads the protobuf message when it is used, so that a bot that takes the first legal
choice pays for nothing else. All values are plain: cards, bids, suits and seats are ints, groups of
them are tuples in the order of the protocol.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from referee.wire.pb.schmier.v1 import decision_pb2, rules_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

__all__ = ["Decision", "DiscardDecision", "PublicHand", "Trick"]


class Trick(NamedTuple):
    """Up to six cards in the order played; the seat of `cards[i]` is `(leader + i) % 6`."""

    leader: int
    cards: tuple[int, ...]


class PublicHand:
    """What everybody at the table has seen of this hand.

    `message` is the protobuf message itself, for fields that this class does not name.
    """

    def __init__(self, message: decision_pb2.PublicHand) -> None:
        self.message = message

    @property
    def number(self) -> int:
        """The hand's number in its game, from 0."""
        return self.message.number

    @property
    def redeal(self) -> int:
        """How often this hand was thrown in and dealt again (R18)."""
        return self.message.redeal

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.message.dealer

    @property
    def scores(self) -> tuple[int, ...]:
        """The scores of teams 0, 1 and 2 before this hand; may be negative."""
        return tuple(self.message.scores)

    @property
    def teams_out(self) -> tuple[int, ...]:
        """The teams that have forfeited this game, ascending."""
        return tuple(self.message.teams_out)

    @property
    def max_hands(self) -> int:
        """After so many hands a game without a winner ends."""
        return self.message.max_hands

    @property
    def calls(self) -> tuple[int, ...]:
        """The calls so far; the seat of `calls[i]` is `(dealer + 1 + i) % 6`."""
        return tuple(self.message.calls)

    @property
    def bidder(self) -> int | None:
        """The bidder's seat; None while the auction runs."""
        return self.message.contract.bidder if self.message.HasField("contract") else None

    @property
    def bid(self) -> int | None:
        """The bid of the contract; None while the auction runs."""
        return self.message.contract.bid if self.message.HasField("contract") else None

    @property
    def trump(self) -> int | None:
        """Trumps; None until the bidder has named them."""
        return self.message.contract.trump or None

    @property
    def discard_counts(self) -> tuple[int, ...]:
        """How many cards each seat has discarded so far, in the order of the calls."""
        return tuple(self.message.discard_counts)

    @cached_property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks so far, the one being played last; the leader sees it empty."""
        return tuple(Trick(trick.leader, tuple(trick.cards)) for trick in self.message.tricks)


class Decision:
    """One question to one seat, with all it may know.

    `legal` holds the legal choices, ascending: bids (the pass is `Bid.PASS`), suits or cards.
    `message` is the protobuf message itself, for fields that this class does not name.
    """

    def __init__(
        self,
        message: decision_pb2.Decision,
        legal: tuple[int, ...],
        *,
        rules: rules_pb2.Rules | None = None,
    ) -> None:
        self.message = message
        self.legal = legal
        self._rules = rules

    @property
    def seat(self) -> int:
        """The bot's own seat at this table, 0 to 5."""
        return self.message.seat

    @property
    def team(self) -> int:
        """The bot's own team: 0, 1 or 2 (R2, A3)."""
        return self.message.seat % 3

    @property
    def partner(self) -> int:
        """The partner's seat, opposite."""
        return (self.message.seat + 3) % 6

    @property
    def holding(self) -> tuple[int, ...]:
        """The cards this seat holds now, ascending."""
        return tuple(self.message.holding)

    @property
    def own_discards(self) -> tuple[int, ...]:
        """The cards this seat has discarded in this hand, ascending."""
        return tuple(self.message.own_discards)

    @cached_property
    def hand(self) -> PublicHand:
        """What everybody has seen of this hand."""
        return PublicHand(self.message.hand)

    @property
    def random_seed(self) -> int:
        """The number between 1 and 2^31 - 1 to draw this answer's randomness from."""
        return self.message.random_seed

    @cached_property
    def rng(self) -> Random:
        """A generator seeded with the random seed: the same decision draws the same numbers."""
        from random import Random

        return Random(self.message.random_seed)

    @property
    def limit_ms(self) -> int:
        """Milliseconds until the answer must be back."""
        return self.message.limit_ms

    @property
    def table(self) -> str:
        """The table, a text without meaning: for logs, not to base an answer on."""
        return self.message.table

    @property
    def rules(self) -> rules_pb2.Rules:
        """The rules of the tournament, as the welcome told them (all unset without a welcome)."""
        return rules_pb2.Rules() if self._rules is None else self._rules


class DiscardDecision(Decision):
    """The question which cards to discard.

    A legal answer holds `trump_count` of `trump_cards` and otherwise only `side_cards`, from
    `min_count` to `max_count` cards in all, none twice (R21, R22, R23). `legal` holds all cards
    that may go.
    """

    def __init__(
        self, message: decision_pb2.Decision, *, rules: rules_pb2.Rules | None = None
    ) -> None:
        question = message.discard
        self.side_cards: tuple[int, ...] = tuple(question.side_cards)
        self.trump_cards: tuple[int, ...] = tuple(question.trump_cards)
        super().__init__(message, tuple(sorted(self.side_cards + self.trump_cards)), rules=rules)

    @property
    def min_count(self) -> int:
        """How many cards must go at least."""
        return self.message.discard.min_count

    @property
    def max_count(self) -> int:
        """How many cards may go at most."""
        return self.message.discard.max_count

    @property
    def trump_count(self) -> int:
        """How many of `trump_cards` must go: above 0 only for a dealer with over six trumps."""
        return self.message.discard.trump_count

    def sets(self) -> Iterator[tuple[int, ...]]:
        """All legal discards, one after another, the fewest and lowest cards first.

        A dealer can have more than 100,000 of them: take what you need and stop.
        """
        for count in range(self.min_count, self.max_count + 1):
            for trumps in combinations(self.trump_cards, self.trump_count):
                for side in combinations(self.side_cards, count - self.trump_count):
                    yield side + trumps

    def draw(self) -> tuple[int, ...]:
        """One legal discard drawn from `rng`: first how many cards, then which."""
        count = self.rng.randint(self.min_count, self.max_count)
        side = self.rng.sample(self.side_cards, count - self.trump_count)
        return tuple(side + self.rng.sample(self.trump_cards, self.trump_count))
