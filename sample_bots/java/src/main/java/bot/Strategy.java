package bot;

import java.util.List;
import schmier.v1.Decision;

/**
 * The four choices of a bot. YOUR STRATEGY GOES HERE: write a class that implements this, and name
 * it in {@link Main}.
 *
 * <p>Cards, bids and suits are the numbers of the protocol. A decision holds all that the seat may
 * know, its legal choices included; keep no memory, and draw all randomness from its random seed.
 */
public interface Strategy {
  /** Bid or pass: one of {@code decision.getCall().getBidsValueList()}. */
  int call(Decision decision);

  /** Name trumps: one of {@code decision.getTrump().getSuitsValueList()}. */
  int trump(Decision decision);

  /** Put cards away; what may go is in {@code decision.getDiscard()}. */
  List<Integer> discards(Decision decision);

  /** Play a card: one of {@code decision.getPlay().getCardsValueList()}. */
  int play(Decision decision);
}
