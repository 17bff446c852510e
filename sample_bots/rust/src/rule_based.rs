//! The rule-based strategy. It counts in whole numbers, thousandths of a hand point and millionths
//! of a chance, and rounds down after each step, so that it answers the same in every language.

use crate::cards::{CardSet, JOKER, SEATS, TrumpOrder, card_points, rank_of};
use crate::pb::Trick;
use crate::strategy::{
    CallQuestion, Decision, DiscardQuestion, PlayQuestion, Strategy, TrumpQuestion,
};

/// One hand point.
const POINT: i64 = 1_000;
/// A chance of 1.
const CERTAIN: i64 = 1_000_000;

/// A sensible player: it counts what its hand is worth, and weighs each card by what it may win.
pub struct RuleBased;

impl Strategy for RuleBased {
    fn call(&mut self, decision: &Decision, question: &CallQuestion) -> i32 {
        // The pass comes first, then every bid above the highest so far.
        let (pass, bid) = (question.bids[0], question.bids[1]);
        let points = expected_points(&decision.holding, best_trump(&decision.holding));
        if points >= i64::from(bid) * POINT {
            bid
        } else {
            pass
        }
    }

    fn trump(&mut self, decision: &Decision, _: &TrumpQuestion) -> i32 {
        best_trump(&decision.holding)
    }

    fn discards(&mut self, _: &Decision, question: &DiscardQuestion) -> Vec<i32> {
        let side_count = question.max_count - question.trump_count;
        let mut cards = lowest(&question.side_cards, side_count);
        cards.extend(lowest(&question.trump_cards, question.trump_count));
        cards
    }

    fn play(&mut self, decision: &Decision, question: &PlayQuestion) -> i32 {
        let play = Play::new(decision);
        let values = question.cards.iter().map(|&card| (play.value(card), card));
        // Of equal values the first counts.
        let better = |best: (i64, i32), next: (i64, i32)| if next.0 > best.0 { next } else { best };
        values.reduce(better).expect("there is a legal card").1
    }
}

// What a holding is worth: calls, trumps and discards

/// About how much of the six points a team wins when this seat names the suit.
fn expected_points(holding: &[i32], suit: i32) -> i64 {
    // Ace, king, queen, right, left, ten to three, two, joker; fitted to some thousand hands.
    const BY_PLACE: [i64; 15] = [
        1600, 700, 700, 900, 900, 200, 200, 200, 200, 200, 200, 200, 200, 900, 300,
    ];
    let order = TrumpOrder::of(suit);
    let trumps = holding.iter().filter(|&&card| order.trumps.has(card));
    POINT + trumps.map(|&card| BY_PLACE[order.place(card)]).sum::<i64>()
}

/// The suit the holding is worth most with, the first of equal ones.
fn best_trump(holding: &[i32]) -> i32 {
    (1..=4)
        .rev() // of equal ones max_by_key finds the last
        .max_by_key(|&suit| expected_points(holding, suit))
        .expect("there are four suits")
}

/// So many of the cards, the lowest by rank: those to part with.
fn lowest(cards: &[i32], count: i32) -> Vec<i32> {
    let mut cards = cards.to_vec();
    cards.sort_unstable_by_key(|&card| (rank_of(card), card));
    cards.truncate(count as usize);
    cards
}

// What a card may win: the play

/// What taking the card is worth. The bauers and the joker are a point each; the 81 card points
/// decide one more together, so a ten is about a third of a point.
fn worth(card: i32, order: &TrumpOrder) -> i64 {
    let is_point = card == order.right || card == order.left || card == JOKER;
    i64::from(is_point) * POINT + 30 * card_points(card)
}

/// What the card will bring if it is kept: what it may win, and its hold on the game.
fn kept_worth(card: i32, order: &TrumpOrder) -> i64 {
    if !order.trumps.has(card) {
        return 35 * worth(card, order) / 100;
    }
    let place = order.place(card) as i64;
    (65 - 2 * place) * worth(card, order) / 100 + 500 - 30 * place
}

