// From slabs of x to slabs of y and back: who sends what to whom never changes, so that each direction is one plan.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_TRANSPOSE_HPP
#define FFT_TRANSPOSE_HPP

#include <mpi.h>

#include <memory>
#include <rondo/rondo.hpp>
#include <string>
#include <vector>

#include "field.hpp"
#include "grid.hpp"

namespace fft {

// The part of one rank's slab that is exchanged with each rank, as a datatype that says where it lies. The array of
// the slab has its elements in the order of the grid, so that nothing is packed before or moved behind the exchange
// (Dalcin, Mortensen, Keyes: Fast parallel multidimensional FFT using advanced MPI, 2019).
class Side {
 public:
  // A slab of x, cut along y; a slab of y, cut along x.
  [[nodiscard]] static Side of_x(const Problem &problem, int rank);
  [[nodiscard]] static Side of_y(const Problem &problem, int rank);
  Side(Side &&) noexcept = default;
  Side &operator=(Side &&) = delete;
  ~Side();

  [[nodiscard]] const std::vector<MPI_Datatype> &types() const { return types_; }
  [[nodiscard]] const std::vector<int> &counts() const { return counts_; }
  [[nodiscard]] const std::vector<int> &displacements() const { return displacements_; }  // none: the types have them

 private:
  Side() = default;
  void add(const Grid &slab, const Grid &part, const Grid &first);

  std::vector<MPI_Datatype> types_;
  std::vector<int> counts_;  // 1, or 0 where the part is empty
  std::vector<int> displacements_;
};

// A rank's slabs of x and of y.
struct Arrays {
  Element *x;
  Element *y;
};

// What moves the data between two arrays.
class Transpose {
 public:
  virtual ~Transpose() = default;
  [[nodiscard]] virtual Arrays arrays() const = 0;
  virtual void forward() = 0;                               // x to y
  virtual void backward() = 0;                              // y to x
  [[nodiscard]] virtual std::string algorithm() const = 0;  // empty where that is the MPI library's matter
};

// By MPI_Alltoallv, with a copy before or behind it that makes one piece of what is sent to a rank. The problem
// outlives it.
[[nodiscard]] std::unique_ptr<Transpose> packed_transpose(const Problem &problem, int rank, Arrays arrays,
                                                          MPI_Comm comm);
// By MPI_Alltoallw. The sides outlive it.
[[nodiscard]] std::unique_ptr<Transpose> mpi_transpose(const Side &x, const Side &y, Arrays arrays, MPI_Comm comm);
// By two plans of Rondo, which have allocated the arrays. Collective. Throws CollectiveError where Rondo refuses the
// hints.
[[nodiscard]] std::unique_ptr<Transpose> rondo_transpose(const Problem &problem, int rank, const Side &x, const Side &y,
                                                         MPI_Comm comm, const rondo::Hints &hints);

}  // namespace fft

#endif
