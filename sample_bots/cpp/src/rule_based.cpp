// The rule-based strategy. It counts in whole numbers, thousandths of a hand point and millionths
// of a chance, and rounds down after each step, so that it answers the same in every language.
#include "rule_based.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

#include "cards.hpp"

namespace bot {
namespace {

using Numbers = google::protobuf::RepeatedField<int>;

constexpr std::int64_t kPoint = 1000;       // one hand point
constexpr std::int64_t kCertain = 1000000;  // a chance of 1

// What a holding is worth: calls, trumps and discards

// About how much of the six points a team wins when this seat names the suit.
std::int64_t expected_points(const Numbers& holding, int suit) {
  // Ace, king, queen, right, left, ten to three, two, joker; fitted to some thousand hands.
  constexpr std::array<int, 15> weights{1600, 700, 700, 900, 900, 200, 200, 200,
                                        200,  200, 200, 200, 200, 900, 300};
  const TrumpOrder& order = trump_order(suit);
  std::int64_t points = kPoint;
  for (int card : holding) {
    if (order.trumps().has(card)) points += weights.at(static_cast<std::size_t>(order.place(card)));
  }
  return points;
}

// The suit the holding is worth most with, the first of equal ones.
int best_trump(const Numbers& holding) {
  int best = 1;
  for (int suit = 2; suit <= 4; ++suit) {
    if (expected_points(holding, suit) > expected_points(holding, best)) best = suit;
  }
  return best;
}

// Appends the `count` lowest of the cards by rank: those to part with.
void add_lowest(Numbers cards, int count, std::vector<int>& chosen) {
  std::sort(cards.begin(), cards.end(), [](int a, int b) {
    return std::tuple(rank_of(a), a) < std::tuple(rank_of(b), b);
  });
  chosen.insert(chosen.end(), cards.begin(), cards.begin() + std::min(count, cards.size()));
}

// What a card may win: the play

// What taking the card is worth. The bauers and the joker are a point each; the 81 card points
// decide one more together, so a ten is about a third of a point.
std::int64_t worth(int card, const TrumpOrder& order) {
  const bool is_point = card == order.right() || card == order.left() || card == kJoker;
  return (is_point ? kPoint : 0) + 30 * card_points(card);
}

// What the card will bring if it is kept: what it may win, and its hold on the game.
std::int64_t kept_worth(int card, const TrumpOrder& order) {
  if (!order.trumps().has(card)) return 35 * worth(card, order) / 100;
  const int place = order.place(card);
  return (65 - 2 * place) * worth(card, order) / 100 + 500 - 30 * place;
}

// One decision to play a card: the trick so far, and which cards may be in which hand.
class Play {
 public:
  explicit Play(const Decision& decision)
      : order_(trump_order(decision.hand().contract().trump())),
        trick_(*decision.hand().tricks().rbegin()),
        seat_(decision.seat()),
        partner_((decision.seat() + 3) % kSeats) {
    CardSet seen;
    for (int card : decision.holding()) seen.add(card);
    for (int card : decision.own_discards()) seen.add(card);
    for (const auto& trick : decision.hand().tricks()) {
      int seat = trick.leader();
      for (int card : trick.cards()) {
        seen.add(card);
        // A seat that did not follow has none of what was led.
        const CardSet follow = order_.followers(trick.cards(0));
        if (!follow.has(card)) lacks(seat) = lacks(seat) | follow;
        seat = (seat + 1) % kSeats;
      }
    }
    // The chance that a certain other seat that can hold an unseen card does hold it. All trumps
    // are in play, for nobody may discard one; of the rest about half.
    for (int card = 1; card <= kCards; ++card) {
      if (seen.has(card)) continue;
      unseen_.add(card);
      const auto can_hold = std::count_if(lacks_.begin(), lacks_.end(),
                                          [&](CardSet lacking) { return !lacking.has(card); });
      const std::int64_t in_play = order_.trumps().has(card) ? kCertain : kCertain / 2;
      odds_[static_cast<std::size_t>(card)] = in_play / std::max<std::int64_t>(can_hold - 1, 1);
    }
  }

