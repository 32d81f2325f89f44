#include "wire/shared_table.hpp"

#include <fmt/format.h>

#include <cstring>

#include "exchange/error.hpp"

namespace rondo {

namespace {

template <class Item>
std::int64_t bytes_of(const std::vector<Item> &items) {
  return static_cast<std::int64_t>(items.size() * sizeof(Item));
}

template <class Item>
std::byte *put(std::byte *to, const std::vector<Item> &items) {
  if (!items.empty()) std::memcpy(to, items.data(), items.size() * sizeof(Item));
  return to + bytes_of(items);
}

template <class Item>
const std::byte *take(const std::byte *from, std::int64_t count, std::vector<Item> &items) {
  items.resize(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(items.data(), from, items.size() * sizeof(Item));
  return from + bytes_of(items);
}

}  // namespace

std::int64_t SharedTable::bytes() const {
  return bytes_of(receives) + bytes_of(pulled_sends) + bytes_of(pieces) + bytes_of(full);
}

void SharedTable::write(std::byte *to, AreaHead &head) const {
  head.receives = static_cast<std::int64_t>(receives.size());
  head.pulled_sends = static_cast<std::int64_t>(pulled_sends.size());
  head.pieces = static_cast<std::int64_t>(pieces.size());
  head.steps = static_cast<std::int64_t>(full.size());
  put(put(put(put(to, receives), pulled_sends), pieces), full);
}

SharedTable SharedTable::read(const std::byte *from, const AreaHead &head) {
  SharedTable table;
  from = take(from, head.receives, table.receives);
  from = take(from, head.pulled_sends, table.pulled_sends);
  from = take(from, head.pieces, table.pieces);
  take(from, head.steps, table.full);
  return table;
}

EndIndex::EndIndex(std::span<const SharedEnd> ends) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> seen;
  for (const SharedEnd &end : ends) ends_[{end.step, end.peer, seen[{end.step, end.peer}]++}] = &end;
}

const SharedEnd &EndIndex::find(int step, int peer, int k) const {
  const auto found = ends_.find({step, peer, k});
  if (found == ends_.end()) {
    throw Error(Fault::internal, fmt::format("step {}: rank {} has no shared message {} for this rank", step, peer, k));
  }
  return *found->second;
}

}  // namespace rondo
