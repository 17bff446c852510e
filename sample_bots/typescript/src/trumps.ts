/** What a trump suit makes of the cards: bauers, who follows what, which card wins. */
import { Card, Suit } from "./stubs/schmier/v1/cards.js";

export const JOKER = Card.CARD_JOKER;
export const SUITS = [Suit.SUIT_CLUBS, Suit.SUIT_DIAMONDS, Suit.SUIT_HEARTS, Suit.SUIT_SPADES];

/** Ranks of cards within their suit, as the numbers of the cards count them. */
const [TWO, TEN, JACK, QUEEN, KING, ACE] = [1, 9, 10, 11, 12, 13];
const POINTS_BY_RANK = new Map([
  [TEN, 10],
  [JACK, 1],
  [QUEEN, 2],
  [KING, 3],
  [ACE, 4],
]);

/** The rank of a card, 1 for the two up to 13 for the ace. */
export function rankOf(card: Card): number {
  return ((card - 1) % 13) + 1;
}

/** Card points by card: A 4, K 3, Q 2, J 1, ten 10, joker 1. */
export const CARD_POINTS: readonly number[] = Array.from({ length: 54 }, (_, card) => {
  if (card === JOKER) return 1;
  return card === 0 ? 0 : (POINTS_BY_RANK.get(rankOf(card)) ?? 0);
});

export class TrumpOrder {
  readonly ace: Card;
  readonly king: Card;
  readonly queen: Card;
  /** The jack of trumps. */
  readonly right: Card;
  /** The other jack of the colour of trumps. */
  readonly left: Card;
  readonly two: Card;
  /** The 15 trumps, highest first. */
  readonly ranking: readonly Card[];
  /** By card, the suit that it belongs to: bauers and joker belong to trumps. */
  readonly suits: readonly Suit[];
  /** By the suit that was led and by card, what the card is worth in the trick; 0 cannot win. */
  private readonly strengths: readonly (readonly number[])[];

  constructor(readonly trump: Suit) {
    const cardOf = (suit: Suit, rank: number): Card => 13 * (suit - 1) + rank;
    this.ace = cardOf(trump, ACE);
    this.king = cardOf(trump, KING);
    this.queen = cardOf(trump, QUEEN);
    this.right = cardOf(trump, JACK);
    this.left = cardOf(5 - trump, JACK);
    this.two = cardOf(trump, TWO);
    const low = Array.from({ length: TEN }, (_, i) => cardOf(trump, TEN - i));
    this.ranking = [this.ace, this.king, this.queen, this.right, this.left, ...low, JOKER];
    this.suits = Array.from({ length: 54 }, (_, card) => {
      return this.ranking.includes(card) ? trump : Math.ceil(card / 13);
    });
    this.strengths = [0, ...SUITS].map((led) =>
      this.suits.map((suit, card) => {
        if (suit === trump) return 28 - this.ranking.indexOf(card);
        return suit === led && card > 0 ? rankOf(card) : 0;
      }),
    );
  }

  isTrump(card: Card): boolean {
    return this.suits[card] === this.trump;
  }

  /** What each card is worth in a trick, by card, after a card was led. */
  strengthIn(led: Card): readonly number[] {
    return this.strengths[this.suits[led]];
  }

  /** The place among the cards of a trick of the one that wins, or is winning so far. */
  winner(cards: readonly Card[]): number {
    const strength = this.strengthIn(cards[0]);
    let best = 0;
    for (let i = 1; i < cards.length; i++) {
      if (strength[cards[i]] > strength[cards[best]]) best = i;
    }
    return best;
  }
}

/** The order of each suit; 0 is no suit, and its order is never used. */
export const TRUMP_ORDERS: readonly TrumpOrder[] = [0, ...SUITS].map(
  (suit) => new TrumpOrder(suit),
);
