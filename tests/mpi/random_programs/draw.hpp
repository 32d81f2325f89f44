#pragma once

// Drawing at random, the same on every machine for the same seed.

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace rondo::random_programs {

// One number out of several, as if drawn: a pure function, for what all ranks must know without a table.
constexpr std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}
template <class... More>
constexpr std::uint64_t mixed(std::uint64_t first, std::uint64_t second, More... more) {
  return mixed(mixed(first) ^ second, static_cast<std::uint64_t>(more)...);
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(mixed(seed)) {}

  std::uint64_t number() { return engine_(); }
  int below(int end) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(end)); }
  // Both ends included.
  int between(int first, int last) { return first + below(last - first + 1); }
  bool one_in(int times) { return below(times) == 0; }

  template <class Item>
  Item pick(std::span<const Item> items) {
    return items[static_cast<std::size_t>(below(static_cast<int>(items.size())))];
  }
  template <class Item, std::size_t N>
  Item pick(const Item (&items)[N]) {
    return items[static_cast<std::size_t>(below(static_cast<int>(N)))];
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
