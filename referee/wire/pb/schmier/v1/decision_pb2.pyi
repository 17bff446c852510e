from referee.wire.pb.schmier.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Decision(_message.Message):
    __slots__ = ("id", "table", "seat", "limit_ms", "hand", "holding", "own_discards", "random_seed", "call", "trump", "discard", "play")
    ID_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HOLDING_FIELD_NUMBER: _ClassVar[int]
    OWN_DISCARDS_FIELD_NUMBER: _ClassVar[int]
    RANDOM_SEED_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    id: int
    table: str
    seat: int
    limit_ms: int
    hand: PublicHand
    holding: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    own_discards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    random_seed: int
    call: CallQuestion
    trump: TrumpQuestion
    discard: DiscardQuestion
    play: PlayQuestion
    def __init__(self, id: _Optional[int] = ..., table: _Optional[str] = ..., seat: _Optional[int] = ..., limit_ms: _Optional[int] = ..., hand: _Optional[_Union[PublicHand, _Mapping]] = ..., holding: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., own_discards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., random_seed: _Optional[int] = ..., call: _Optional[_Union[CallQuestion, _Mapping]] = ..., trump: _Optional[_Union[TrumpQuestion, _Mapping]] = ..., discard: _Optional[_Union[DiscardQuestion, _Mapping]] = ..., play: _Optional[_Union[PlayQuestion, _Mapping]] = ...) -> None: ...

class PublicHand(_message.Message):
    __slots__ = ("number", "redeal", "dealer", "scores", "teams_out", "max_hands", "calls", "contract", "discard_counts", "tricks")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REDEAL_FIELD_NUMBER: _ClassVar[int]
    DEALER_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    TEAMS_OUT_FIELD_NUMBER: _ClassVar[int]
    MAX_HANDS_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    CONTRACT_FIELD_NUMBER: _ClassVar[int]
    DISCARD_COUNTS_FIELD_NUMBER: _ClassVar[int]
    TRICKS_FIELD_NUMBER: _ClassVar[int]
    number: int
    redeal: int
    dealer: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    teams_out: _containers.RepeatedScalarFieldContainer[int]
    max_hands: int
    calls: _containers.RepeatedScalarFieldContainer[_cards_pb2.Bid]
    contract: Contract
    discard_counts: _containers.RepeatedScalarFieldContainer[int]
    tricks: _containers.RepeatedCompositeFieldContainer[Trick]
    def __init__(self, number: _Optional[int] = ..., redeal: _Optional[int] = ..., dealer: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., teams_out: _Optional[_Iterable[int]] = ..., max_hands: _Optional[int] = ..., calls: _Optional[_Iterable[_Union[_cards_pb2.Bid, str]]] = ..., contract: _Optional[_Union[Contract, _Mapping]] = ..., discard_counts: _Optional[_Iterable[int]] = ..., tricks: _Optional[_Iterable[_Union[Trick, _Mapping]]] = ...) -> None: ...

class Contract(_message.Message):
    __slots__ = ("bidder", "bid", "trump")
    BIDDER_FIELD_NUMBER: _ClassVar[int]
    BID_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    bidder: int
    bid: _cards_pb2.Bid
    trump: _cards_pb2.Suit
    def __init__(self, bidder: _Optional[int] = ..., bid: _Optional[_Union[_cards_pb2.Bid, str]] = ..., trump: _Optional[_Union[_cards_pb2.Suit, str]] = ...) -> None: ...

class Trick(_message.Message):
    __slots__ = ("leader", "cards")
    LEADER_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    leader: int
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, leader: _Optional[int] = ..., cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class CallQuestion(_message.Message):
    __slots__ = ("bids",)
    BIDS_FIELD_NUMBER: _ClassVar[int]
    bids: _containers.RepeatedScalarFieldContainer[_cards_pb2.Bid]
    def __init__(self, bids: _Optional[_Iterable[_Union[_cards_pb2.Bid, str]]] = ...) -> None: ...

class TrumpQuestion(_message.Message):
    __slots__ = ("suits",)
    SUITS_FIELD_NUMBER: _ClassVar[int]
    suits: _containers.RepeatedScalarFieldContainer[_cards_pb2.Suit]
    def __init__(self, suits: _Optional[_Iterable[_Union[_cards_pb2.Suit, str]]] = ...) -> None: ...

class DiscardQuestion(_message.Message):
    __slots__ = ("side_cards", "min_count", "max_count", "trump_cards", "trump_count")
    SIDE_CARDS_FIELD_NUMBER: _ClassVar[int]
    MIN_COUNT_FIELD_NUMBER: _ClassVar[int]
    MAX_COUNT_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARDS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_COUNT_FIELD_NUMBER: _ClassVar[int]
    side_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    min_count: int
    max_count: int
    trump_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    trump_count: int
    def __init__(self, side_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., min_count: _Optional[int] = ..., max_count: _Optional[int] = ..., trump_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., trump_count: _Optional[int] = ...) -> None: ...

class PlayQuestion(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("decision_id", "call", "trump", "discard", "play")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    call: _cards_pb2.Bid
    trump: _cards_pb2.Suit
    discard: Discard
    play: _cards_pb2.Card
    def __init__(self, decision_id: _Optional[int] = ..., call: _Optional[_Union[_cards_pb2.Bid, str]] = ..., trump: _Optional[_Union[_cards_pb2.Suit, str]] = ..., discard: _Optional[_Union[Discard, _Mapping]] = ..., play: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class Discard(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...