  // What playing the card is worth, against what it is worth to keep it.
  std::int64_t value(int card) const {
    const int led = trick_.cards().empty() ? card : trick_.cards(0);
    int best = led;
    int winner = trick_.leader();
    int seat = trick_.leader();
    std::int64_t stake = 0;
    const auto add = [&](int other) {
      stake += worth(other, order_);
      if (order_.strength(led, other) > order_.strength(led, best)) {
        best = other;
        winner = seat;
      }
      seat = (seat + 1) % kSeats;
    };
    for (int other : trick_.cards()) add(other);
    add(card);

    CardSet better;
    for (int other : unseen_) {
      if (order_.strength(led, other) > order_.strength(led, best)) better.add(other);
    }
    std::int64_t chance = kCertain;
    std::int64_t helped = 0;
    for (; seat != trick_.leader(); seat = (seat + 1) % kSeats) {  // the seats still to play
      if (seat == partner_) {
        helped = beats(seat, better, led);
      } else {
        chance = chance * (kCertain - beats(seat, better, led)) / kCertain;
      }
    }
    if (winner != seat_ && winner != partner_) chance = chance * helped / kCertain;
    return chance * stake / kCertain - kept_worth(card, order_);
  }

 private:
  // The chance that a seat can and may play one of the better cards.
  std::int64_t beats(int seat, CardSet better, int led) const {
    const CardSet follow = order_.followers(led);
    const std::int64_t chance = holds_one(seat, better & follow);
    if (order_.trumps().has(led)) return chance;
    const std::int64_t free = kCertain - holds_one(seat, follow);
    const std::int64_t ruffs = holds_one(seat, better & order_.trumps());
    return std::max(chance, free * ruffs / kCertain);
  }

  // The chance that a seat holds one of the cards; taken in ascending order.
  std::int64_t holds_one(int seat, CardSet cards) const {
    std::int64_t none = kCertain;
    for (int card : (cards & unseen_) - lacks_.at(static_cast<std::size_t>(seat))) {
      none = none * (kCertain - odds_[static_cast<std::size_t>(card)]) / kCertain;
    }
    return kCertain - none;
  }

  CardSet& lacks(int seat) { return lacks_.at(static_cast<std::size_t>(seat)); }

  const TrumpOrder& order_;
  const schmier::v1::Trick& trick_;
  int seat_;
  int partner_;
  CardSet unseen_;
  std::array<CardSet, kSeats> lacks_;             // by seat: cards it cannot hold
  std::array<std::int64_t, kCards + 1> odds_{};  // by unseen card
};

}  // namespace

int RuleBased::call(const Decision& decision) {
  const Numbers& bids = decision.call().bids();  // the pass, then every bid above the highest
  const int suit = best_trump(decision.holding());
  const bool is_enough = expected_points(decision.holding(), suit) >= bids.Get(1) * kPoint;
  return is_enough ? bids.Get(1) : bids.Get(0);
}

int RuleBased::trump(const Decision& decision) { return best_trump(decision.holding()); }

std::vector<int> RuleBased::discards(const Decision& decision) {
  const auto& question = decision.discard();
  std::vector<int> cards;
  add_lowest(question.side_cards(), question.max_count() - question.trump_count(), cards);
  add_lowest(question.trump_cards(), question.trump_count(), cards);
  return cards;
}

int RuleBased::play(const Decision& decision) {
  const Play play(decision);
  const Numbers& cards = decision.play().cards();
  int best = cards.Get(0);
  std::int64_t most = play.value(best);
  for (int i = 1; i < cards.size(); ++i) {
    if (const std::int64_t value = play.value(cards.Get(i)); value > most) {
      best = cards.Get(i);
      most = value;
    }
  }
  return best;
}

}  // namespace bot
