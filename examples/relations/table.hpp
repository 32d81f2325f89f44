// A relation on one rank: words, and a value for each, in an open-addressed table.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_TABLE_HPP
#define RELATIONS_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include "relations/hash.hpp"
#include "relations/huge_pages.hpp"

namespace relations {

// The value of a relation whose words are all there is.
struct NoValue {};

template <class Value = NoValue>
class Table {
 public:
  struct Found {
    Value &value;  // until the next add
    bool added;
  };

  // The value of this word, which is added with a Value{} unless it is there. Any word but ~0.
  Found add(std::uint64_t word) {
    if (4 * size_ >= 3 * slots_.size()) grow();
    Slot &slot = place_of(word);
    const bool added = slot.word == kNone;
    if (added) {
      slot.word = word;
      ++size_;
    }
    return {slot.value, added};
  }

  // Fetches what add(word) will look at, since a table is larger than the caches; for visit_fetched().
  void prefetch(std::uint64_t word) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash(word) & mask_], 1);
  }

  [[nodiscard]] bool contains(std::uint64_t word) const { return size_ > 0 && slots_[index_of(word)].word == word; }
  // The value of a word that is there.
  [[nodiscard]] const Value &at(std::uint64_t word) const { return slots_[index_of(word)].value; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // Calls visit(word, value) for all.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot &slot : slots_)
      if (slot.word != kNone) visit(slot.word, slot.value);
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t word = kNone;
    [[no_unique_address]] Value value{};
  };

  // Where the word is, or is to be. The next slots are in the same line, mostly.
  [[nodiscard]] std::size_t index_of(std::uint64_t word) const {
    std::size_t index = hash(word) & mask_;
    while (slots_[index].word != word && slots_[index].word != kNone) index = (index + 1) & mask_;
    return index;
  }
  Slot &place_of(std::uint64_t word) { return slots_[index_of(word)]; }

  void grow() {
    const auto old = std::exchange(slots_, LargeVector<Slot>(slots_.empty() ? 1024 : 2 * slots_.size()));
    mask_ = slots_.size() - 1;
    for (const Slot &slot : old)
      if (slot.word != kNone) place_of(slot.word) = slot;
  }

  LargeVector<Slot> slots_;  // a power of two of them, at most three quarters in use
  std::size_t mask_ = 0;
  std::size_t size_ = 0;
};

// Visits the tuples in order, each some time after the table has been told to fetch its word.
template <class Value, class Tuples, class WordOf, class Visit>
void visit_fetched(const Table<Value> &table, const Tuples &tuples, WordOf word_of, Visit visit) {
  constexpr std::size_t ahead = 16;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    if (i + ahead < tuples.size()) table.prefetch(word_of(tuples[i + ahead]));
    visit(tuples[i]);
  }
}

}  // namespace relations

#endif
