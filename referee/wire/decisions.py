"""A decision as bytes, and several of them as one message to a bot.

Theory of operation. The public hand only grows, so the encoder of a table keeps what is settled as
bytes: what the deal began with, the finished tricks, and from the first trick on all that came
before. A new `PublicHand` object starts over. What is left to write for a decision is short, see
`framing`; the result is, byte for byte, what protobuf would write, and the tests hold it to that.

Only what the decision holds is written, and of the public hand only public fields: a hidden card
has no way into the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, assert_never

from referee.engine import (
    CallQuestion,
    Decision,
    DiscardQuestion,
    PlayQuestion,
    PublicHand,
    Question,
    TrumpQuestion,
)
from referee.wire.framing import (
    SMALL,
    delimited,
    delimited_tag,
    number_field,
    number_tag,
    numbers_field,
    varint,
    zigzag,
)
from referee.wire.pb.schmier.v1 import decision_pb2 as pb
from referee.wire.pb.schmier.v1 import referee_service_pb2 as service_pb

__all__ = ["DecisionEncoder", "decisions_message", "renumbered"]

_ID: Final = number_tag(pb.Decision, "id")
_TABLE: Final = delimited_tag(pb.Decision, "table")
_SEAT: Final = tuple(number_field(number_tag(pb.Decision, "seat"), seat) for seat in range(6))
_LIMIT_MS: Final = number_tag(pb.Decision, "limit_ms")
_HAND: Final = delimited_tag(pb.Decision, "hand")
_HOLDING: Final = delimited_tag(pb.Decision, "holding")
_OWN_DISCARDS: Final = delimited_tag(pb.Decision, "own_discards")
_RANDOM_SEED: Final = number_tag(pb.Decision, "random_seed")
_CALL: Final = delimited_tag(pb.Decision, "call")
_TRUMP: Final = delimited_tag(pb.Decision, "trump")
_DISCARD: Final = delimited_tag(pb.Decision, "discard")
_PLAY: Final = delimited_tag(pb.Decision, "play")

_NUMBER: Final = number_tag(pb.PublicHand, "number")
_REDEAL: Final = number_tag(pb.PublicHand, "redeal")
_DEALER: Final = number_tag(pb.PublicHand, "dealer")
_SCORES: Final = delimited_tag(pb.PublicHand, "scores")
_TEAMS_OUT: Final = delimited_tag(pb.PublicHand, "teams_out")
_MAX_HANDS: Final = number_tag(pb.PublicHand, "max_hands")
_CALLS: Final = delimited_tag(pb.PublicHand, "calls")
_CONTRACT: Final = delimited_tag(pb.PublicHand, "contract")
_DISCARD_COUNTS: Final = delimited_tag(pb.PublicHand, "discard_counts")
_TRICKS: Final = delimited_tag(pb.PublicHand, "tricks")

_BIDDER: Final = number_tag(pb.Contract, "bidder")
_BID: Final = number_tag(pb.Contract, "bid")
_CONTRACT_TRUMP: Final = number_tag(pb.Contract, "trump")
_LEADER: Final = tuple(number_field(number_tag(pb.Trick, "leader"), seat) for seat in range(6))
_TRICK_CARDS: Final = delimited_tag(pb.Trick, "cards")

_BIDS: Final = delimited_tag(pb.CallQuestion, "bids")
_SUITS: Final = delimited_tag(pb.TrumpQuestion, "suits")
_CARDS: Final = delimited_tag(pb.PlayQuestion, "cards")
_SIDE_CARDS: Final = delimited_tag(pb.DiscardQuestion, "side_cards")
_MIN_COUNT: Final = number_tag(pb.DiscardQuestion, "min_count")
_MAX_COUNT: Final = number_tag(pb.DiscardQuestion, "max_count")
_TRUMP_CARDS: Final = delimited_tag(pb.DiscardQuestion, "trump_cards")
_TRUMP_COUNT: Final = number_tag(pb.DiscardQuestion, "trump_count")

_MOST_HELD: Final = 40
"""More cards than a seat can ever hold: six, and for the dealer the stock."""
_HOLDING_OF: Final = tuple(_HOLDING + SMALL[count] for count in range(_MOST_HELD))
"""What comes before so many cards of a holding; and so on."""
_PLAY_OF: Final = tuple(
    _PLAY + SMALL[count + 2] + _CARDS + SMALL[count] for count in range(_MOST_HELD)
)
_TRICK_OF: Final = tuple(
    tuple(
        _TRICKS + SMALL[len(leader) + 2 + count] + leader + _TRICK_CARDS + SMALL[count]
        for count in range(7)
    )
    for leader in _LEADER
)
_LED_BY: Final = tuple(_TRICKS + SMALL[len(leader)] + leader for leader in _LEADER)
"""The trick that a seat is to lead: still without a card."""

_DECISIONS: Final = delimited_tag(service_pb.PlayResponse, "decisions")
_EACH_DECISION: Final = delimited_tag(service_pb.Decisions, "decisions")


class DecisionEncoder:
    """Writes the decisions of one table, one after the other.

    It reads the live public hand at each call, and keeps of it only what cannot change any more.
    """

    __slots__ = (
        "_deal",
        "_finished",
        "_finished_count",
        "_out",
        "_public",
        "_settled",
        "_where",
    )

    def __init__(self) -> None:
        self._public: PublicHand | None = None
        self._out: frozenset[int] = frozenset()
        self._deal = b""
        self._settled = b""
        self._finished = b""
        self._finished_count = 0
        self._where: tuple[str, int, tuple[bytes, ...]] = ("", -1, ())

    def encode(self, decision: Decision, *, id: int, table: str, limit_ms: int) -> bytes:
        """Return one serialized `schmier.v1.Decision`.

        `id` counts on the bot's stream, `table` is the text that stands for the table.
        """
        where = self._where
        if where[0] != table or where[1] != limit_ms:
            where = self._where = (table, limit_ms, _where(table, limit_ms))
        hand, question = self._hand(decision.public), decision.question
        if type(question) is PlayQuestion:
            hand += self._tricks(decision.public, decision.seat)
            cards = question.cards
            asked = _PLAY_OF[len(cards)] + bytes(cards)
        else:
            asked = _question(question)
        holding, discards, length = decision.holding, decision.discards, len(hand)
        return b"".join(
            (
                _ID,
                varint(id),
                where[2][decision.seat],
                _HAND,
                SMALL[length] if length < 128 else varint(length),
                hand,
                _HOLDING_OF[len(holding)],
                bytes(holding),
                numbers_field(_OWN_DISCARDS, discards) if discards else b"",
                _RANDOM_SEED,
                varint(decision.random_seed),
                asked,
            )
        )

    def _hand(self, public: PublicHand) -> bytes:
        """The public hand without its tricks; from the first trick on it is settled."""
        if public is not self._public or public.out != self._out:
            self._start(public)
        if self._settled:
            return self._settled
        calls, counts = bytes(public.calls), bytes(public.discard_counts)
        hand = b"".join(
            (
                self._deal,
                _CALLS + SMALL[len(calls)] + calls if calls else b"",
                _contract(public) if public.bidder is not None else b"",
                _DISCARD_COUNTS + SMALL[len(counts)] + counts if counts else b"",
            )
        )
        if public.tricks:
            self._settled = hand
        return hand

    def _start(self, public: PublicHand) -> None:
        """Another hand, or a team that has gone out in the middle of this one."""
        self._public, self._out, self._settled = public, public.out, b""
        self._finished, self._finished_count = b"", 0
        self._deal = b"".join(
            (
                number_field(_NUMBER, public.number),
                number_field(_REDEAL, public.redeal),
                number_field(_DEALER, public.dealer),
                delimited(_SCORES, b"".join([varint(zigzag(score)) for score in public.scores])),
                numbers_field(_TEAMS_OUT, sorted(public.out)),
                number_field(_MAX_HANDS, public.max_hands),
            )
        )

    def _tricks(self, public: PublicHand, seat: int) -> bytes:
        """All tricks, with an empty one at the end when the seat is to lead."""
        tricks, count = public.tricks, self._finished_count
        while count < len(tricks) and len(tricks[count].cards) == 6:
            self._finished += _trick(tricks[count].leader, tricks[count].cards)
            count += 1
        self._finished_count = count
        if count == len(tricks):
            return self._finished + _LED_BY[seat]
        return self._finished + _trick(tricks[count].leader, tricks[count].cards)


def decisions_message(decisions: Sequence[bytes]) -> bytes:
    """Return a whole serialized `PlayResponse` of serialized decisions, one or more."""
    parts: list[bytes] = []
    for decision in decisions:
        parts += (_EACH_DECISION, varint(len(decision)), decision)
    content = b"".join(parts)
    return b"".join((_DECISIONS, varint(len(content)), content))


def renumbered(message: bytes, number: Callable[[int], int]) -> bytes:
    """Return a whole serialized `PlayResponse` with the ids of its decisions, if any, replaced."""
    response = service_pb.PlayResponse.FromString(message)
    for decision in response.decisions.decisions:
        decision.id = number(decision.id)
    return response.SerializeToString()


def _where(table: str, limit_ms: int) -> tuple[bytes, ...]:
    """What stands between a decision's id and its hand, for each seat of the table."""
    text, limit = table.encode(), number_field(_LIMIT_MS, limit_ms)
    start = delimited(_TABLE, text) if text else b""
    return tuple(start + seat + limit for seat in _SEAT)


