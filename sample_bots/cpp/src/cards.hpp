// Cards as numbers and as sets, and what a trump suit makes of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>

namespace bot {

// Cards are 1 to 53 as in the protocol: clubs two to ace, then diamonds, hearts, spades, the joker.
inline constexpr int kJoker = 53;
inline constexpr int kCards = 53;
inline constexpr int kSeats = 6;

// The rank of a card, from 0 for the two to 12 for the ace.
constexpr int rank_of(int card) { return (card - 1) % 13; }

// The 81 points that decide who gets the point for game.
constexpr int card_points(int card) {
  constexpr std::array<int, 13> by_rank{0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4};
  return card == kJoker ? 1 : by_rank[static_cast<std::size_t>(rank_of(card))];
}

// A set of cards, one bit for each. A loop over it goes upwards.
class CardSet {
 public:
  constexpr CardSet() = default;
  constexpr CardSet(std::initializer_list<int> cards) {
    for (int card : cards) add(card);
  }

  constexpr void add(int card) { bits_ |= bit(card); }
  constexpr bool has(int card) const { return (bits_ & bit(card)) != 0; }

  friend constexpr CardSet operator|(CardSet a, CardSet b) { return CardSet(a.bits_ | b.bits_); }
  friend constexpr CardSet operator&(CardSet a, CardSet b) { return CardSet(a.bits_ & b.bits_); }
  friend constexpr CardSet operator-(CardSet a, CardSet b) { return CardSet(a.bits_ & ~b.bits_); }

  class Iterator {
   public:
    constexpr explicit Iterator(std::uint64_t bits) : bits_(bits) {}
    constexpr int operator*() const { return std::countr_zero(bits_); }
    constexpr Iterator& operator++() {
      bits_ &= bits_ - 1;
      return *this;
    }
    constexpr bool operator==(const Iterator&) const = default;

   private:
    std::uint64_t bits_;
  };
  constexpr Iterator begin() const { return Iterator(bits_); }
  constexpr Iterator end() const { return Iterator(0); }

 private:
  constexpr explicit CardSet(std::uint64_t bits) : bits_(bits) {}
  static constexpr std::uint64_t bit(int card) { return std::uint64_t{1} << (card & 63); }

  std::uint64_t bits_ = 0;
};

// The cards under one trump suit.
class TrumpOrder {
 public:
  explicit TrumpOrder(int suit);

  // The two highest jacks: the one of the suit, and the one of the other suit of its colour, which
  // is a trump too.
  int right() const { return right_; }
  int left() const { return left_; }

  // All 15 trumps: the suit, the left bauer and the joker.
  CardSet trumps() const { return trumps_; }

  // A trump's place among the trumps, from 0 for the ace to 14 for the joker.
  int place(int trump) const { return place_.at(static_cast<std::size_t>(trump)); }

  // The cards that follow the card led: its suit, where bauers and joker are trumps.
  CardSet followers(int led) const { return followers_.at(static_cast<std::size_t>(led)); }

  // What a card is worth in a trick: the strongest wins, 0 cannot win.
  int strength(int led, int card) const {
    if (trumps_.has(card)) return 28 - place(card);
    return followers(led).has(card) ? 1 + rank_of(card) : 0;
  }

 private:
  int right_;
  int left_;
  CardSet trumps_;
  std::array<int, kCards + 1> place_{};
  std::array<CardSet, kCards + 1> followers_;
};

// The order of a trump suit, 1 to 4: clubs, diamonds, hearts, spades.
const TrumpOrder& trump_order(int suit);

}  // namespace bot
