#pragma once

#include "strategy.hpp"

namespace bot {

// Random choices, the same for the same decision.
class RandomLegal : public Strategy {
 public:
  int call(const Decision& decision) override;
  int trump(const Decision& decision) override;
  std::vector<int> discards(const Decision& decision) override;
  int play(const Decision& decision) override;
};

}  // namespace bot
