#include "wire/shared_table.hpp"

#include <cstring>

namespace rondo::internal {

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
const std::byte *look_at(const std::byte *from, std::int64_t count, std::span<const Item> &items) {
  items = {reinterpret_cast<const Item *>(from), static_cast<std::size_t>(count)};
  return from + items.size_bytes();
}

}  // namespace

std::int64_t SharedTable::bytes() const {
  return bytes_of(receives) + bytes_of(sends) + bytes_of(pieces) + bytes_of(full);
}

void SharedTable::write(std::byte *to, AreaHead &head) const {
  head.receives = static_cast<std::int64_t>(receives.size());
  head.sends = static_cast<std::int64_t>(sends.size());
  head.pieces = static_cast<std::int64_t>(pieces.size());
  head.steps = static_cast<std::int64_t>(full.size());
  put(put(put(put(to, receives), sends), pieces), full);
}

WrittenTable::WrittenTable(const std::byte *from, const AreaHead &head) {
  from = look_at(from, head.receives, receives);
  from = look_at(from, head.sends, sends);
  from = look_at(from, head.pieces, pieces);
  look_at(from, head.steps, full);
}

}  // namespace rondo::internal
