// The conversation with the referee. You need not change it to write a bot.
#pragma once

#include <optional>
#include <string>

#include "schmier/v1/referee_service.pb.h"
#include "strategy.hpp"

namespace bot {

// How a conversation ended: the goodbye if there was one, and whether it had begun at all.
struct Ended {
  bool welcomed = false;
  std::optional<schmier::v1::Goodbye> goodbye;
  std::string details;
};

// Says hello and answers decisions until the referee says goodbye or is gone. Throws
// std::runtime_error for a question this program does not know, and what the strategy throws.
Ended converse(Strategy& strategy, const schmier::v1::Hello& hello, const std::string& target);

}  // namespace bot
