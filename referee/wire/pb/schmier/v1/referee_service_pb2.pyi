from referee.wire.pb.schmier.v1 import decision_pb2 as _decision_pb2
from referee.wire.pb.schmier.v1 import rules_pb2 as _rules_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Revision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REVISION_UNSPECIFIED: _ClassVar[Revision]
    REVISION_ONE: _ClassVar[Revision]

class GameEndedReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_ENDED_REASON_UNSPECIFIED: _ClassVar[GameEndedReason]
    GAME_ENDED_REASON_TARGET_SCORE: _ClassVar[GameEndedReason]
    GAME_ENDED_REASON_MAX_HANDS: _ClassVar[GameEndedReason]
    GAME_ENDED_REASON_FORFEIT: _ClassVar[GameEndedReason]

class GoodbyeReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GOODBYE_REASON_UNSPECIFIED: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_SITTING_OVER: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_RUN_OVER: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_REFUSED: _ClassVar[GoodbyeReason]
    GOODBYE_REASON_REPLACED: _ClassVar[GoodbyeReason]
REVISION_UNSPECIFIED: Revision
REVISION_ONE: Revision
GAME_ENDED_REASON_UNSPECIFIED: GameEndedReason
GAME_ENDED_REASON_TARGET_SCORE: GameEndedReason
GAME_ENDED_REASON_MAX_HANDS: GameEndedReason
GAME_ENDED_REASON_FORFEIT: GameEndedReason
GOODBYE_REASON_UNSPECIFIED: GoodbyeReason
GOODBYE_REASON_SITTING_OVER: GoodbyeReason
GOODBYE_REASON_RUN_OVER: GoodbyeReason
GOODBYE_REASON_REFUSED: GoodbyeReason
GOODBYE_REASON_REPLACED: GoodbyeReason

class PlayRequest(_message.Message):
    __slots__ = ("hello", "actions")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    hello: Hello
    actions: Actions
    def __init__(self, hello: _Optional[_Union[Hello, _Mapping]] = ..., actions: _Optional[_Union[Actions, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "decisions", "game_ended", "goodbye")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    GOODBYE_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    decisions: Decisions
    game_ended: GameEnded
    goodbye: Goodbye
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., decisions: _Optional[_Union[Decisions, _Mapping]] = ..., game_ended: _Optional[_Union[GameEnded, _Mapping]] = ..., goodbye: _Optional[_Union[Goodbye, _Mapping]] = ...) -> None: ...

class Hello(_message.Message):
    __slots__ = ("token", "name", "version", "revision", "max_batch", "wants_game_ended")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_FIELD_NUMBER: _ClassVar[int]
    WANTS_GAME_ENDED_FIELD_NUMBER: _ClassVar[int]
    token: str
    name: str
    version: str
    revision: Revision
    max_batch: int
    wants_game_ended: bool
    def __init__(self, token: _Optional[str] = ..., name: _Optional[str] = ..., version: _Optional[str] = ..., revision: _Optional[_Union[Revision, str]] = ..., max_batch: _Optional[int] = ..., wants_game_ended: bool = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("name", "rules", "limits", "revision")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    name: str
    rules: _rules_pb2.Rules
    limits: _rules_pb2.Limits
    revision: Revision
    def __init__(self, name: _Optional[str] = ..., rules: _Optional[_Union[_rules_pb2.Rules, _Mapping]] = ..., limits: _Optional[_Union[_rules_pb2.Limits, _Mapping]] = ..., revision: _Optional[_Union[Revision, str]] = ...) -> None: ...

class Decisions(_message.Message):
    __slots__ = ("decisions",)
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Decision]
    def __init__(self, decisions: _Optional[_Iterable[_Union[_decision_pb2.Decision, _Mapping]]] = ...) -> None: ...

class Actions(_message.Message):
    __slots__ = ("actions",)
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Action]
    def __init__(self, actions: _Optional[_Iterable[_Union[_decision_pb2.Action, _Mapping]]] = ...) -> None: ...

class GameEnded(_message.Message):
    __slots__ = ("table", "seat", "scores", "winners", "teams_out", "hands", "reason")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    TEAMS_OUT_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    table: str
    seat: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    winners: _containers.RepeatedScalarFieldContainer[int]
    teams_out: _containers.RepeatedScalarFieldContainer[int]
    hands: int
    reason: GameEndedReason
    def __init__(self, table: _Optional[str] = ..., seat: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., winners: _Optional[_Iterable[int]] = ..., teams_out: _Optional[_Iterable[int]] = ..., hands: _Optional[int] = ..., reason: _Optional[_Union[GameEndedReason, str]] = ...) -> None: ...

class Goodbye(_message.Message):
    __slots__ = ("reason", "text")
    REASON_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    reason: GoodbyeReason
    text: str
    def __init__(self, reason: _Optional[_Union[GoodbyeReason, str]] = ..., text: _Optional[str] = ...) -> None: ...
