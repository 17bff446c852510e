package bot;

import java.util.List;

/**
 * What a trump suit makes of the cards: who is a trump, who follows what, which card beats which.
 *
 * <p>Cards are numbers: 1 to 13 the clubs from two to ace, then diamonds, hearts and spades; the
 * joker is 53. A set of cards is a long in which bit c stands for card c. The jack of the trump
 * suit is the right bauer and the other jack of its colour the left: both are trumps. Trumps rank
 * ace, king, queen, right bauer, left bauer, ten to two, joker.
 */
final class TrumpOrder {
  static final int JOKER = 53;

  private static final int RANKS = 13;
  private static final int JACK = 10;
  private static final int CARDS = 54; // card 0 does not exist

  private static final List<TrumpOrder> ORDERS =
      List.of(new TrumpOrder(1), new TrumpOrder(2), new TrumpOrder(3), new TrumpOrder(4));

  /** The 15 trumps, highest first. */
  final int[] ranking = new int[15];

  final long trumps;
  final int right;
  final int left;

  /** The place of a trump in the ranking, from 0. */
  final int[] place = new int[CARDS];

  /** By the card that was led: the cards that follow it. */
  final long[] followers = new long[CARDS];

  /** By the card that was led: how strong each card is in the trick, 0 if it cannot win. */
  final int[][] strength = new int[CARDS][];

  /** By the card that was led and a card in the trick: all cards that beat this one. */
  final long[][] better = new long[CARDS][];

  /** Returns the order of a suit, 1 to 4. */
  static TrumpOrder of(int suit) {
    return ORDERS.get(suit - 1);
  }

  /** Returns the set of one card. */
  static long bit(int card) {
    return 1L << card;
  }

  boolean isTrump(int card) {
    return (trumps & bit(card)) != 0;
  }

  /** Returns which of the cards of a trick wins it, from 0 for the card that was led. */
  int winner(int[] trick) {
    int[] values = strength[trick[0]];
    int best = 0;
    for (int i = 1; i < trick.length; i++) {
      if (values[trick[i]] > values[trick[best]]) {
        best = i;
      }
    }
    return best;
  }

  private TrumpOrder(int suit) {
    right = card(suit, JACK);
    left = card(5 - suit, JACK); // clubs and spades are black, diamonds and hearts red
    int next = 0;
    for (int rank = RANKS; rank > JACK; rank--) {
      ranking[next++] = card(suit, rank);
    }
    ranking[next++] = right;
    ranking[next++] = left;
    for (int rank = JACK - 1; rank > 0; rank--) {
      ranking[next++] = card(suit, rank);
    }
    ranking[next] = JOKER;

    long all = 0;
    for (int i = 0; i < ranking.length; i++) {
      all |= bit(ranking[i]);
      place[ranking[i]] = i;
    }
    trumps = all;
    fill(trumps);
    for (int other = 1; other <= 4; other++) {
      if (other != suit) {
        fill((bit(RANKS) - 1 << card(other, 1)) & ~trumps);
      }
    }
  }

  /** Fills in the tables of all cards of a suit, the trumps being one. */
  private void fill(long suit) {
    int[] values = new int[CARDS];
    for (int card = 1; card < CARDS; card++) {
      if (isTrump(card)) {
        values[card] = RANKS + ranking.length - place[card];
      } else if ((suit & bit(card)) != 0) {
        values[card] = 1 + (card - 1) % RANKS;
      }
    }
    long[] beating = new long[CARDS];
    for (int card = 1; card < CARDS; card++) {
      for (int other = 1; other < CARDS; other++) {
        if (values[other] > values[card]) {
          beating[card] |= bit(other);
        }
      }
    }
    for (long rest = suit; rest != 0; rest &= rest - 1) {
      int led = Long.numberOfTrailingZeros(rest);
      followers[led] = suit;
      strength[led] = values;
      better[led] = beating;
    }
  }

  private static int card(int suit, int rank) {
    return (suit - 1) * RANKS + rank;
  }
}
