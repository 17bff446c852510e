// What a bot has to decide. Your own strategy is a class with these four functions: change
// rule_based.cpp, or write another like random_legal.cpp and name it in main.cpp.
#pragma once

#include <vector>

#include "schmier/v1/decision.pb.h"

namespace bot {

using schmier::v1::Decision;

// A decision holds all that its seat may know, and every legal choice in ascending order; its
// fields are described in decision.proto. Cards, bids, suits and seats are plain numbers. An answer
// should depend on the decision alone: then a tournament can be repeated.
class Strategy {
 public:
  virtual ~Strategy() = default;

  // Bid or pass: one of decision.call().bids().
  virtual int call(const Decision& decision) = 0;

  // Name trumps: one of decision.trump().suits().
  virtual int trump(const Decision& decision) = 0;

  // Put cards away: trump_count() of decision.discard().trump_cards(), and of its side_cards() so
  // many that it is min_count() to max_count() cards in all.
  virtual std::vector<int> discards(const Decision& decision) = 0;

  // Play a card: one of decision.play().cards().
  virtual int play(const Decision& decision) = 0;
};

}  // namespace bot
