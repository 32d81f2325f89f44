#include "wire/node_tables.hpp"

#include <algorithm>
#include <utility>

namespace rondo::internal {

NodeTables::NodeTables(std::vector<std::int64_t> areas, std::vector<std::uint8_t> full, std::size_t group)
    : areas_(std::move(areas)), full_(std::move(full)) {
  peers_.reserve(group);
  ends_.reserve(2 * group);
  pieces_.reserve(group);
}

void NodeTables::add(const AreaHead &head, const std::byte *table, int self) {
  const WrittenTable written(table, head);
  peers_.push_back(
      {head.offsets, head.reads_once != 0, keep(written.receives, written, self), keep(written.sends, written, self)});
  for (std::size_t step = 0; step < full_.size(); ++step) full_[step] &= written.full[step];
}

Range NodeTables::keep(std::span<const SharedEnd> ends, const WrittenTable &of, int self) {
  const std::size_t first = ends_.size();
  for (const SharedEnd &end : ends) {
    if (end.peer != self) continue;
    const auto pieces = of.pieces_of(end);
    ends_.push_back(end);
    ends_.back().first_piece = static_cast<std::int64_t>(pieces_.size());
    pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
  }
  return since(first, ends_);
}

}  // namespace rondo::internal
