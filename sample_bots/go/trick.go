package main

import (
	pb "schmierbot/stubs/schmier/v1"
)

// trick is one decision to play a card: the trick so far, and which cards may be in which hand.
type trick struct {
	order         *TrumpOrder
	seat, partner int32
	leader        int32
	cards         []pb.Card
	lacks         [6]Cards // what a seat does not hold, because it did not follow
	unseen        Cards
	odds          [54]int64 // the chance that a seat that can hold an unseen card does hold it
}

func newTrick(d Decision) *trick {
	tricks := d.Hand.Tricks
	last := tricks[len(tricks)-1]
	t := &trick{
		order:   &TrumpOrders[d.Hand.Contract.GetTrump()],
		seat:    d.Seat,
		partner: d.Partner(),
		leader:  last.Leader,
		cards:   append(make([]pb.Card, 0, 6), last.Cards...),
		unseen:  AllCards &^ Of(d.Holding...) &^ Of(d.OwnDiscards...),
	}
	for _, past := range tricks {
		for i, card := range past.Cards {
			t.unseen &^= Of(card)
			if following := t.order.Followers[past.Cards[0]]; !following.Has(card) {
				t.lacks[(past.Leader+int32(i))%6] |= following
			}
		}
	}
	// All trumps are in play, for nobody may discard one; of the rest about half.
	for unseen := t.unseen; unseen != 0; {
		card := unseen.Pop()
		seats := int64(-1)
		for _, lacks := range t.lacks {
			if !lacks.Has(card) {
				seats++
			}
		}
		t.odds[card] = certain / max(seats, 1)
		if !t.order.Trumps.Has(card) {
			t.odds[card] = certain / 2 / max(seats, 1)
		}
	}
	return t
}

// holdsOne returns the chance that another seat holds one of the cards.
func (t *trick) holdsOne(seat int32, cards Cards) int64 {
	none := int64(certain)
	for cards &= t.unseen &^ t.lacks[seat]; cards != 0; {
		none = none * (certain - t.odds[cards.Pop()]) / certain
	}
	return certain - none
}

// beats returns the chance that a seat can and may beat the card that is winning.
func (t *trick) beats(seat int32, card, led pb.Card) int64 {
	strength, following := t.order.Strength[led], t.order.Followers[led]
	var better Cards
	for unseen := t.unseen; unseen != 0; {
		if other := unseen.Pop(); strength[other] > strength[card] {
			better |= Of(other)
		}
	}
	chance := t.holdsOne(seat, better&following)
	if !t.order.Trumps.Has(led) {
		free := certain - t.holdsOne(seat, following)
		ruffs := t.holdsOne(seat, better&t.order.Trumps)
		chance = max(chance, free*ruffs/certain)
	}
	return chance
}

// value returns what playing the card is worth, against what it is worth to keep it.
func (t *trick) value(card pb.Card) int64 {
	cards := append(t.cards, card)
	place := t.order.Winner(cards)
	winner, best := (t.leader+int32(place))%6, cards[place]
	chance, helped := int64(certain), int64(0)
	for i := len(cards); i < 6; i++ {
		seat := (t.leader + int32(i)) % 6
		if seat == t.partner {
			helped = t.beats(seat, best, cards[0])
		} else {
			chance = chance * (certain - t.beats(seat, best, cards[0])) / certain
		}
	}
	if winner != t.seat && winner != t.partner {
		chance = chance * helped / certain
	}
	stake := int64(0)
	for _, other := range cards {
		stake += t.order.worth(other)
	}
	return chance*stake/certain - t.order.keptWorth(card)
}

// worth returns what taking the card is worth, in thousandths of a hand point. The bauers and the
// joker are a point each. The 81 card points decide one more together, so a ten is about a third.
func (order *TrumpOrder) worth(card pb.Card) int64 {
	worth := 30 * CardPoints[card]
	if card == order.Right || card == order.Left || card == joker {
		worth += point
	}
	return worth
}

// keptWorth returns what the card will bring if it is kept: what it may win, and its hold on the
// game.
func (order *TrumpOrder) keptWorth(card pb.Card) int64 {
	if !order.Trumps.Has(card) {
		return 35 * order.worth(card) / 100
	}
	place := int64(28 - order.Strength[card][card])
	return (65-2*place)*order.worth(card)/100 + 500 - 30*place
}
