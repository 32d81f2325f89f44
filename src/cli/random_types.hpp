#pragma once

// An exchange as the arguments of MPI_Alltoallw, with a datatype drawn at random for each block and each end of it.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cli/block_sizes.hpp"

namespace rondo::internal::cli {

class TypedSide {
 public:
  enum class End : std::uint8_t { send, receive };

  // This rank's blocks of the problem. The types are its own, and freed with it.
  TypedSide(const Problem &problem, const BlockSizes &sizes, int rank, End end);
  ~TypedSide();
  TypedSide(const TypedSide &) = delete;
  TypedSide &operator=(const TypedSide &) = delete;

  [[nodiscard]] const int *counts() const { return counts_.data(); }
  [[nodiscard]] const int *displacements() const { return displacements_.data(); }  // bytes
  [[nodiscard]] const MPI_Datatype *types() const { return types_.data(); }
  // Room for all blocks, and some bytes before, between and after them.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void add(std::int64_t bytes, End end, std::uint64_t draw);

  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<MPI_Datatype> types_;
  std::size_t bytes_ = 64;
};

}  // namespace rondo::internal::cli
