package main

import (
	"cmp"
	"slices"

	pb "schmierbot/stubs/schmier/v1"
)

// Rules is a sensible player: it counts what its hand is worth, and weighs each card by what it may
// win. It counts in whole numbers and rounds down after each step, and so comes to the same answers
// as the samples of the other languages.
//
// Your strategy goes here.
type Rules struct{}

const (
	point   = 1000      // worths are counted in thousandths of a hand point
	certain = 1_000_000 // chances are counted in millionths
)

// Call bids no more than it must, if the hand is worth it.
func (Rules) Call(d Decision) pb.Bid {
	bids := d.GetCall().Bids
	if _, worth := bestTrump(d.Holding); worth >= point*int(bids[1]) {
		return bids[1]
	}
	return bids[0]
}

// Trump names the suit that the hand is worth most with.
func (Rules) Trump(d Decision) pb.Suit {
	suit, _ := bestTrump(d.Holding)
	return suit
}

// Discards puts away as many cards as it may, the lowest.
func (Rules) Discards(d Decision) []pb.Card {
	question := d.GetDiscard()
	sideCount := min(int(question.MaxCount-question.TrumpCount), len(question.SideCards))
	side := lowestFirst(question.SideCards)[:sideCount]
	return append(side, lowestFirst(question.TrumpCards)[:question.TrumpCount]...)
}

// Play plays the card that brings most, the first of equal ones.
func (Rules) Play(d Decision) pb.Card {
	cards := d.GetPlay().Cards
	trick := newTrick(d)
	best, most := cards[0], trick.value(cards[0])
	for _, card := range cards[1:] {
		if value := trick.value(card); value > most {
			best, most = card, value
		}
	}
	return best
}

func bestTrump(holding []pb.Card) (best pb.Suit, most int) {
	for suit := pb.Suit_SUIT_CLUBS; suit <= pb.Suit_SUIT_SPADES; suit++ {
		if worth := expectedPoints(holding, suit); worth > most {
			best, most = suit, worth
		}
	}
	return best, most
}

// expectedPoints returns about how much of the six points a team wins when this seat names the
// suit, in thousandths.
func expectedPoints(holding []pb.Card, suit pb.Suit) int {
	worth := point
	for _, card := range holding {
		worth += trumpWeights[suit][card]
	}
	return worth
}

// trumpWeights holds what a card adds to a hand, by the trump suit. The weights were fitted to what
// this strategy won in some thousand hands against itself.
var trumpWeights = func() (all [5][54]int) {
	for suit := pb.Card(1); suit <= 4; suit++ {
		order, weights := &TrumpOrders[suit], &all[suit]
		for _, card := range order.Ranking {
			weights[card] = 200
		}
		weights[cardOf(suit, ace)] = 1600
		weights[cardOf(suit, king)] = 700
		weights[cardOf(suit, queen)] = 700
		weights[order.Right] = 900
		weights[order.Left] = 900
		weights[cardOf(suit, two)] = 900
		weights[joker] = 300
	}
	return all
}()

// lowestFirst sorts cards by rank: the first are those to part with.
func lowestFirst(cards []pb.Card) []pb.Card {
	slices.SortFunc(cards, func(a, b pb.Card) int {
		return cmp.Or(cmp.Compare((a-1)%13, (b-1)%13), cmp.Compare(a, b))
	})
	return cards
}
