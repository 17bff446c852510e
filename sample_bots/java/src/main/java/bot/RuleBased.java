package bot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import schmier.v1.Decision;
import schmier.v1.DiscardQuestion;

/**
 * Counts what its hand is worth, and weighs each card by what it may win.
 *
 * <p>It counts in whole numbers, thousandths of a hand point, and rounds down after each step, so
 * that it gives the same answers as this strategy in other languages. Of equal choices it takes the
 * first.
 */
final class RuleBased implements Strategy {
  /** One hand point. */
  static final int POINT = 1000;

  /** Cards by rank: the first are those to part with. */
  private static final Comparator<Integer> LOWEST_FIRST =
      Comparator.<Integer>comparingInt(card -> (card - 1) % 13)
          .thenComparing(Comparator.naturalOrder());

  @Override
  public int call(Decision decision) {
    List<Integer> legal = decision.getCall().getBidsValueList(); // the pass comes first
    List<Integer> holding = decision.getHoldingValueList();
    int lowestBid = legal.get(1);
    int points = expectedPoints(holding, bestTrump(holding));
    return points >= lowestBid * POINT ? lowestBid : legal.get(0);
  }

  @Override
  public int trump(Decision decision) {
    return bestTrump(decision.getHoldingValueList());
  }

  @Override
  public List<Integer> discards(Decision decision) {
    DiscardQuestion question = decision.getDiscard();
    int trumps = question.getTrumpCount();
    List<Integer> cards =
        lowest(question.getSideCardsValueList(), question.getMaxCount() - trumps);
    cards.addAll(lowest(question.getTrumpCardsValueList(), trumps));
    return cards;
  }

  @Override
  public int play(Decision decision) {
    return new TrickOdds(decision).best(decision.getPlay().getCardsValueList());
  }

  /**
   * Returns about how much of the six points a team wins when this seat names the suit.
   *
   * <p>The weights were fitted to what the strategy won in some thousand hands against itself.
   */
  private static int expectedPoints(List<Integer> holding, int suit) {
    TrumpOrder order = TrumpOrder.of(suit);
    int points = POINT;
    for (int card : holding) {
      if (order.isTrump(card)) {
        points += weight(card, order);
      }
    }
    return points;
  }

  private static int weight(int trump, TrumpOrder order) {
    return switch (order.place[trump]) {
      case 0 -> 1600; // the ace
      case 1, 2 -> 700; // king and queen
      case 3, 4 -> 900; // the bauers
      case 13 -> 900; // the two
      case 14 -> 300; // the joker
      default -> 200;
    };
  }

  private static int bestTrump(List<Integer> holding) {
    int best = 1;
    for (int suit = 2; suit <= 4; suit++) {
      if (expectedPoints(holding, suit) > expectedPoints(holding, best)) {
        best = suit;
      }
    }
    return best;
  }

  private static List<Integer> lowest(List<Integer> cards, int count) {
    List<Integer> sorted = new ArrayList<>(cards);
    sorted.sort(LOWEST_FIRST);
    return new ArrayList<>(sorted.subList(0, Math.min(count, sorted.size())));
  }
}
