//! Cards as numbers and as sets, and what a trump suit makes of them.

use std::ops::{BitAnd, BitOr, Sub};
use std::sync::LazyLock;

/// Cards are 1 to 53 as in the protocol: clubs two to ace, diamonds, hearts, spades, the joker.
pub const JOKER: i32 = 53;
pub const SEATS: i32 = 6;

const JACK: i32 = 9;
const ACE: i32 = 12;

/// The rank of a card, from 0 for the two to 12 for the ace.
pub fn rank_of(card: i32) -> i32 {
    (card - 1) % 13
}

/// The 81 points that decide who gets the point for game.
pub fn card_points(card: i32) -> i64 {
    const BY_RANK: [i64; 13] = [0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4];
    if card == JOKER {
        1
    } else {
        BY_RANK[rank_of(card) as usize]
    }
}

/// A set of cards, one bit for each. Its iterator goes upwards.
#[derive(Clone, Copy, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// All 53 cards.
    pub const ALL: Self = Self((1 << (JOKER + 1)) - 2);

    pub fn has(self, card: i32) -> bool {
        self.0 & (1 << card) != 0
    }
}

impl BitOr for CardSet {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for CardSet {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Sub for CardSet {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Iterator for CardSet {
    type Item = i32;
    fn next(&mut self) -> Option<i32> {
        if self.0 == 0 {
            return None;
        }
        let card = self.0.trailing_zeros() as i32;
        self.0 &= self.0 - 1;
        Some(card)
    }
}

impl FromIterator<i32> for CardSet {
    fn from_iter<T: IntoIterator<Item = i32>>(cards: T) -> Self {
        Self(cards.into_iter().fold(0, |bits, card| bits | 1 << card))
    }
}

/// The cards under one trump suit.
pub struct TrumpOrder {
    /// The highest jack: that of the suit.
    pub right: i32,
    /// The next: the jack of the other suit of the same colour, which is a trump too.
    pub left: i32,
    /// All 15 trumps: the suit, the left bauer and the joker.
    pub trumps: CardSet,
    places: [usize; JOKER as usize + 1],
    followers: [CardSet; JOKER as usize + 1],
}

impl TrumpOrder {
    /// The order of a trump suit, 1 to 4: clubs, diamonds, hearts, spades.
    pub fn of(suit: i32) -> &'static Self {
        static ORDERS: LazyLock<[TrumpOrder; 4]> =
            LazyLock::new(|| [1, 2, 3, 4].map(TrumpOrder::new));
        &ORDERS[suit as usize - 1]
    }

    fn new(suit: i32) -> Self {
        let card_of = |suit: i32, rank: i32| 13 * (suit - 1) + rank + 1;
        let right = card_of(suit, JACK);
        // Clubs and spades, 1 and 4, are black; diamonds and hearts, 2 and 3, are red.
        let left = card_of(5 - suit, JACK);
        let above = (JACK + 1..=ACE).rev().map(|rank| card_of(suit, rank));
        let below = (0..JACK).rev().map(|rank| card_of(suit, rank));
        let ranking = above.chain([right, left]).chain(below).chain([JOKER]);

        let mut places = [0; JOKER as usize + 1];
        for (place, trump) in ranking.clone().enumerate() {
            places[trump as usize] = place;
        }
        let trumps: CardSet = ranking.collect();
        let mut followers = [CardSet::default(); JOKER as usize + 1];
        for led in CardSet::ALL {
            followers[led as usize] = if trumps.has(led) {
                trumps
            } else {
                let lowest = led - rank_of(led);
                CardSet::from_iter(lowest..=lowest + ACE) - trumps
            };
        }
        Self {
            right,
            left,
            trumps,
            places,
            followers,
        }
    }

    /// A trump's place among the trumps, from 0 for the ace to 14 for the joker.
    pub fn place(&self, trump: i32) -> usize {
        self.places[trump as usize]
    }

    /// The cards that follow the card led: its suit, where bauers and joker are trumps.
    pub fn followers(&self, led: i32) -> CardSet {
        self.followers[led as usize]
    }

    /// What a card is worth in a trick: the strongest wins, 0 cannot win.
    pub fn strength(&self, led: i32, card: i32) -> i32 {
        if self.trumps.has(card) {
            28 - self.place(card) as i32
        } else if self.followers(led).has(card) {
            1 + rank_of(card)
        } else {
            0
        }
    }
}
