#pragma once

// How the data of an exchange is cut whose blocks are segments, such as an all-gather.
//
// Each rank has one run of bytes for all that receive from it. Before there is a route, by sizes that every rank knows,
// it is cut into segments; they are the blocks that the route moves. Each has a carrier: the rank through which it
// comes to those that receive it, the first of them to have it. So a route, which knows no sizes, can still balance
// them.

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::internal {

struct CutSegment {
  std::int64_t offset = 0;  // bytes from the start of its source's data
  std::int64_t length = 0;
  int carrier = 0;
};

class Cut {
 public:
  // The segments of one source after the other, from rank 0 on.
  void begin_source() { first_.push_back(segments_.size()); }
  void add(const CutSegment &segment) { segments_.push_back(segment); }

  [[nodiscard]] int sources() const { return static_cast<int>(first_.size()); }
  [[nodiscard]] std::span<const CutSegment> of(int source) const {
    const auto index = static_cast<std::size_t>(source);
    const std::size_t last = index + 1 < first_.size() ? first_[index + 1] : segments_.size();
    return std::span(segments_).subspan(first_[index], last - first_[index]);
  }

 private:
  std::vector<std::size_t> first_;  // of each source in segments_
  std::vector<CutSegment> segments_;
};

}  // namespace rondo::internal
