import type { Card, Suit } from "./stubs/schmier/v1/cards.js";
import type { Decision } from "./stubs/schmier/v1/decision.js";
import { CARD_POINTS, JOKER, TRUMP_ORDERS, type TrumpOrder } from "./trumps.js";

/** Worths are counted in thousandths of a hand point, chances in millionths. */
const POINT = 1000;
const CERTAIN = 1_000_000;

/** The product of two chances, or of a chance and a worth. */
function times(chance: number, other: number): number {
  return Math.floor((chance * other) / CERTAIN);
}

/** One decision to play a card: the trick so far, and which cards may be in which hand. */
export class Trick {
  private readonly order: TrumpOrder;
  private readonly seat: number;
  private readonly partner: number;
  private readonly leader: number;
  private readonly cards: readonly Card[];
  /** By seat and suit, whether the seat has none left, because it did not follow. */
  private readonly lacks: boolean[][] = Array.from({ length: 6 }, () => Array(5).fill(false));
  /** The cards that this seat has not seen, ascending. */
  private readonly unseen: Card[] = [];
  /** By card, the chance that a certain other seat that can hold an unseen card does hold it. */
  private readonly odds: number[] = Array(54).fill(0);

  constructor({ seat, hand, holding, ownDiscards }: Decision) {
    const tricks = hand?.tricks ?? [];
    const { leader, cards } = tricks[tricks.length - 1];
    this.order = TRUMP_ORDERS[hand?.contract?.trump ?? 0];
    this.seat = seat;
    this.partner = (seat + 3) % 6;
    this.leader = leader;
    this.cards = cards;
    const seen: boolean[] = Array(54).fill(false);
    for (const card of holding) seen[card] = true;
    for (const card of ownDiscards) seen[card] = true;
    for (const past of tricks) {
      const led = this.order.suits[past.cards[0]];
      past.cards.forEach((card, i) => {
        seen[card] = true;
        if (this.order.suits[card] !== led) this.lacks[(past.leader + i) % 6][led] = true;
      });
    }
    // All trumps are in play, for nobody may discard one; of the rest about half.
    const oddsOf = [0, 1, 2, 3, 4].map((suit) => {
      const seats = this.lacks.filter((lacks) => !lacks[suit]).length - 1;
      const inPlay = suit === this.order.trump ? CERTAIN : CERTAIN / 2;
      return Math.floor(inPlay / Math.max(seats, 1));
    });
    for (let card = 1; card <= JOKER; card++) {
      if (!seen[card]) {
        this.unseen.push(card);
        this.odds[card] = oddsOf[this.order.suits[card]];
      }
    }
  }

  /** What playing the card is worth, against what it is worth to keep it. */
  value(card: Card): number {
    const cards = [...this.cards, card];
    const place = this.order.winner(cards);
    const winner = (this.leader + place) % 6;
    let chance = CERTAIN;
    let helped = 0;
    for (let i = cards.length; i < 6; i++) {
      const seat = (this.leader + i) % 6;
      const beats = this.beats(seat, cards[place], cards[0]);
      if (seat === this.partner) helped = beats;
      else chance = times(chance, CERTAIN - beats);
    }
    if (winner !== this.seat && winner !== this.partner) chance = times(chance, helped);
    const stake = cards.reduce((sum, other) => sum + this.worth(other), 0);
    return times(chance, stake) - this.keptWorth(card);
  }

  /** The chance that a seat can and may beat the card that is winning. */
  private beats(seat: number, card: Card, led: Card): number {
    const strength = this.order.strengthIn(led);
    const suit = this.order.suits[led];
    const follows = this.holdsOne(seat, suit, strength, strength[card]);
    if (suit === this.order.trump) return follows;
    const free = CERTAIN - this.holdsOne(seat, suit, strength, 0);
    const ruffs = this.holdsOne(seat, this.order.trump, strength, strength[card]);
    return Math.max(follows, times(free, ruffs));
  }

  /** The chance that another seat holds a card of the suit that is stronger than that. */
  private holdsOne(seat: number, suit: Suit, strength: readonly number[], than: number): number {
    if (this.lacks[seat][suit]) return 0;
    let none = CERTAIN;
    for (const card of this.unseen) {
      if (this.order.suits[card] === suit && strength[card] > than) {
        none = times(none, CERTAIN - this.odds[card]);
      }
    }
    return CERTAIN - none;
  }

  /**
   * What taking the card is worth. The bauers and the joker are a point each. The 81 card points
   * decide one more together, so a ten is about a third of a point.
   */
  private worth(card: Card): number {
    const { right, left } = this.order;
    const point = card === right || card === left || card === JOKER ? POINT : 0;
    return point + 30 * CARD_POINTS[card];
  }

  /** What the card will bring if it is kept: what it may win, and its hold on the game. */
  private keptWorth(card: Card): number {
    if (!this.order.isTrump(card)) return Math.floor((35 * this.worth(card)) / 100);
    const place = this.order.ranking.indexOf(card);
    return Math.floor(((65 - 2 * place) * this.worth(card)) / 100) + 500 - 30 * place;
  }
}
