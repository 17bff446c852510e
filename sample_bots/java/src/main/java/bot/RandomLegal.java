package bot;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import schmier.v1.Decision;
import schmier.v1.DiscardQuestion;

/**
 * Chooses at random, but calls with care.
 *
 * <p>All luck comes from the decision's random seed, so the same decision always gets the same
 * answer. It passes three calls in four and bids no more than it must: bots that bid anything at
 * random are set hand after hand and hardly ever finish a game.
 */
final class RandomLegal implements Strategy {
  @Override
  public int call(Decision decision) {
    List<Integer> legal = decision.getCall().getBidsValueList(); // the pass comes first
    return legal.get(random(decision).nextInt(4) == 0 ? 1 : 0);
  }

  @Override
  public int trump(Decision decision) {
    return oneOf(decision.getTrump().getSuitsValueList(), random(decision));
  }

  @Override
  public List<Integer> discards(Decision decision) {
    DiscardQuestion question = decision.getDiscard();
    SplittableRandom random = random(decision);
    int count = random.nextInt(question.getMinCount(), question.getMaxCount() + 1);
    int trumps = question.getTrumpCount();
    List<Integer> cards = someOf(question.getSideCardsValueList(), count - trumps, random);
    cards.addAll(someOf(question.getTrumpCardsValueList(), trumps, random));
    return cards;
  }

  @Override
  public int play(Decision decision) {
    return oneOf(decision.getPlay().getCardsValueList(), random(decision));
  }

  private static SplittableRandom random(Decision decision) {
    return new SplittableRandom(decision.getRandomSeed());
  }

  private static int oneOf(List<Integer> choices, SplittableRandom random) {
    return choices.get(random.nextInt(choices.size()));
  }

  private static List<Integer> someOf(List<Integer> cards, int count, SplittableRandom random) {
    List<Integer> left = new ArrayList<>(cards);
    List<Integer> drawn = new ArrayList<>(count);
    while (drawn.size() < count) {
      drawn.add(left.remove(random.nextInt(left.size())));
    }
    return drawn;
  }
}
