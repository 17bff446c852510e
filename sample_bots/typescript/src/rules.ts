import type { Bot } from "./bot.js";
import type { Bid, Card, Suit } from "./stubs/schmier/v1/cards.js";
import type {
  CallQuestion,
  Decision,
  DiscardQuestion,
  PlayQuestion,
  TrumpQuestion,
} from "./stubs/schmier/v1/decision.js";
import { Trick } from "./trick.js";
import { JOKER, rankOf, SUITS, TRUMP_ORDERS, type TrumpOrder } from "./trumps.js";

/** Worths are counted in thousandths of a hand point. */
const POINT = 1000;

/**
 * A sensible player: it counts what its hand is worth, and weighs each card by what it may win. It
 * counts in whole numbers and rounds down after each step, and so comes to the same answers as the
 * samples of the other languages.
 *
 * Your strategy goes here.
 */
export class Rules implements Bot {
  /** Bids no more than it must, if the hand is worth it. */
  call({ bids: [pass, lowest] }: CallQuestion, { holding }: Decision): Bid {
    return expectedPoints(holding, bestTrump(holding)) >= lowest * POINT ? lowest : pass;
  }

  /** Names the suit that the hand is worth most with. */
  trump(_: TrumpQuestion, { holding }: Decision): Suit {
    return bestTrump(holding);
  }

  /** Puts away as many cards as it may, the lowest. */
  discards(question: DiscardQuestion): Card[] {
    const { sideCards, maxCount, trumpCards, trumpCount } = question;
    const side = lowestFirst(sideCards).slice(0, maxCount - trumpCount);
    return [...side, ...lowestFirst(trumpCards).slice(0, trumpCount)];
  }

  /** Plays the card that brings most. */
  play({ cards }: PlayQuestion, decision: Decision): Card {
    const trick = new Trick(decision);
    return firstOfBest(cards, (card) => trick.value(card));
  }
}

function firstOfBest<T>(choices: T[], value: (choice: T) => number): T {
  let best = choices[0];
  let most = value(best);
  for (const choice of choices.slice(1)) {
    const its = value(choice);
    if (its > most) [best, most] = [choice, its];
  }
  return best;
}

function bestTrump(holding: Card[]): Suit {
  return firstOfBest(SUITS, (suit) => expectedPoints(holding, suit));
}

/** About how much of the six points a team wins when this seat names the suit, in thousandths. */
function expectedPoints(holding: Card[], suit: Suit): number {
  return holding.reduce((worth, card) => worth + WEIGHTS[suit][card], POINT);
}

/**
 * What a card adds to a hand, by the trump suit and by card. The weights were fitted to what this
 * strategy won in some thousand hands against itself.
 */
const WEIGHTS: readonly (readonly number[])[] = TRUMP_ORDERS.map(weightsOf);

function weightsOf({ ranking, ace, king, queen, right, left, two }: TrumpOrder): number[] {
  const weights = Array<number>(54).fill(0);
  for (const card of ranking) weights[card] = 200;
  weights[ace] = 1600;
  weights[king] = weights[queen] = 700;
  weights[right] = weights[left] = weights[two] = 900;
  weights[JOKER] = 300;
  return weights;
}

/** Cards by rank: the first are those to part with. */
function lowestFirst(cards: Card[]): Card[] {
  return [...cards].sort((a, b) => rankOf(a) - rankOf(b) || a - b);
}
