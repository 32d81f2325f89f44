#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rondo::internal::cli {

// The block sizes of one exchange that a program has made, from a file: for each rank, in order, one line with as many
// numbers as there are ranks, the bytes that it sends to each. Blanks or commas lie between numbers; what follows a #
// on its line is a comment.
struct Trace {
  int ranks = 0;
  std::int64_t largest = 0;
  std::vector<std::int64_t> bytes;  // of source s to destination d at s * ranks + d

  [[nodiscard]] std::int64_t operator()(int source, int destination) const {
    return bytes[static_cast<std::size_t>(source) * static_cast<std::size_t>(ranks) +
                 static_cast<std::size_t>(destination)];
  }
};

// Reads the file; throws UsageError, which names the file and the line.
std::shared_ptr<const Trace> read_trace(const std::string &path);

}  // namespace rondo::internal::cli