def _contract(public: PublicHand) -> bytes:
    assert public.bidder is not None and public.bid is not None
    bid, trump = number_field(_BID, public.bid), number_field(_CONTRACT_TRUMP, public.trump or 0)
    return delimited(_CONTRACT, number_field(_BIDDER, public.bidder) + bid + trump)


def _trick(leader: int, cards: Sequence[int]) -> bytes:
    return _TRICK_OF[leader][len(cards)] + bytes(cards)


def _question(question: Question) -> bytes:
    match question:
        case PlayQuestion():
            return _PLAY_OF[len(question.cards)] + bytes(question.cards)
        case CallQuestion():
            return delimited(_CALL, numbers_field(_BIDS, question.bids))
        case DiscardQuestion():
            return delimited(_DISCARD, _discard(question))
        case TrumpQuestion():
            return delimited(_TRUMP, numbers_field(_SUITS, question.suits))
        case _:
            assert_never(question)


def _discard(question: DiscardQuestion) -> bytes:
    """The engine lists all that may go together, the protocol side cards and trumps apart."""
    trump_cards = question.trump_cards
    side_cards: Sequence[int] = question.cards
    if trump_cards:
        side_cards = [card for card in side_cards if card not in trump_cards]
    return b"".join(
        (
            numbers_field(_SIDE_CARDS, side_cards),
            number_field(_MIN_COUNT, question.min_count),
            number_field(_MAX_COUNT, question.max_count),
            numbers_field(_TRUMP_CARDS, trump_cards),
            number_field(_TRUMP_COUNT, question.trump_count),
        )
    )
