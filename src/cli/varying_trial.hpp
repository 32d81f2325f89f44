#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/exchanges.hpp"
#include "cli/selection.hpp"
#include "varying/varying_exchange.hpp"

namespace rondo::internal::cli {

// The send space of one rank in one start of a problem whose sizes vary, and what is wrong with what it has received.
class StartMemory {
 public:
  StartMemory(const Problem &problem, int rank, int start);

  [[nodiscard]] const Exchange &exchange() const { return exchange_; }
  [[nodiscard]] const std::byte *send() const { return send_.data(); }
  // By destination.
  [[nodiscard]] std::vector<BlockData> blocks() const;
  // `bytes` and `offsets` by source; blocks must lie in rank order, one after the other. Empty where nothing is wrong,
  // with the send space, too.
  [[nodiscard]] std::string fault(const std::byte *data, std::span<const std::int64_t> bytes,
                                  std::span<const std::int64_t> offsets) const;

 private:
  int start_;
  Exchange exchange_;
  std::vector<std::byte> send_;
  std::vector<std::byte> sent_;  // what send_ must still be
};

// Runs a problem whose sizes vary with all ranks in this process, so many starts with new sizes and data each time,
// once with lengths at the head of the data and once in messages of their own. The first fault; empty where there is
// none.
std::string varying_fault(const Problem &problem, const Selection &selection, int starts);

}  // namespace rondo::internal::cli
