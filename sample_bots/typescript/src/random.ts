import type { Bot } from "./bot.js";
import type { Bid, Card, Suit } from "./stubs/schmier/v1/cards.js";
import type {
  CallQuestion,
  Decision,
  DiscardQuestion,
  PlayQuestion,
  TrumpQuestion,
} from "./stubs/schmier/v1/decision.js";

/**
 * Chooses at random, but calls with care: bots that bid anything at random are set hand after hand
 * and hardly ever finish a game. All its luck comes from the decision's random seed, so the same
 * decision always gets the same answer.
 */
export class Random implements Bot {
  /** Passes three times in four, and else bids no more than it must. */
  call({ bids }: CallQuestion, { randomSeed }: Decision): Bid {
    const below = generator(randomSeed);
    return below(4) === 0 ? bids[1] : bids[0];
  }

  trump({ suits }: TrumpQuestion, { randomSeed }: Decision): Suit {
    const below = generator(randomSeed);
    return suits[below(suits.length)];
  }

  /** First draws how many cards go, then which. */
  discards(question: DiscardQuestion, { randomSeed }: Decision): Card[] {
    const { sideCards, minCount, maxCount, trumpCards, trumpCount } = question;
    const below = generator(randomSeed);
    const count = minCount + below(maxCount - minCount + 1);
    const trumps = sample(trumpCards, trumpCount, below);
    return [...trumps, ...sample(sideCards, count - trumpCount, below)];
  }

  play({ cards }: PlayQuestion, { randomSeed }: Decision): Card {
    const below = generator(randomSeed);
    return cards[below(cards.length)];
  }
}

type Below = (limit: number) => number;

/** A small seeded generator (mulberry32): each call draws a whole number below a limit. */
function generator(seed: number): Below {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

function sample(cards: Card[], count: number, below: Below): Card[] {
  const left = [...cards];
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]);
}
