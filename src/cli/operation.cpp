#include "cli/operation.hpp"

#include <fmt/format.h>
#include <mpi_functions.h>

#include <algorithm>

#include "cli/arguments.hpp"
#include "cli/exchanges.hpp"
#include "cli/gather_comm.hpp"
#include "cli/graph_comm.hpp"
#include "cli/hash.hpp"
#include "cli/memory.hpp"
#include "cli/mpi_session.hpp"
#include "cli/random_types.hpp"

namespace rondo::internal::cli {

namespace {

class BytesMemory final : public OperationMemory {
 public:
  explicit BytesMemory(const Exchange &exchange) : exchange_(exchange), memory_(exchange) {}

  void prepare(int round) override { memory_.prepare(round); }
  [[nodiscard]] Spaces spaces() override { return memory_.spaces(); }
  [[nodiscard]] std::string fault() const override { return memory_.fault(); }
  [[nodiscard]] std::vector<Extent> sent() const override { return exchange_.send; }

 private:
  const Exchange &exchange_;
  RankMemory memory_;
};

// Of an exchange in bytes.
class InBytes : public Operation {
 public:
  InBytes(const Problem &problem, MPI_Comm comm)
      : Operation(comm), exchange_(exchange_of(problem, BlockSizes(problem), rank_in(comm))) {}

  [[nodiscard]] std::unique_ptr<OperationMemory> memory() const override {
    return std::make_unique<BytesMemory>(exchange_);
  }

 protected:
  [[nodiscard]] const Exchange &exchange() const { return exchange_; }

 private:
  Exchange exchange_;
};

class Alltoall final : public InBytes {
 public:
  Alltoall(const Problem &problem, MPI_Comm comm)
      : InBytes(problem, comm), count_(static_cast<int>(exchange().send.front().length)) {}

  [[nodiscard]] std::string_view name() const override { return operation_name(Problem::Call::alltoall); }
  void call(const Spaces &to) const override {
    MPI_Alltoall(to.send, count_, MPI_BYTE, to.receive, count_, MPI_BYTE, comm());
  }
  void call_reference(const Spaces &to) const override {
    PMPI_Alltoall(to.send, count_, MPI_BYTE, to.receive, count_, MPI_BYTE, comm());
  }
  void start(const Spaces &to, MPI_Request *request) const override {
    MPI_Ialltoall(to.send, count_, MPI_BYTE, to.receive, count_, MPI_BYTE, comm(), request);
  }
#if defined(RONDO_MPI_PERSISTENT)
  bool init(const Spaces &to, MPI_Request *request) const override {
    RONDO_MPI_PERSISTENT(Alltoall_init)
    (to.send, count_, MPI_BYTE, to.receive, count_, MPI_BYTE, comm(), MPI_INFO_NULL, request);
    return true;
  }
#endif
  int plan(const Spaces &to, MPI_Info info, RONDO_Request *request) const override {
    return RONDO_Alltoall_init(to.send, count_, MPI_BYTE, to.receive, count_, MPI_BYTE, comm(), info, request);
  }

 private:
  int count_;
};

class Alltoallv final : public InBytes {
 public:
  Alltoallv(const Problem &problem, MPI_Comm comm) : InBytes(problem, comm), a_(arguments_of(exchange())) {}

  [[nodiscard]] std::string_view name() const override { return operation_name(Problem::Call::alltoallv); }
  void call(const Spaces &to) const override {
    MPI_Alltoallv(to.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, to.receive,
                  a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, comm());
  }
  void call_reference(const Spaces &to) const override {
    PMPI_Alltoallv(to.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, to.receive,
                   a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, comm());
  }
  void start(const Spaces &to, MPI_Request *request) const override {
    MPI_Ialltoallv(to.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, to.receive,
                   a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, comm(), request);
  }
#if defined(RONDO_MPI_PERSISTENT)
  bool init(const Spaces &to, MPI_Request *request) const override {
    RONDO_MPI_PERSISTENT(Alltoallv_init)
    (to.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, to.receive, a_.receive_counts.data(),
     a_.receive_displacements.data(), MPI_BYTE, comm(), MPI_INFO_NULL, request);
    return true;
  }
#endif
  int plan(const Spaces &to, MPI_Info info, RONDO_Request *request) const override {
    return RONDO_Alltoallv_init(to.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, to.receive,
                                a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, comm(), info,
                                request);
  }

 private:
  Arguments a_;
};

class NeighborAlltoallv final : public InBytes {
 public:
  NeighborAlltoallv(const Problem &problem, MPI_Comm comm) : InBytes(problem, comm), of_call_(exchange(), comm) {}

