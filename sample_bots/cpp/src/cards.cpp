#include "cards.hpp"

namespace bot {
namespace {

constexpr int kSuits = 4;
constexpr int kJackRank = 9;

constexpr int card_of(int suit, int rank) { return 13 * (suit - 1) + rank + 1; }

constexpr int suit_of(int card) { return (card - 1) / 13 + 1; }

}  // namespace

TrumpOrder::TrumpOrder(int suit)
    // Clubs and spades, 1 and 4, are black; diamonds and hearts, 2 and 3, are red.
    : right_(card_of(suit, kJackRank)), left_(card_of(kSuits + 1 - suit, kJackRank)) {
  int places = 0;
  const auto next = [&](int card) {
    trumps_.add(card);
    place_.at(static_cast<std::size_t>(card)) = places++;
  };
  for (int rank = 12; rank > kJackRank; --rank) next(card_of(suit, rank));  // ace, king, queen
  next(right_);
  next(left_);
  for (int rank = kJackRank - 1; rank >= 0; --rank) next(card_of(suit, rank));  // ten to two
  next(kJoker);

  for (int led = 1; led <= kCards; ++led) {
    CardSet& follow = followers_.at(static_cast<std::size_t>(led));
    if (trumps_.has(led)) {
      follow = trumps_;
    } else {
      for (int rank = 0; rank < 13; ++rank) follow.add(card_of(suit_of(led), rank));
      follow = follow - trumps_;
    }
  }
}

const TrumpOrder& trump_order(int suit) {
  static const std::array<TrumpOrder, kSuits> orders{TrumpOrder(1), TrumpOrder(2), TrumpOrder(3),
                                                     TrumpOrder(4)};
  return orders.at(static_cast<std::size_t>(suit - 1));
}

}  // namespace bot
