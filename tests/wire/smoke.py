"""Run by `test_versions.py` in an environment that holds grpcio, protobuf and our wheel alone.

A bot of nothing but the generated stub plays a few decisions against a referee of nothing but the
generated servicer, and the codec reads what the bot sent.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from concurrent import futures
from queue import SimpleQueue

warnings.simplefilter("error")

import google.protobuf  # noqa: E402
import grpc  # noqa: E402

from referee.engine import PLAYS  # noqa: E402
from referee.wire import Answer, Hello, goodbye, proto_files, read_request  # noqa: E402
from referee.wire import GoodbyeReason as Reason  # noqa: E402
from referee.wire.pb.schmier.v1 import decision_pb2, referee_service_pb2_grpc  # noqa: E402
from referee.wire.pb.schmier.v1 import referee_service_pb2 as pb  # noqa: E402


class Referee(referee_service_pb2_grpc.RefereeServiceServicer):
    """Asks for each card once."""

    def __init__(self) -> None:
        self.heard: list[Hello | list[Answer]] = []

    def Play(  # noqa: N802 (the name of the protocol)
        self, request_iterator: Iterator[pb.PlayRequest], context: object
    ) -> Iterator[pb.PlayResponse]:
        """Speak the whole conversation."""
        self.heard.append(read_request(next(request_iterator).SerializeToString()))
        yield pb.PlayResponse(welcome=pb.Welcome(name="smoke", revision="REVISION_ONE"))
        for card in PLAYS:
            question = decision_pb2.PlayQuestion(cards=[card])  # type: ignore[list-item]
            decision = decision_pb2.Decision(id=card, seat=5, play=question)
            yield pb.PlayResponse(decisions=pb.Decisions(decisions=[decision]))
            self.heard.append(read_request(next(request_iterator).SerializeToString()))
        yield pb.PlayResponse.FromString(goodbye(Reason.SITTING_OVER, "played"))


def bot(target: str) -> pb.Goodbye:
    """Answer until the referee says goodbye."""
    requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
    requests.put(pb.PlayRequest(hello=pb.Hello(token="t", name="smoke")))
    with grpc.insecure_channel(target) as channel:
        stub = referee_service_pb2_grpc.RefereeServiceStub(channel)
        for response in stub.Play(iter(requests.get, None)):
            if response.HasField("goodbye"):
                requests.put(None)
                return response.goodbye
            for decision in response.decisions.decisions:
                action = decision_pb2.Action(decision_id=decision.id, play=decision.play.cards[0])
                requests.put(pb.PlayRequest(actions=pb.Actions(actions=[action])))
    raise AssertionError("the stream ended without a goodbye")


def main() -> None:
    """Play, check, and print the versions."""
    referee = Referee()
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=2))
    referee_service_pb2_grpc.add_RefereeServiceServicer_to_server(referee, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    farewell = bot(f"127.0.0.1:{port}")
    server.stop(None).wait()
    assert farewell.text == "played"
    assert referee.heard[0] == Hello("t", "smoke", "", 1, 1, False)
    assert referee.heard[1:] == [[Answer(card, play)] for card, play in PLAYS.items()]
    assert "schmier/v1/referee_service.proto" in proto_files()
    print("grpcio", grpc.__version__, "protobuf", google.protobuf.__version__)


if __name__ == "__main__":
    main()
