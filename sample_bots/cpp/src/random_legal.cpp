// A bot that chooses at random, but calls with care: it passes three calls in four and bids no more
// than it must. Six bots that bid anything at random hardly ever finish a game.
#include "random_legal.hpp"

#include <cstdint>
#include <utility>

namespace bot {
namespace {

using Numbers = google::protobuf::RepeatedField<int>;

// A small generator (SplitMix64), seeded by the decision alone.
class Random {
 public:
  explicit Random(const Decision& decision)
      : state_(static_cast<std::uint64_t>(decision.random_seed())) {}

  // A number from 0 to count - 1.
  int below(int count) {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
    return static_cast<int>(((z >> 32) * static_cast<std::uint64_t>(count)) >> 32);
  }

  int choice(const Numbers& numbers) { return numbers.Get(below(numbers.size())); }

  // Appends `count` different ones of the cards.
  void sample(Numbers cards, int count, std::vector<int>& chosen) {
    for (int i = 0; i < count; ++i) {
      std::swap(cards[i], cards[i + below(cards.size() - i)]);
      chosen.push_back(cards[i]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace

int RandomLegal::call(const Decision& decision) {
  const Numbers& bids = decision.call().bids();  // the pass, then the lowest bid
  return bids.Get(Random(decision).below(4) == 0 ? 1 : 0);
}

int RandomLegal::trump(const Decision& decision) {
  return Random(decision).choice(decision.trump().suits());
}

std::vector<int> RandomLegal::discards(const Decision& decision) {
  const auto& question = decision.discard();
  Random random(decision);
  const int more = random.below(question.max_count() - question.min_count() + 1);
  std::vector<int> cards;
  random.sample(question.side_cards(), question.min_count() + more - question.trump_count(), cards);
  random.sample(question.trump_cards(), question.trump_count(), cards);
  return cards;
}

int RandomLegal::play(const Decision& decision) {
  return Random(decision).choice(decision.play().cards());
}

}  // namespace bot
