#pragma once

// Drawing at random, the same on every machine for the same seed.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

namespace rondo::random_programs {

// One number out of several, as if drawn: a pure function, for what all ranks must know without a table.
constexpr std::uint64_t mixed_one(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}
template <class... Numbers>
constexpr std::uint64_t mixed(Numbers... numbers) {
  std::uint64_t state = 0;
  ((state = mixed_one(state ^ static_cast<std::uint64_t>(numbers))), ...);
  return state;
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(mixed(seed)) {}

  std::uint64_t number() { return engine_(); }
  int below(int end) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(end)); }
  // Both ends included.
  int between(int first, int last) { return first + below(last - first + 1); }
  bool one_in(int times) { return below(times) == 0; }

  template <class Items>
  auto pick(const Items &items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(std::size(items))))];
  }
  template <class Item>
  Item pick(std::initializer_list<Item> items) {
    return *(items.begin() + below(static_cast<int>(items.size())));
  }

  template <class Item>
  void shuffle(std::vector<Item> &items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    }
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace rondo::random_programs
