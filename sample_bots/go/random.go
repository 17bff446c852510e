package main

import (
	"math/rand/v2"

	pb "schmierbot/stubs/schmier/v1"
)

// Random chooses at random, but calls with care: bots that bid anything at random are set hand
// after hand and hardly ever finish a game. All its luck comes from the decision's random seed, so
// the same decision always gets the same answer.
type Random struct{}

func luck(d Decision) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(d.RandomSeed), 0))
}

// Call passes three times in four, and else bids no more than it must.
func (Random) Call(d Decision) pb.Bid {
	bids := d.GetCall().Bids
	if luck(d).IntN(4) == 0 {
		return bids[1]
	}
	return bids[0]
}

// Trump names any suit.
func (Random) Trump(d Decision) pb.Suit {
	suits := d.GetTrump().Suits
	return suits[luck(d).IntN(len(suits))]
}

// Discards first draws how many cards go, then which.
func (Random) Discards(d Decision) []pb.Card {
	question, luck := d.GetDiscard(), luck(d)
	count := question.MinCount + luck.Int32N(question.MaxCount-question.MinCount+1)
	shuffle(luck, question.SideCards)
	shuffle(luck, question.TrumpCards)
	trumps := question.TrumpCards[:question.TrumpCount]
	return append(trumps, question.SideCards[:count-question.TrumpCount]...)
}

// Play plays any legal card.
func (Random) Play(d Decision) pb.Card {
	cards := d.GetPlay().Cards
	return cards[luck(d).IntN(len(cards))]
}

func shuffle(luck *rand.Rand, cards []pb.Card) {
	luck.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
}
