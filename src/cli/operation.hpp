#pragma once

#include <mpi.h>

#include <memory>
#include <rondo/rondo.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/problem.hpp"
#include "exchange/exchange.hpp"
#include "schedule/run.hpp"

namespace rondo::internal::cli {

// The buffers of one rank while an operation is tried.
class OperationMemory {
 public:
  virtual ~OperationMemory() = default;

  // Collective. A round's data in the send buffer, others in each round and on each rank.
  virtual void prepare(int round) = 0;
  [[nodiscard]] virtual Spaces spaces() = 0;
  // Empty when everything holds what it should after the operation; else what is wrong first.
  [[nodiscard]] virtual std::string fault() const = 0;
  // Where data lies in the send buffer.
  [[nodiscard]] virtual std::vector<Extent> sent() const = 0;
};

// A collective operation of MPI as a problem describes it: this rank's arguments and the communicator. Buffers come
// with each call. Making and ending it, and every call, is collective over the ranks of the problem.
class Operation {
 public:
  virtual ~Operation() = default;

  // The ranks of the problem, in order.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

  // As in MPI_<name>: Alltoallv.
  [[nodiscard]] virtual std::string_view name() const = 0;
  // To be freed before the operation.
  [[nodiscard]] virtual std::unique_ptr<OperationMemory> memory() const = 0;

  // By MPI_<name>.
  virtual void call(const Spaces &spaces) const = 0;
  // By PMPI_<name>, below whatever stands between a program and the MPI library; by other calls where the library's own
  // is known to be wrong.
  virtual void call_reference(const Spaces &spaces) const = 0;
  // MPI_I<name>, to be waited for.
  virtual void start(const Spaces &spaces, MPI_Request *request) const = 0;
  // MPI_<name>_init. False where this MPI library has no persistent collective operations.
  virtual bool init([[maybe_unused]] const Spaces &spaces, [[maybe_unused]] MPI_Request *request) const {
    return false;
  }
  // RONDO_<name>_init.
  virtual int plan(const Spaces &spaces, MPI_Info info, RONDO_Request *request) const = 0;

 protected:
  explicit Operation(MPI_Comm comm) : comm_(comm) {}

 private:
  MPI_Comm comm_;
};

// The name of the operation of a problem: Alltoallv.
std::string_view operation_name(Problem::Call call);

// Collective over the communicator, which has as many ranks as the problem, whose displacements fit in an int. Not for
// problems whose sizes vary.
std::unique_ptr<Operation> make_operation(const Problem &problem, MPI_Comm comm = MPI_COMM_WORLD);

}  // namespace rondo::internal::cli
