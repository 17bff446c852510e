//! A bot that chooses at random, but calls with care: it passes three calls in four and bids no
//! more than it must. Six bots that bid anything at random hardly ever finish a game.

use crate::strategy::{
    CallQuestion, Decision, DiscardQuestion, PlayQuestion, Strategy, TrumpQuestion,
};

/// Random choices, the same for the same decision.
pub struct RandomLegal;

impl Strategy for RandomLegal {
    fn call(&mut self, decision: &Decision, question: &CallQuestion) -> i32 {
        // The pass comes first, then the lowest bid.
        let bids = Random::of(decision).below(4) == 0;
        question.bids[usize::from(bids)]
    }

    fn trump(&mut self, decision: &Decision, question: &TrumpQuestion) -> i32 {
        Random::of(decision).choice(&question.suits)
    }

    fn discards(&mut self, decision: &Decision, question: &DiscardQuestion) -> Vec<i32> {
        let mut random = Random::of(decision);
        let more = random.below((question.max_count - question.min_count + 1) as usize);
        let count = question.min_count as usize + more;
        let trump_count = question.trump_count as usize;
        let mut cards = random.sample(&question.side_cards, count - trump_count);
        cards.extend(random.sample(&question.trump_cards, trump_count));
        cards
    }

    fn play(&mut self, decision: &Decision, question: &PlayQuestion) -> i32 {
        Random::of(decision).choice(&question.cards)
    }
}

/// A small generator (SplitMix64), seeded by the decision alone.
struct Random(u64);

impl Random {
    fn of(decision: &Decision) -> Self {
        Self(decision.random_seed as u64)
    }

    /// A number from 0 to `count` - 1.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (((z >> 32) * count as u64) >> 32) as usize
    }

    fn choice(&mut self, numbers: &[i32]) -> i32 {
        numbers[self.below(numbers.len())]
    }

    /// So many different ones of the cards.
    fn sample(&mut self, cards: &[i32], count: usize) -> Vec<i32> {
        let mut cards = cards.to_vec();
        for i in 0..count {
            let other = i + self.below(cards.len() - i);
            cards.swap(i, other);
        }
        cards.truncate(count);
        cards
    }
}
