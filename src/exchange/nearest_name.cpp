#include "exchange/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace rondo::internal {

namespace {

// How many characters must be put in, left out or replaced to make one word of the other (Levenshtein's distance).
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);  // from the characters of `from` so far to each beginning of `to`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char character : from) {
    std::size_t diagonal = row[0]++;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::size_t replaced = diagonal + (character == to[i] ? 0 : 1);
      diagonal = row[i + 1];
      row[i + 1] = std::min({replaced, row[i] + 1, row[i + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 64;  // what is longer is no misspelt name
  if (word.size() > longest) return {};
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t far = distance(word, name);
    if (far >= least || far >= std::max(word.size(), name.size()) / 2 + 1) continue;
    least = far;
    nearest = name;
  }
  return nearest.empty() ? std::string() : " (did you mean '" + std::string(nearest) + "'?)";
}

}  // namespace rondo::internal
