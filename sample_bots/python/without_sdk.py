r"""The protocol by hand: a bot on generated stubs alone, as you would write it in any language.

Make the stubs once, in the folder of this file (pip install grpcio grpcio-tools):

    schmier-referee proto protos
    mkdir -p stubs
    python -m grpc_tools.protoc -I protos --python_out stubs --grpc_python_out stubs \
        protos/schmier/v1/*.proto

It bids three if nobody has bid, and otherwise takes the first legal choice.
"""

# mypy: disable-error-code="import-not-found, no-any-return"
from __future__ import annotations

import os
import queue
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "stubs"))
try:
    import grpc
    from schmier.v1 import cards_pb2, decision_pb2, referee_service_pb2, referee_service_pb2_grpc
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is missing: {__file__} says at its top how to make the stubs")


def answer(decision: Any) -> Any:
    """Return the action for a decision: the field of `choice` is named like the question."""
    action = decision_pb2.Action(decision_id=decision.id)
    match decision.WhichOneof("question"):
        case "call":
            bids = decision.call.bids
            action.call = cards_pb2.BID_THREE if cards_pb2.BID_THREE in bids else bids[0]
        case "trump":
            action.trump = decision.trump.suits[0]
        case "discard":
            question = decision.discard
            side_count = question.min_count - question.trump_count
            action.discard.cards.extend(question.side_cards[:side_count])
            action.discard.cards.extend(question.trump_cards[: question.trump_count])
            action.discard.SetInParent()  # discarding nothing is an answer too
        case "play":
            action.play = decision.play.cards[0]
    return action


def main() -> None:
    """Say hello, then answer every message with one message, until the referee says goodbye."""
    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    hello = referee_service_pb2.Hello(
        token=os.environ["SCHMIER_TOKEN"], name="without SDK", version="1", max_batch=64
    )
    requests.put(referee_service_pb2.PlayRequest(hello=hello))
    with grpc.insecure_channel(os.environ["SCHMIER_REFEREE"]) as channel:
        stub = referee_service_pb2_grpc.RefereeServiceStub(channel)
        try:
            for message in stub.Play(iter(requests.get, None)):
                if message.HasField("decisions"):
                    request = referee_service_pb2.PlayRequest()
                    request.actions.actions.extend(map(answer, message.decisions.decisions))
                    requests.put(request)
                elif message.HasField("goodbye"):
                    break
        except grpc.RpcError:
            pass  # the referee is gone, so there is nobody left to play for
        requests.put(None)


if __name__ == "__main__":
    main()
