#pragma once

#include <vector>

#include "wire/channel.hpp"
#include "wire/packing.hpp"
#include "wire/side.hpp"
#include "wire/storage.hpp"

namespace rondo::internal {

// A packed copy of one side's data, which stands in for the user's buffer as the send or the receive space where
// a block is not one run of bytes, or where the buffer is both (MPI_IN_PLACE). Filled before an exchange, or
// emptied after it, run of bytes by run of bytes; where the runs of a type are not known, with MPI's own packing, which
// takes several times as long (docs/performance.md).
class Image {
 public:
  Image(Side side, Channel channel);

  void move_to(void *buffer) { side_.buffer = buffer; }
  // Whether pack() and unpack() call MPI.
  [[nodiscard]] bool calls_mpi() const;
  void pack() const;
  void unpack() const;
  [[nodiscard]] const std::vector<Extent> &extents() const { return extents_; }
  [[nodiscard]] std::byte *data() const { return storage_.data(); }
  [[nodiscard]] std::int64_t bytes() const { return extents_.empty() ? 0 : extents_.back().end(); }

 private:
  [[nodiscard]] TypedElements elements(const Part &part) const;

  Side side_;
  Channel channel_;
  std::vector<HeldType> types_;  // as the side's
  std::vector<Extent> extents_;
  Storage storage_;
};

}  // namespace rondo::internal
