#include "wire/node_access.hpp"

#include <array>

namespace rondo::internal {

// The ranks say which regions they use, too: all choose the same one then.
void BoardAccess::gather(std::int64_t mine, std::span<std::int64_t> all) {
  const std::array<std::int64_t, 2> told{mine, static_cast<std::int64_t>(duplicate_.segment().used_regions())};
  duplicate_.agreement().show_node(told);
  const Board &board = *duplicate_.agreement().board();
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = board.figures(static_cast<int>(i))[0];
  free_regions_ = ~board.any_bits(1);
}

void BoardAccess::barrier() {
  duplicate_.agreement().show_node({});
}

}  // namespace rondo::internal