  [[nodiscard]] std::string_view name() const override { return operation_name(Problem::Call::neighbor_alltoallv); }
  void call(const Spaces &to) const override {
    const Arguments &a = of_call_.arguments();
    MPI_Neighbor_alltoallv(to.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, to.receive,
                           a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, of_call_.get());
  }
  void call_reference(const Spaces &to) const override {
    const Arguments &a = of_call_.arguments();
    PMPI_Neighbor_alltoallv(to.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, to.receive,
                            a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, of_call_.get());
  }
  void start(const Spaces &to, MPI_Request *request) const override {
    const Arguments &a = of_call_.arguments();
    MPI_Ineighbor_alltoallv(to.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, to.receive,
                            a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, of_call_.get(), request);
  }
#if defined(RONDO_MPI_PERSISTENT)
  bool init(const Spaces &to, MPI_Request *request) const override {
    const Arguments &a = of_call_.arguments();
    RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init)
    (to.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, to.receive, a.receive_counts.data(),
     a.receive_displacements.data(), MPI_BYTE, of_call_.get(), MPI_INFO_NULL, request);
    return true;
  }
#endif
  int plan(const Spaces &to, MPI_Info info, RONDO_Request *request) const override {
    const Arguments &a = of_call_.arguments();
    return RONDO_Neighbor_alltoallv_init(to.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE,
                                         to.receive, a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE,
                                         of_call_.get(), info, request);
  }

 private:
  GraphComm of_call_;
};

class Allgatherv final : public InBytes {
 public:
  Allgatherv(const Problem &problem, MPI_Comm comm)
      : InBytes(problem, comm),
        of_call_(problem, exchange(), comm),
        offset_(of_call_.arguments().send_displacements.front()),
        length_(of_call_.arguments().send_counts.front()) {}

  [[nodiscard]] std::string_view name() const override { return operation_name(Problem::Call::allgatherv); }
  void call(const Spaces &to) const override {
    MPI_Allgatherv(to.send + offset_, length_, MPI_BYTE, to.receive, counts(), displacements(), MPI_BYTE,
                   of_call_.get());
  }
  // On one rank MPICH 4.0 takes no notice of the displacement (docs/problems.md): it is given the place itself.
  void call_reference(const Spaces &to) const override {
    const bool alone = of_call_.arguments().receive_counts.size() == 1;
    constexpr int nowhere = 0;
    PMPI_Allgatherv(to.send + offset_, length_, MPI_BYTE, to.receive + (alone ? displacements()[0] : 0), counts(),
                    alone ? &nowhere : displacements(), MPI_BYTE, of_call_.get());
  }
  void start(const Spaces &to, MPI_Request *request) const override {
    MPI_Iallgatherv(to.send + offset_, length_, MPI_BYTE, to.receive, counts(), displacements(), MPI_BYTE,
                    of_call_.get(), request);
  }
#if defined(RONDO_MPI_PERSISTENT)
  bool init(const Spaces &to, MPI_Request *request) const override {
    RONDO_MPI_PERSISTENT(Allgatherv_init)
    (to.send + offset_, length_, MPI_BYTE, to.receive, counts(), displacements(), MPI_BYTE, of_call_.get(),
     MPI_INFO_NULL, request);
    return true;
  }
#endif
  int plan(const Spaces &to, MPI_Info info, RONDO_Request *request) const override {
    return RONDO_Allgatherv_init(to.send + offset_, length_, MPI_BYTE, to.receive, counts(), displacements(), MPI_BYTE,
                                 of_call_.get(), info, request);
  }

 private:
  [[nodiscard]] const int *counts() const { return of_call_.arguments().receive_counts.data(); }
  [[nodiscard]] const int *displacements() const { return of_call_.arguments().receive_displacements.data(); }

  GatherComm of_call_;
  int offset_;
  int length_;
};

// An exchange of blocks with datatypes of their own, at both ends.
class Alltoallw final : public Operation {
 public:
  Alltoallw(const Problem &problem, MPI_Comm comm)
      : Operation(comm),
        seed_(hash(problem.seed, static_cast<std::uint64_t>(rank_in(comm)))),
        send_(problem, BlockSizes(problem), rank_in(comm), TypedSide::End::send),
        receive_(problem, BlockSizes(problem), rank_in(comm), TypedSide::End::receive) {}

