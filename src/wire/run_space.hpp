#pragma once

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

  void move_to(std::byte *buffer);

  // Whether a schedule can use this side's data in this space: the runs are known, and long or few enough to be
  // copied one by one; and no message of MPI lies in the space but by way of staging. Others must not read the space
  // either, which the schedule does not tell (SharedLayout::others_read).
  static bool serves(const Schedule &schedule, Space space, const Side &side);

  // Adds the runs that make up a slice, in their order.
  void resolve(const Slice &slice, Home home, std::vector<Run> &runs) const;

 private:
  // What MPI would send as so many elements of a type.
  struct Elements {
    std::int64_t offset;  // in the space
    std::int64_t bytes;
    std::byte *first;
    std::int32_t type;
  };
  struct Element {
    std::int64_t bytes;  // of data
    std::int64_t extent;
    TypeRuns runs;  // null for a dense type
  };

  void add(const Elements &elements, Extent bytes, Home home, std::vector<Run> &runs) const;

  std::byte *buffer_;
  std::vector<Element> types_;
  std::vector<Elements> parts_;  // by offset
};

}  // namespace rondo::internal
