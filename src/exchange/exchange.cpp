#include "exchange/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "exchange/error.hpp"

namespace rondo {

namespace {

Error overlap(const Exchange &exchange, int first, int second) {
  const Extent &a = exchange.receive[static_cast<std::size_t>(first)];
  const Extent &b = exchange.receive[static_cast<std::size_t>(second)];
  return Error(Fault::overlap,
               fmt::format("receive ranges overlap: bytes {}..{} from rank {} and bytes {}..{} from rank {}", a.offset,
                           a.end(), first, b.offset, b.end(), second))
      .with_peer(first)
      .with_values(b.offset, second);
}

}  // namespace

void check_overlap(const Exchange &exchange) {
  std::vector<int> order;
  for (int source = 0; source < exchange.ranks(); ++source) {
    if (exchange.receive[static_cast<std::size_t>(source)].length > 0) order.push_back(source);
  }
  const auto offset = [&](int source) { return exchange.receive[static_cast<std::size_t>(source)].offset; };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return offset(a) < offset(b); });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (exchange.receive[static_cast<std::size_t>(order[i - 1])].end() > offset(order[i])) {
      throw overlap(exchange, order[i - 1], order[i]);
    }
  }
}

std::int64_t checked_add(std::int64_t a, std::int64_t b, const char *what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    throw Error(Fault::count, fmt::format("{} does not fit in 64 bits: {} + {}", what, a, b)).with_values(a, b);
  }
  return result;
}

std::int64_t checked_multiply(std::int64_t a, std::int64_t b, const char *what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    throw Error(Fault::count, fmt::format("{} does not fit in 64 bits: {} * {}", what, a, b)).with_values(a, b);
  }
  return result;
}

std::string to_string(const Exchange &exchange) {
  std::string text = fmt::format("rank {} of {}\n", exchange.rank, exchange.ranks());
  for (int peer = 0; peer < exchange.ranks(); ++peer) {
    const Extent &out = exchange.send[static_cast<std::size_t>(peer)];
    const Extent &in = exchange.receive[static_cast<std::size_t>(peer)];
    text += fmt::format("  rank {:>4}: sends {} bytes at {}, receives {} bytes at {}\n", peer, out.length, out.offset,
                        in.length, in.offset);
  }
  return text;
}

}  // namespace rondo