  [[nodiscard]] std::string_view name() const override { return operation_name(Problem::Call::alltoallw); }
  [[nodiscard]] std::unique_ptr<OperationMemory> memory() const override { return std::make_unique<Memory>(*this); }
  void call(const Spaces &to) const override {
    MPI_Alltoallw(to.send, send_.counts(), send_.displacements(), send_.types(), to.receive, receive_.counts(),
                  receive_.displacements(), receive_.types(), comm());
  }
  // On Open MPI 4.1, which copies blocks of two datatypes to oneself wrongly (docs/problems.md), the same messages one
  // by one.
  void call_reference(const Spaces &to) const override {
#if defined(OPEN_MPI)
    int ranks = 0;
    MPI_Comm_size(comm(), &ranks);
    std::vector<MPI_Request> requests;
    for (int peer = 0; peer < ranks; ++peer) {
      PMPI_Irecv(to.receive + receive_.displacements()[peer], receive_.counts()[peer], receive_.types()[peer], peer, 0,
                 comm(), &requests.emplace_back());
    }
    for (int peer = 0; peer < ranks; ++peer) {
      PMPI_Isend(to.send + send_.displacements()[peer], send_.counts()[peer], send_.types()[peer], peer, 0, comm(),
                 &requests.emplace_back());
    }
    PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
#else
    PMPI_Alltoallw(to.send, send_.counts(), send_.displacements(), send_.types(), to.receive, receive_.counts(),
                   receive_.displacements(), receive_.types(), comm());
#endif
  }
  void start(const Spaces &to, MPI_Request *request) const override {
    MPI_Ialltoallw(to.send, send_.counts(), send_.displacements(), send_.types(), to.receive, receive_.counts(),
                   receive_.displacements(), receive_.types(), comm(), request);
  }
#if defined(RONDO_MPI_PERSISTENT)
  bool init(const Spaces &to, MPI_Request *request) const override {
    RONDO_MPI_PERSISTENT(Alltoallw_init)
    (to.send, send_.counts(), send_.displacements(), send_.types(), to.receive, receive_.counts(),
     receive_.displacements(), receive_.types(), comm(), MPI_INFO_NULL, request);
    return true;
  }
#endif
  int plan(const Spaces &to, MPI_Info info, RONDO_Request *request) const override {
    return RONDO_Alltoallw_init(to.send, send_.counts(), send_.displacements(), send_.types(), to.receive,
                                receive_.counts(), receive_.displacements(), receive_.types(), comm(), info, request);
  }

 private:
  // What must arrive is what the reference brings.
  class Memory final : public OperationMemory {
   public:
    explicit Memory(const Alltoallw &of) : of_(of), from_(of.send_.bytes()), to_(of.receive_.bytes()) {}

    void prepare(int round) override {
      const std::uint64_t key = hash(of_.seed_, static_cast<std::uint64_t>(round));
      fill(from_, key);
      fill(to_, ~key);
      sent_ = from_;
      expected_ = to_;
      of_.call_reference({.send = from_.data(), .receive = expected_.data()});
    }
    [[nodiscard]] Spaces spaces() override { return {.send = from_.data(), .receive = to_.data()}; }
    [[nodiscard]] std::string fault() const override {
      if (from_ != sent_) return "the send buffer has changed";
      const auto [mine, its] = std::mismatch(to_.begin(), to_.end(), expected_.begin());
      if (mine == to_.end()) return "";
      return fmt::format("rank {}: byte {} is {}, MPI makes it {}", rank_in(of_.comm()), mine - to_.begin(),
                         std::to_integer<int>(*mine), std::to_integer<int>(*its));
    }
    [[nodiscard]] std::vector<Extent> sent() const override {
      return {{.offset = 0, .length = static_cast<std::int64_t>(from_.size())}};
    }

   private:
    static void fill(std::vector<std::byte> &bytes, std::uint64_t key) {
      for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(hash(key, i));
    }

    const Alltoallw &of_;
    std::vector<std::byte> from_;
    std::vector<std::byte> sent_;  // what from_ must still be afterwards
    std::vector<std::byte> to_;
    std::vector<std::byte> expected_;  // what to_ must be afterwards
  };

  std::uint64_t seed_;
  TypedSide send_;
  TypedSide receive_;
};

}  // namespace

std::string_view operation_name(Problem::Call call) {
  switch (call) {
    case Problem::Call::alltoall: return "Alltoall";
    case Problem::Call::alltoallw: return "Alltoallw";
    case Problem::Call::allgatherv: return "Allgatherv";
    case Problem::Call::neighbor_alltoallv: return "Neighbor_alltoallv";
    case Problem::Call::alltoallv:
    case Problem::Call::alltoallv_varying: break;
  }
  return "Alltoallv";
}

std::unique_ptr<Operation> make_operation(const Problem &problem, MPI_Comm comm) {
  switch (problem.call) {
    case Problem::Call::alltoall: return std::make_unique<Alltoall>(problem, comm);
    case Problem::Call::alltoallw: return std::make_unique<Alltoallw>(problem, comm);
    case Problem::Call::allgatherv: return std::make_unique<Allgatherv>(problem, comm);
    case Problem::Call::neighbor_alltoallv: return std::make_unique<NeighborAlltoallv>(problem, comm);
    case Problem::Call::alltoallv:
    case Problem::Call::alltoallv_varying: break;
  }
  return std::make_unique<Alltoallv>(problem, comm);
}

}  // namespace rondo::internal::cli
