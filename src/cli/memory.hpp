#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "schedule/run.hpp"

namespace rondo::internal::cli {

// The three spaces of one rank while an exchange is tried. Guard bytes lie before, between and after blocks;
// prepare() writes a round's data, and fault() says whether the exchange has done its work and nothing else.
class RankMemory {
 public:
  explicit RankMemory(const Exchange &exchange, std::int64_t scratch_bytes = 0);

  // New data in the send space; the receive space and scratch hold guard bytes only.
  void prepare(int round);

  [[nodiscard]] Spaces spaces();

  // Empty when the receive space holds what the round should bring, and everything else is as it was; else the
  // first byte that is wrong, and whose it is.
  [[nodiscard]] std::string fault() const;

  // The receive space, guard bytes included.
  [[nodiscard]] std::span<const std::byte> received() const { return receive_; }

 private:
  const Exchange &exchange_;
  int round_ = 0;
  std::vector<std::byte> send_;
  std::vector<std::byte> sent_;  // what send_ must still be afterwards
  std::vector<std::byte> receive_;
  std::vector<std::byte> expected_;  // what receive_ must be afterwards
  std::vector<std::byte> scratch_;
};

}  // namespace rondo::internal::cli
