#pragma once

#include <cstdint>

#include "exchange/error.hpp"

namespace rondo::internal {

// A fault as it travels between ranks.
struct Telegram {
  std::int64_t fault;
  std::int64_t rank;      // which it is of
  std::int64_t found_by;  // the rank that brought it to the agreement
  std::int64_t peer;
  std::int64_t value;
  std::int64_t other;
  std::int64_t ends_agreements;  // a rank has not come: its node can agree on nothing more
  char text[952];

  // Of the rank that found it, unless it says of another.
  static Telegram of(const Error &error, int found_by);
  [[nodiscard]] Error error() const;
};

}  // namespace rondo::internal
