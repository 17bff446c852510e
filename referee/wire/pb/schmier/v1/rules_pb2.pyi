from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class LowPoint(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LOW_POINT_UNSPECIFIED: _ClassVar[LowPoint]
    LOW_POINT_PLAYER: _ClassVar[LowPoint]
    LOW_POINT_TAKER: _ClassVar[LowPoint]

class RedealWhen(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REDEAL_WHEN_UNSPECIFIED: _ClassVar[RedealWhen]
    REDEAL_WHEN_ALL_SIX_PASS: _ClassVar[RedealWhen]
    REDEAL_WHEN_FIVE_NONDEALERS_PASS: _ClassVar[RedealWhen]

class GameTie(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_TIE_UNSPECIFIED: _ClassVar[GameTie]
    GAME_TIE_NONE: _ClassVar[GameTie]
    GAME_TIE_BIDDER: _ClassVar[GameTie]
    GAME_TIE_ALL_TIED: _ClassVar[GameTie]

class FinalTie(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINAL_TIE_UNSPECIFIED: _ClassVar[FinalTie]
    FINAL_TIE_PLAY_ON: _ClassVar[FinalTie]
    FINAL_TIE_BIDDING_TEAM: _ClassVar[FinalTie]
    FINAL_TIE_SHARED: _ClassVar[FinalTie]
    FINAL_TIE_SEAT_ORDER: _ClassVar[FinalTie]
LOW_POINT_UNSPECIFIED: LowPoint
LOW_POINT_PLAYER: LowPoint
LOW_POINT_TAKER: LowPoint
REDEAL_WHEN_UNSPECIFIED: RedealWhen
REDEAL_WHEN_ALL_SIX_PASS: RedealWhen
REDEAL_WHEN_FIVE_NONDEALERS_PASS: RedealWhen
GAME_TIE_UNSPECIFIED: GameTie
GAME_TIE_NONE: GameTie
GAME_TIE_BIDDER: GameTie
GAME_TIE_ALL_TIED: GameTie
FINAL_TIE_UNSPECIFIED: FinalTie
FINAL_TIE_PLAY_ON: FinalTie
FINAL_TIE_BIDDING_TEAM: FinalTie
FINAL_TIE_SHARED: FinalTie
FINAL_TIE_SEAT_ORDER: FinalTie

class Rules(_message.Message):
    __slots__ = ("low_point", "redeal_when", "game_tie", "set_keeps_points", "final_tie", "target_score", "max_hands", "max_consecutive_redeals")
    LOW_POINT_FIELD_NUMBER: _ClassVar[int]
    REDEAL_WHEN_FIELD_NUMBER: _ClassVar[int]
    GAME_TIE_FIELD_NUMBER: _ClassVar[int]
    SET_KEEPS_POINTS_FIELD_NUMBER: _ClassVar[int]
    FINAL_TIE_FIELD_NUMBER: _ClassVar[int]
    TARGET_SCORE_FIELD_NUMBER: _ClassVar[int]
    MAX_HANDS_FIELD_NUMBER: _ClassVar[int]
    MAX_CONSECUTIVE_REDEALS_FIELD_NUMBER: _ClassVar[int]
    low_point: LowPoint
    redeal_when: RedealWhen
    game_tie: GameTie
    set_keeps_points: bool
    final_tie: FinalTie
    target_score: int
    max_hands: int
    max_consecutive_redeals: int
    def __init__(self, low_point: _Optional[_Union[LowPoint, str]] = ..., redeal_when: _Optional[_Union[RedealWhen, str]] = ..., game_tie: _Optional[_Union[GameTie, str]] = ..., set_keeps_points: bool = ..., final_tie: _Optional[_Union[FinalTie, str]] = ..., target_score: _Optional[int] = ..., max_hands: _Optional[int] = ..., max_consecutive_redeals: _Optional[int] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("decision_ms", "stop_ms", "faults_per_game", "max_message_bytes", "max_ignored_actions", "max_batch")
    DECISION_MS_FIELD_NUMBER: _ClassVar[int]
    STOP_MS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_PER_GAME_FIELD_NUMBER: _ClassVar[int]
    MAX_MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_IGNORED_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_FIELD_NUMBER: _ClassVar[int]
    decision_ms: int
    stop_ms: int
    faults_per_game: int
    max_message_bytes: int
    max_ignored_actions: int
    max_batch: int
    def __init__(self, decision_ms: _Optional[int] = ..., stop_ms: _Optional[int] = ..., faults_per_game: _Optional[int] = ..., max_message_bytes: _Optional[int] = ..., max_ignored_actions: _Optional[int] = ..., max_batch: _Optional[int] = ...) -> None: ...
