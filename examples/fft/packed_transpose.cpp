// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "transpose.hpp"

namespace fft {
namespace {

// What a call needs to know of one side.
struct Counts {
  std::vector<int> counts;
  std::vector<int> displacements;

  void add(int count) {
    displacements.push_back(counts.empty() ? 0 : displacements.back() + counts.back());
    counts.push_back(count);
  }
};

// In a slab of y what comes from one rank lies together; in a slab of x it does not.
class PackedTranspose : public Transpose {
 public:
  PackedTranspose(const Problem &problem, int rank, Arrays arrays, MPI_Comm comm)
      : problem_(problem), x_planes_(problem.x.sizes[rank]), arrays_(arrays), comm_(comm) {
    for (std::size_t peer = 0; peer < problem.x.sizes.size(); ++peer) {
      x_.add(x_planes_ * problem.y.sizes[peer] * problem.grid.z);
      y_.add(problem.x.sizes[peer] * problem.y.sizes[rank] * problem.grid.z);
    }
    packed_ = allocate(slab_of_x(problem, rank));
  }

  Arrays arrays() const override { return arrays_; }
  void forward() override {
    visit_rows([](Element *row, Element *packed, std::ptrdiff_t size) { std::copy_n(row, size, packed); });
    MPI_Alltoallv(packed_.get(), x_.counts.data(), x_.displacements.data(), MPI_CXX_DOUBLE_COMPLEX, arrays_.y,
                  y_.counts.data(), y_.displacements.data(), MPI_CXX_DOUBLE_COMPLEX, comm_);
  }
  void backward() override {
    MPI_Alltoallv(arrays_.y, y_.counts.data(), y_.displacements.data(), MPI_CXX_DOUBLE_COMPLEX, packed_.get(),
                  x_.counts.data(), x_.displacements.data(), MPI_CXX_DOUBLE_COMPLEX, comm_);
    visit_rows([](Element *row, Element *packed, std::ptrdiff_t size) { std::copy_n(packed, size, row); });
  }
  std::string algorithm() const override { return {}; }

 private:
  // Each rank's rows of each plane of x, which lie together there, and their places among what is packed.
  template <class Visitor>
  void visit_rows(Visitor &&visit) {
    const auto &[sizes, firsts] = problem_.y;
    const std::ptrdiff_t row = problem_.grid.z;
    const std::ptrdiff_t plane = problem_.grid.y * row;
    Element *packed = packed_.get();
    for (std::size_t peer = 0; peer < sizes.size(); ++peer)
      for (std::ptrdiff_t x = 0; x < x_planes_; ++x) {
        visit(arrays_.x + x * plane + firsts[peer] * row, packed, sizes[peer] * row);
        packed += sizes[peer] * row;
      }
  }

  const Problem &problem_;
  int x_planes_;
  Arrays arrays_;
  MPI_Comm comm_;
  Counts x_;
  Counts y_;
  Elements packed_;
};

}  // namespace

std::unique_ptr<Transpose> packed_transpose(const Problem &problem, int rank, Arrays arrays, MPI_Comm comm) {
  return std::make_unique<PackedTranspose>(problem, rank, arrays, comm);
}

}  // namespace fft
