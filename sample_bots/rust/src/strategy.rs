//! What a bot has to decide. Your own strategy is a type with these four functions: change
//! `rule_based.rs`, or write another like `random_legal.rs` and name it in `main.rs`.

pub use crate::pb::{CallQuestion, Decision, DiscardQuestion, PlayQuestion, TrumpQuestion};

/// The four choices.
///
/// The decision holds all that its seat may know, the question every legal choice in ascending
/// order; their fields are described in `decision.proto`. Cards, bids, suits and seats are plain
/// numbers. An answer should depend on the decision alone: then a tournament can be repeated.
pub trait Strategy {
    /// Bid or pass: one of `question.bids`.
    fn call(&mut self, decision: &Decision, question: &CallQuestion) -> i32;

    /// Name trumps: one of `question.suits`.
    fn trump(&mut self, decision: &Decision, question: &TrumpQuestion) -> i32;

    /// Put cards away: `trump_count` of `question.trump_cards`, and of its `side_cards` so many
    /// that it is `min_count` to `max_count` cards in all.
    fn discards(&mut self, decision: &Decision, question: &DiscardQuestion) -> Vec<i32>;

    /// Play a card: one of `question.cards`.
    fn play(&mut self, decision: &Decision, question: &PlayQuestion) -> i32;
}
