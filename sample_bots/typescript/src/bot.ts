import type { Bid, Card, Suit } from "./stubs/schmier/v1/cards.js";
import type {
  CallQuestion,
  Decision,
  DiscardQuestion,
  PlayQuestion,
  TrumpQuestion,
} from "./stubs/schmier/v1/decision.js";
import type { Rules } from "./stubs/schmier/v1/rules.js";

/**
 * The four choices that a bot makes.
 *
 * Each is given the question with its legal choices, the decision with all that the seat may know
 * (its fields are described in decision.proto), and the rules of the tournament. An answer should
 * depend on these alone, the random seed included: then a tournament can be repeated to the byte.
 */
export interface Bot {
  /** Bids or passes: one of the bids, the pass first. */
  call(question: CallQuestion, decision: Decision, rules: Rules | undefined): Bid;
  /** Names the suit of trumps. */
  trump(question: TrumpQuestion, decision: Decision, rules: Rules | undefined): Suit;
  /** Chooses the cards to put away; the question says which sets are legal. */
  discards(question: DiscardQuestion, decision: Decision, rules: Rules | undefined): Card[];
  /** Plays one of the cards. */
  play(question: PlayQuestion, decision: Decision, rules: Rules | undefined): Card;
}
