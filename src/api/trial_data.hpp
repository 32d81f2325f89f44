#pragma once

// What plans that are only made to be timed send and receive.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/init.hpp"
#include "varying/raw_memory.hpp"

namespace rondo::internal {

// Memory of its own in the place of the caller's buffers, laid out as these, and data by which a wrong exchange is
// known from a right one: every byte that a rank sends says which rank that is, and for whom it is.
class TrialData {
 public:
  TrialData(const Arguments &given, int rank, MPI_Comm packing);

  // The bytes that so many plans of these arguments may take, with all their memory, and this.
  static std::int64_t bytes_for(const Arguments &given, std::int64_t plans);

  // The call's arguments with this memory; buffers that the plan allocates stay so.
  [[nodiscard]] const Arguments &arguments() const { return arguments_; }

  // Before an exchange that is checked: writes what is sent, and what should be overwritten. The buffers are the
  // plan's. Both may take memory for elements with gaps.
  void prepare(std::byte *send, std::byte *receive) const;
  // After it: whether what is received is what the ranks have sent.
  [[nodiscard]] bool is_right(std::byte *receive) const;

  // Writes a byte in each cache line of what is sent, as programs send new data in each exchange: a line that another
  // core has read must be fetched back for that.
  void renew(std::byte *send) const;

 private:
  // Whether each block is for one rank.
  [[nodiscard]] bool by_destination() const { return arguments_.kind->blocks == Numbered::by_destination; }

  Arguments arguments_;
  int rank_;
  MPI_Comm packing_;
  RawMemory send_{};
  RawMemory receive_{};
  std::vector<Extent> runs_{};  // that are sent, from the buffer on
};

}  // namespace rondo::internal
