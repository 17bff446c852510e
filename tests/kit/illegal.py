"""Answers every decision of one KIND with a choice that is not legal; KIND picks the choice.

call: a bid not offered (3 when it is too low) | discard: four cards, for the dealer none
repeat: the same card discarded twice | play: a card that this seat does not hold
Each one carries `illegal`, asked alone or in a batch.
"""

from raw import argument, first_legal, play

from referee.wire.pb.schmier.v1.decision_pb2 import Action, Decision, Discard


def answer(decision: Decision) -> Action:
    kind, wanted = decision.WhichOneof("question"), argument(1, "play")
    if kind == "call" and wanted == "call" and 3 not in decision.call.bids:
        return Action(decision_id=decision.id, call=3)  # type: ignore[arg-type]
    if kind == "discard" and wanted == "discard":
        cards = [] if decision.discard.min_count else decision.holding[:4]
        return Action(decision_id=decision.id, discard=Discard(cards=cards))
    if kind == "discard" and wanted == "repeat":
        twice = [decision.discard.side_cards[0]] * 2 if decision.discard.side_cards else []
        return Action(decision_id=decision.id, discard=Discard(cards=twice))
    if kind == "play" and wanted == "play":
        other = next(card for card in range(1, 54) if card not in decision.holding)
        return Action(decision_id=decision.id, play=other)  # type: ignore[arg-type]
    return first_legal(decision)


play(answer)
