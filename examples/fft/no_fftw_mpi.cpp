// SPDX-License-Identifier: BSD-3-Clause
#include "contender.hpp"

namespace fft {

std::unique_ptr<Contender> make_fftw_mpi(const Problem & /*problem*/, MPI_Comm /*comm*/) {
  return nullptr;
}

}  // namespace fft
