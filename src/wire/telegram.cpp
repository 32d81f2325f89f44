#include "wire/telegram.hpp"

#include <cstring>
#include <utility>

namespace rondo::internal {

Telegram Telegram::of(const Error &error, int found_by) {
  const int rank = error.rank >= 0 ? error.rank : found_by;
  Telegram telegram{
      static_cast<std::int64_t>(error.fault), rank, found_by, error.peer, error.value, error.other, 0, {}};
  std::strncpy(telegram.text, error.what(), sizeof(telegram.text) - 1);
  return telegram;
}

Error Telegram::error() const {
  Error error = Error::of(static_cast<Fault>(fault), [&] { return text; })
                    .with_peer(static_cast<int>(peer))
                    .with_values(value, other);
  error.rank = static_cast<int>(rank);
  return error;
}

}  // namespace rondo::internal
