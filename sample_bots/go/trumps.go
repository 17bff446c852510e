package main

import (
	"math/bits"

	pb "schmierbot/stubs/schmier/v1"
)

// Cards is a set of cards: bit n is card n.
type Cards uint64

// Of returns the set of some cards.
func Of(cards ...pb.Card) Cards {
	var set Cards
	for _, card := range cards {
		set |= 1 << card
	}
	return set
}

// Has says whether a card is in the set.
func (set Cards) Has(card pb.Card) bool {
	return set>>card&1 == 1
}

// Pop takes the lowest card out of a set that is not empty.
func (set *Cards) Pop() pb.Card {
	card := pb.Card(bits.TrailingZeros64(uint64(*set)))
	*set &= *set - 1
	return card
}

// AllCards are the 53 cards.
const AllCards = Cards(1<<54 - 2)

const joker = pb.Card_CARD_JOKER

// CardPoints holds the card points by card: A 4, K 3, Q 2, J 1, ten 10, joker 1.
var CardPoints = func() (points [54]int64) {
	for suit := pb.Card(1); suit <= 4; suit++ {
		points[cardOf(suit, ten)] = 10
		points[cardOf(suit, jack)] = 1
		points[cardOf(suit, queen)] = 2
		points[cardOf(suit, king)] = 3
		points[cardOf(suit, ace)] = 4
	}
	points[joker] = 1
	return points
}()

// TrumpOrder is what a trump suit makes of the cards.
type TrumpOrder struct {
	// Right and Left are the bauers: the jack of trumps, and the other jack of its colour.
	Right, Left pb.Card
	// Ranking holds the 15 trumps, highest first, and Trumps the same as a set.
	Ranking []pb.Card
	Trumps  Cards
	// Followers holds, by the card that was led, the cards that follow it.
	Followers [54]Cards
	// Strength holds what a card (second) is worth in a trick, by the card that was led (first).
	// A card that cannot win has 0.
	Strength [54]*[54]int
}

// Winner returns the place of the card that wins, or is winning so far.
func (order *TrumpOrder) Winner(cards []pb.Card) int {
	strength, best := order.Strength[cards[0]], 0
	for i, card := range cards {
		if strength[card] > strength[cards[best]] {
			best = i
		}
	}
	return best
}

// TrumpOrders holds the order of each suit; 0 is no suit.
var TrumpOrders = [5]TrumpOrder{{}, trumpOrder(1), trumpOrder(2), trumpOrder(3), trumpOrder(4)}

// Ranks of cards within their suit, as the numbers of the cards count them.
const (
	two   = 1
	ten   = 9
	jack  = 10
	queen = 11
	king  = 12
	ace   = 13
)

func cardOf(suit, rank pb.Card) pb.Card {
	return 13*(suit-1) + rank
}

func trumpOrder(suit pb.Card) TrumpOrder {
	order := TrumpOrder{Right: cardOf(suit, jack), Left: cardOf(5-suit, jack)}
	order.Ranking = []pb.Card{
		cardOf(suit, ace), cardOf(suit, king), cardOf(suit, queen), order.Right, order.Left,
	}
	for rank := pb.Card(ten); rank >= two; rank-- {
		order.Ranking = append(order.Ranking, cardOf(suit, rank))
	}
	order.Ranking = append(order.Ranking, joker)
	order.Trumps = Of(order.Ranking...)
	for printed := pb.Card(1); printed <= 4; printed++ {
		following := Cards(1<<13-1) << cardOf(printed, two) &^ order.Trumps
		if printed == suit {
			following = order.Trumps
		}
		strength := order.strengths(following)
		for set := following; set != 0; {
			led := set.Pop()
			order.Followers[led], order.Strength[led] = following, strength
		}
	}
	return order
}

// strengths puts every trump above the cards of the suit that was led.
func (order *TrumpOrder) strengths(following Cards) *[54]int {
	var strength [54]int
	for following != 0 {
		card := following.Pop()
		strength[card] = 1 + int(card-1)%13
	}
	for place, card := range order.Ranking {
		strength[card] = 13 + len(order.Ranking) - place
	}
	return &strength
}
