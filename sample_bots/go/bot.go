package main

import pb "schmierbot/stubs/schmier/v1"

// Bot makes the four choices. An answer should depend on the decision alone, its random seed
// included: then a tournament can be repeated to the byte.
type Bot interface {
	// Call bids or passes: one of d.GetCall().Bids, the pass first.
	Call(d Decision) pb.Bid
	// Trump names the suit of trumps: one of d.GetTrump().Suits.
	Trump(d Decision) pb.Suit
	// Discards chooses the cards to put away; d.GetDiscard() says which sets are legal.
	Discards(d Decision) []pb.Card
	// Play chooses a card: one of d.GetPlay().Cards.
	Play(d Decision) pb.Card
}

// Decision is one question to one seat: the message with all that the seat may know, whose fields
// are described in decision.proto, and the rules of the tournament.
type Decision struct {
	*pb.Decision
	Rules *pb.Rules
}

// Partner returns the seat opposite.
func (d Decision) Partner() int32 {
	return (d.Seat + 3) % 6
}
