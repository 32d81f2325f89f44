// SPDX-License-Identifier: BSD-3-Clause
#include "shared/on_root.hpp"

#include <iostream>
#include <new>
#include <string>

namespace example {
namespace {

std::string fault_of(const std::function<void()> &work) {
  try {
    work();
    return {};
  } catch (const std::bad_alloc &) {
    return "not enough memory on rank 0";
  } catch (const std::exception &fault) {
    return fault.what();
  }
}

}  // namespace

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

void on_root(MPI_Comm comm, const std::function<void()> &work) {
  std::string fault = rank_in(comm) == 0 ? fault_of(work) : "";
  int length = static_cast<int>(fault.size());
  MPI_Bcast(&length, 1, MPI_INT, 0, comm);
  if (length == 0) return;
  fault.resize(static_cast<std::size_t>(length));
  MPI_Bcast(fault.data(), length, MPI_CHAR, 0, comm);
  throw CollectiveError(fault);
}

int status_of(const char *program, MPI_Comm comm, const std::function<void()> &work) {
  try {
    work();
    return 0;
  } catch (const CollectiveError &fault) {
    if (rank_in(comm) == 0) std::cerr << program << ": " << fault.what() << std::endl;
    return 1;
  } catch (const std::exception &fault) {
    std::cerr << program << ": rank " << rank_in(comm) << ": " << fault.what() << std::endl;
    return MPI_Abort(comm, 1);
  }
}

}  // namespace example
