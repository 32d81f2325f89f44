// SPDX-License-Identifier: BSD-3-Clause
#include "transpose.hpp"

#include <array>

#include "shared/on_root.hpp"

namespace fft {
namespace {

class MpiTranspose : public Transpose {
 public:
  MpiTranspose(const Side &x, const Side &y, Arrays arrays, MPI_Comm comm)
      : x_(x), y_(y), arrays_(arrays), comm_(comm) {}
  Arrays arrays() const override { return arrays_; }
  void forward() override { exchange(x_, arrays_.x, y_, arrays_.y); }
  void backward() override { exchange(y_, arrays_.y, x_, arrays_.x); }
  std::string algorithm() const override { return {}; }

 private:
  void exchange(const Side &from, const Element *send, const Side &to, Element *receive) {
    MPI_Alltoallw(send, from.counts().data(), from.displacements().data(), from.types().data(), receive,
                  to.counts().data(), to.displacements().data(), to.types().data(), comm_);
  }

  const Side &x_;
  const Side &y_;
  Arrays arrays_;
  MPI_Comm comm_;
};

// Each array is the send buffer that one of the plans has allocated, so that other ranks of the node copy from there to
// where they want it; the other plan receives in it.
class RondoTranspose : public Transpose {
 public:
  RondoTranspose(rondo::Request forward, rondo::Request backward)
      : forward_(std::move(forward)), backward_(std::move(backward)) {}
  Arrays arrays() const override { return {forward_.send_buffer<Element>(), backward_.send_buffer<Element>()}; }
  void forward() override { forward_.run(); }
  void backward() override { backward_.run(); }
  std::string algorithm() const override { return forward_.report().algorithm; }

 private:
  rondo::Request forward_;
  rondo::Request backward_;
};

// Of data in memory of the plan.
rondo::Request make_plan(const Side &from, const Side &to, Element *receive, MPI_Comm comm, const rondo::Hints &hints) {
  const std::vector<MPI_Count> sent(from.counts().begin(), from.counts().end());
  const std::vector<MPI_Count> received(to.counts().begin(), to.counts().end());
  const std::vector<MPI_Aint> displacements(sent.size());
  return rondo::alltoallw_init({RONDO_PLAN_BUFFER, sent, displacements, from.types()},
                               {receive, received, displacements, to.types()}, comm, hints);
}

}  // namespace

void Side::add(const Grid &slab, const Grid &part, const Grid &first) {
  const bool empty = elements(part) == 0;  // MPI has no empty subarray
  MPI_Datatype type = MPI_CXX_DOUBLE_COMPLEX;
  if (!empty) {
    const std::array sizes = {slab.x, slab.y, slab.z};
    const std::array subsizes = {part.x, part.y, part.z};
    const std::array starts = {first.x, first.y, first.z};
    MPI_Type_create_subarray(3, sizes.data(), subsizes.data(), starts.data(), MPI_ORDER_C, MPI_CXX_DOUBLE_COMPLEX,
                             &type);
    MPI_Type_commit(&type);
  }
  types_.push_back(type);
  counts_.push_back(empty ? 0 : 1);
  displacements_.push_back(0);
}

Side Side::of_x(const Problem &problem, int rank) {
  Side side;
  const auto &[grid, x_block, y_block, x, y] = problem;
  for (std::size_t peer = 0; peer < y.sizes.size(); ++peer)
    side.add({x.sizes[rank], grid.y, grid.z}, {x.sizes[rank], y.sizes[peer], grid.z}, {0, y.firsts[peer], 0});
  return side;
}

Side Side::of_y(const Problem &problem, int rank) {
  Side side;
  const auto &[grid, x_block, y_block, x, y] = problem;
  for (std::size_t peer = 0; peer < x.sizes.size(); ++peer)
    side.add({grid.x, y.sizes[rank], grid.z}, {x.sizes[peer], y.sizes[rank], grid.z}, {x.firsts[peer], 0, 0});
  return side;
}

Side::~Side() {
  for (std::size_t peer = 0; peer < types_.size(); ++peer)
    if (counts_[peer] > 0) MPI_Type_free(&types_[peer]);
}

std::unique_ptr<Transpose> mpi_transpose(const Side &x, const Side &y, Arrays arrays, MPI_Comm comm) {
  return std::make_unique<MpiTranspose>(x, y, arrays, comm);
}

std::unique_ptr<Transpose> rondo_transpose(const Problem &problem, int rank, const Side &x, const Side &y,
                                           MPI_Comm comm, const rondo::Hints &hints) {
  try {
    const Elements until_rebound = allocate(slab_of_y(problem, rank));
    auto forward = make_plan(x, y, until_rebound.get(), comm, hints);
    auto backward = make_plan(y, x, forward.send_buffer<Element>(), comm, hints);
    forward.rebind(RONDO_PLAN_BUFFER, backward.send_buffer<Element>());
    return std::make_unique<RondoTranspose>(std::move(forward), std::move(backward));
  } catch (const rondo::Error &fault) {
    // Every rank of an init throws, or none.
    throw example::CollectiveError(fault.what());
  }
}

}  // namespace fft
