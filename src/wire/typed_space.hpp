#pragma once

#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "wire/pieces.hpp"
#include "wire/side.hpp"

namespace rondo::internal {

// One side's data where the caller has it, as the send or the receive space of the datatype wire: the schedule counts
// bytes as if the blocks were packed, and messages are made of the caller's own elements. It takes the place of an
// image (wire/image.hpp) in a schedule in which no copy touches the space and no message has a part of a block only.
class TypedSpace {
 public:
  explicit TypedSpace(const Side &side);

  void move_to(std::byte *buffer);

  // Whether a schedule can use this side's data in this space without an image: no copy touches the space, no message
  // in it is staged, and no slice begins or ends inside a block.
  static bool serves(const Schedule &schedule, Space space, const Side &side);

  // Adds the elements that make up a slice. Throws Error (internal) when the slice begins or ends inside a block.
  void resolve(const Slice &slice, std::vector<TypedPiece> &pieces) const;

 private:
  struct Placed {
    std::int64_t offset;  // in the space
    std::int64_t bytes;
    TypedPiece piece;
  };

  std::byte *buffer_;
  std::vector<HeldType> types_;
  std::vector<Placed> parts_;  // by offset
};

}  // namespace rondo::internal
