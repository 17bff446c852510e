#pragma once

#include "strategy.hpp"

namespace bot {

// A sensible player: it counts what its hand is worth, and weighs each card by what it may win.
class RuleBased : public Strategy {
 public:
  int call(const Decision& decision) override;
  int trump(const Decision& decision) override;
  std::vector<int> discards(const Decision& decision) override;
  int play(const Decision& decision) override;
};

}  // namespace bot
