#pragma once

// The shapes that block sizes can have, as a problem names them; block_sizes.hpp draws sizes from them.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/trace.hpp"

namespace rondo::internal::cli {

struct Distribution {
  enum class Kind : std::uint8_t {
    uniform,
    window,
    normal,
    normal_ranks,
    powerlaw,
    constant,
    sparse,
    empty,
    one_heavy,
    hot_receivers,
    by_group,
    arithmetic,
    fft,
    trace
  };

  Kind kind = Kind::uniform;
  // window: R in percent; powerlaw: the base; sparse: peers; hot_receivers: how many; by_group: how many times as much
  // the first half sends; fft: 1 or 2; normal_ranks: the mean, in ranks, 0 where not said
  double argument = 0;
  double deviation = 0;                     // normal_ranks: in ranks; 0 where not said
  std::string path = {};                    // trace: the file
  std::shared_ptr<const Trace> sizes = {};  // trace: what stands in it

  // True where all blocks have the same size, whatever the largest size is.
  [[nodiscard]] bool uniform_sizes() const { return kind == Kind::constant || kind == Kind::empty; }
  // Why so many ranks cannot have it; empty where they can.
  [[nodiscard]] std::string obstacle(int ranks) const;

  friend bool operator==(const Distribution &one, const Distribution &other) {
    return one.kind == other.kind && one.argument == other.argument && one.deviation == other.deviation &&
           one.path == other.path;
  }
};

// Reads `constant`, `window:50` and so on; nothing when the text is none of them. The file of a trace is read, too, and
// UsageError says what is wrong with it.
std::optional<Distribution> parse_distribution(std::string_view text);

std::string to_string(const Distribution &distribution);

// What parse_distribution takes, for people.
std::string known_distributions();

}  // namespace rondo::internal::cli