/// One decision to play a card: the trick so far, and which cards may be in which hand.
struct Play<'a> {
    order: &'static TrumpOrder,
    seat: i32,
    partner: i32,
    trick: &'a Trick,
    /// By seat: cards it cannot hold.
    lacks: [CardSet; SEATS as usize],
    unseen: CardSet,
    /// By unseen card: the chance that a certain other seat that can hold it does.
    odds: [i64; JOKER as usize + 1],
}

impl<'a> Play<'a> {
    fn new(decision: &'a Decision) -> Self {
        let hand = decision.hand.as_ref().expect("there is a hand");
        let contract = hand.contract.as_ref().expect("there is a contract");
        let order = TrumpOrder::of(contract.trump().into());
        let tricks = &hand.tricks;

        let mut lacks = [CardSet::default(); SEATS as usize];
        for trick in tricks {
            for (seat, &card) in (trick.leader..).zip(&trick.cards) {
                // A seat that did not follow has none of what was led.
                let following = order.followers(trick.cards[0]);
                if !following.has(card) {
                    let lack = &mut lacks[(seat % SEATS) as usize];
                    *lack = *lack | following;
                }
            }
        }
        let own = decision.holding.iter().chain(&decision.own_discards);
        let played = tricks.iter().flat_map(|trick| &trick.cards);
        let unseen = CardSet::ALL - own.chain(played).copied().collect();
        // All trumps are in play, for nobody may discard one; of the rest about half.
        let mut odds = [0; JOKER as usize + 1];
        for card in unseen {
            let can_hold = lacks.iter().filter(|lack| !lack.has(card)).count() as i64;
            let in_play = if order.trumps.has(card) {
                CERTAIN
            } else {
                CERTAIN / 2
            };
            odds[card as usize] = in_play / (can_hold - 1).max(1);
        }
        Self {
            order,
            seat: decision.seat,
            partner: (decision.seat + 3) % SEATS,
            trick: tricks.last().expect("there is a trick being played"),
            lacks,
            unseen,
            odds,
        }
    }

    /// What playing the card is worth, against what it is worth to keep it.
    fn value(&self, card: i32) -> i64 {
        let Self { order, trick, .. } = self;
        let led = *trick.cards.first().unwrap_or(&card);
        let strength = |card| order.strength(led, card);
        let (mut best, mut winner, mut stake) = (led, trick.leader, 0);
        let mut seat = trick.leader;
        for &other in trick.cards.iter().chain([&card]) {
            stake += worth(other, order);
            if strength(other) > strength(best) {
                (best, winner) = (other, seat);
            }
            seat = (seat + 1) % SEATS;
        }
        let better: CardSet = self
            .unseen
            .filter(|&other| strength(other) > strength(best))
            .collect();
        let (mut chance, mut helped) = (CERTAIN, 0);
        while seat != trick.leader {
            if seat == self.partner {
                helped = self.beats(seat, better, led);
            } else {
                chance = chance * (CERTAIN - self.beats(seat, better, led)) / CERTAIN;
            }
            seat = (seat + 1) % SEATS;
        }
        if winner != self.seat && winner != self.partner {
            chance = chance * helped / CERTAIN;
        }
        chance * stake / CERTAIN - kept_worth(card, order)
    }

    /// The chance that a seat can and may play one of the better cards.
    fn beats(&self, seat: i32, better: CardSet, led: i32) -> i64 {
        let following = self.order.followers(led);
        let chance = self.holds_one(seat, better & following);
        if self.order.trumps.has(led) {
            return chance;
        }
        let free = CERTAIN - self.holds_one(seat, following);
        let ruffs = self.holds_one(seat, better & self.order.trumps);
        chance.max(free * ruffs / CERTAIN)
    }

    /// The chance that a seat holds one of the cards; taken in ascending order.
    fn holds_one(&self, seat: i32, cards: CardSet) -> i64 {
        let held = (cards & self.unseen) - self.lacks[seat as usize];
        let none = held.fold(CERTAIN, |none, card| {
            none * (CERTAIN - self.odds[card as usize]) / CERTAIN
        });
        CERTAIN - none
    }
}
