package bot;

import static bot.TrumpOrder.JOKER;
import static bot.TrumpOrder.bit;

import java.util.List;
import schmier.v1.Decision;
import schmier.v1.Trick;

/**
 * One decision to play a card: the trick so far, and which cards may be in which hand.
 *
 * <p>Chances are counted in millionths, worths in thousandths of a hand point.
 */
final class TrickOdds {
  /** A chance of 1. */
  private static final long CERTAIN = 1_000_000;

  /** What a card counts for game by its rank, from the two: ten, jack, queen, king, ace. */
  private static final int[] CARD_POINTS = {0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4};

  private final TrumpOrder order;
  private final int seat;
  private final int partner;
  private final int leader;

  /** The cards of the trick, and at its end a place for the card that is weighed. */
  private final int[] trick;

  /** By seat: the cards that it cannot hold, for it did not follow. */
  private final long[] lacks = new long[6];

  private final long unseen;

  /** By card: the chance that a certain other seat that can hold this unseen card does hold it. */
  private final long[] odds = new long[54];

  TrickOdds(Decision decision) {
    List<Trick> tricks = decision.getHand().getTricksList();
    order = TrumpOrder.of(decision.getHand().getContract().getTrumpValue());
    seat = decision.getSeat();
    partner = (seat + 3) % 6;
    Trick last = tricks.get(tricks.size() - 1);
    leader = last.getLeader();
    trick = new int[last.getCardsCount() + 1];
    for (int i = 0; i < last.getCardsCount(); i++) {
      trick[i] = last.getCardsValue(i);
    }

    long seen = 0;
    for (int i = 0; i < decision.getHoldingCount(); i++) {
      seen |= bit(decision.getHoldingValue(i));
    }
    for (int i = 0; i < decision.getOwnDiscardsCount(); i++) {
      seen |= bit(decision.getOwnDiscardsValue(i));
    }
    for (Trick past : tricks) {
      for (int i = 0; i < past.getCardsCount(); i++) {
        int card = past.getCardsValue(i);
        seen |= bit(card);
        long following = order.followers[past.getCardsValue(0)];
        if ((following & bit(card)) == 0) {
          lacks[(past.getLeader() + i) % 6] |= following;
        }
      }
    }
    unseen = (bit(JOKER + 1) - 2) & ~seen;

    // All trumps are in play, for nobody may discard one; of the other cards about half.
    for (long rest = unseen; rest != 0; rest &= rest - 1) {
      int card = Long.numberOfTrailingZeros(rest);
      int seats = -1;
      for (long lacking : lacks) {
        seats += (lacking & bit(card)) == 0 ? 1 : 0;
      }
      odds[card] = (order.isTrump(card) ? CERTAIN : CERTAIN / 2) / Math.max(seats, 1);
    }
  }

  /** Returns the card that is worth most to play, the first of equal ones. */
  int best(List<Integer> cards) {
    int best = cards.get(0);
    long most = value(best);
    for (int card : cards.subList(1, cards.size())) {
      long value = value(card);
      if (value > most) {
        best = card;
        most = value;
      }
    }
    return best;
  }

  /** Returns what playing the card is worth, against what it is worth to keep it. */
  private long value(int card) {
    trick[trick.length - 1] = card;
    int place = order.winner(trick);
    int winner = (leader + place) % 6;
    int winning = trick[place];
    boolean partnerPlays = false;
    long chance = CERTAIN;
    for (int i = trick.length; i < 6; i++) {
      int other = (leader + i) % 6;
      if (other == partner) {
        partnerPlays = true;
      } else {
        chance = chance * (CERTAIN - beats(other, winning)) / CERTAIN;
      }
    }
    if (winner != seat && winner != partner) {
      chance = chance * (partnerPlays ? beats(partner, winning) : 0) / CERTAIN;
    }
    long stake = 0;
    for (int played : trick) {
      stake += worth(played);
    }
    return chance * stake / CERTAIN - keptWorth(card);
  }

  /** Returns the chance that a seat can and may beat the card that is winning. */
  private long beats(int other, int winning) {
    int led = trick[0];
    long better = order.better[led][winning];
    long following = order.followers[led];
    long chance = holdsOne(other, better & following);
    if (!order.isTrump(led)) {
      long free = CERTAIN - holdsOne(other, following);
      long ruffs = holdsOne(other, better & order.trumps);
      chance = Math.max(chance, free * ruffs / CERTAIN);
    }
    return chance;
  }

  /** Returns the chance that another seat holds one of the cards. */
  private long holdsOne(int other, long cards) {
    long none = CERTAIN;
    for (long rest = cards & unseen & ~lacks[other]; rest != 0; rest &= rest - 1) {
      none = none * (CERTAIN - odds[Long.numberOfTrailingZeros(rest)]) / CERTAIN;
    }
    return CERTAIN - none;
  }

  /**
   * Returns what taking the card is worth.
   *
   * <p>The bauers and the joker are a point each. The 81 card points decide one more together.
   */
  private long worth(int card) {
    boolean point = card == order.right || card == order.left || card == JOKER;
    int cardPoints = card == JOKER ? 1 : CARD_POINTS[(card - 1) % 13];
    return (point ? RuleBased.POINT : 0) + 30L * cardPoints;
  }

  /** Returns what the card will bring if it is kept: what it may win, and its hold on the game. */
  private long keptWorth(int card) {
    if (!order.isTrump(card)) {
      return 35 * worth(card) / 100;
    }
    int place = order.place[card];
    return (65 - 2 * place) * worth(card) / 100 + 500 - 30L * place;
  }
}
