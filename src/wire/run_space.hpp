#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "schedule/schedule.hpp"
#include "wire/run.hpp"
#include "wire/side.hpp"

namespace rondo::internal {

// One side's data where the caller has it, as the send or the receive space of a schedule whose messages are copied by
// the ranks themselves: the schedule counts bytes as if the blocks were packed, and each copy is made run of bytes by
// run of bytes. It takes the place of an image (wire/image.hpp), and saves the copy to it or from it.
class RunSpace {
 public:
  explicit RunSpace(const Side &side);

  void move_to(std::byte *buffer) { buffer_ = buffer; }

  // Whether the runs of a side's data are known, and so long that another rank of the node had better copy them from
  // where they lie.
  static bool has_long_runs(const Side &side);
  // Whether a schedule can use this side's data in this space: the runs are known, and long or few enough to be copied
  // one by one; and no message of MPI lies in the space but by way of staging. Others must not attach the space either,
  // which the schedule does not tell (SharedLayout::others_read).
  static bool serves(const Schedule &schedule, Space space, const Side &side);

  // Calls visit(extent) for each run that makes up a slice, in their order; the offset is from the buffer.
  template <class Visit>
  void for_each_run(const Slice &slice, Visit &&visit) const;
  // Adds these runs; those that lie side by side are one.
  void resolve(const Slice &slice, Home home, std::vector<Run> &runs) const;

 private:
  // What MPI would send as so many elements of a type.
  struct Elements {
    std::int64_t offset;  // in the space
    std::int64_t bytes;
    std::int64_t first;  // in the buffer
    std::int32_t type;
  };
  struct Element {
    std::int64_t bytes;  // of data
    std::int64_t extent;
    TypeRuns runs;  // null for a dense type
  };

  // `bytes` counts from the first byte of the elements' data.
  template <class Visit>
  void for_each_run(const Elements &elements, const Extent &bytes, Visit &&visit) const;

  std::byte *buffer_;
  std::vector<Element> types_;
  std::vector<Elements> parts_;  // by offset
};

template <class Visit>
void RunSpace::for_each_run(const Slice &slice, Visit &&visit) const {
  if (slice.length == 0) return;
  auto part =
      std::prev(std::upper_bound(parts_.begin(), parts_.end(), slice.offset,
                                 [](std::int64_t offset, const Elements &placed) { return offset < placed.offset; }));
  for (std::int64_t at = slice.offset; at < slice.end(); ++part) {
    const std::int64_t end = std::min(slice.end(), part->offset + part->bytes);
    for_each_run(*part, {at - part->offset, end - at}, visit);
    at = end;
  }
}

template <class Visit>
void RunSpace::for_each_run(const Elements &elements, const Extent &bytes, Visit &&visit) const {
  const Element &type = types_[elements.type];
  if (type.runs == nullptr) return visit(Extent{elements.first + bytes.offset, bytes.length});
  std::int64_t element = elements.first + bytes.offset / type.bytes * type.extent;
  std::int64_t skipped = bytes.offset % type.bytes;
  for (std::int64_t left = bytes.length; left > 0; element += type.extent) {
    for (auto run = type.runs->begin(); run != type.runs->end() && left > 0; ++run) {
      const std::int64_t length = std::min(std::max<std::int64_t>(0, run->length - skipped), left);
      if (length > 0) visit(Extent{element + run->offset + skipped, length});
      left -= length;
      skipped = std::max<std::int64_t>(0, skipped - run->length);
    }
  }
}

}  // namespace rondo::internal
