#include "cli/contender.hpp"

#include <fmt/format.h>
#include <mpi_functions.h>

#include <algorithm>

#include "cli/per_call.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

class Blocking : public Contender {
 public:
  Blocking(const Arguments &arguments, const Spaces &spaces) : a_(arguments), spaces_(spaces) {}

  void run() override {
    MPI_Alltoallv(spaces_.send, a_.send_counts.data(), a_.send_displacements.data(), MPI_BYTE, spaces_.receive,
                  a_.receive_counts.data(), a_.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }

 private:
  const Arguments &a_;
  Spaces spaces_;
};

// MPI_Alltoallv_init, where the MPI library has it.
#if defined(RONDO_MPI_PERSISTENT)
class Persistent final : public PersistentContender {
 public:
  Persistent(const Arguments &a, const Spaces &spaces) : send_(const_cast<std::byte *>(spaces.send)) {
    RONDO_MPI_PERSISTENT(Alltoallv_init)
    (spaces.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, spaces.receive, a.receive_counts.data(),
     a.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &request_);
  }
  ~Persistent() override { MPI_Request_free(&request_); }
  Persistent(const Persistent &) = delete;
  Persistent &operator=(const Persistent &) = delete;

  void start() override { MPI_Start(&request_); }
  void test() override {
    int flag = 0;
    MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
  }
  void wait() override {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): knows no MPI_Start
  }
  [[nodiscard]] std::byte *send_buffer() const override { return send_; }

 private:
  std::byte *send_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};
#endif

std::unique_ptr<Contender> make_persistent([[maybe_unused]] const Arguments &arguments,
                                           [[maybe_unused]] const Spaces &spaces,
                                           [[maybe_unused]] std::string &refused) {
#if defined(RONDO_MPI_PERSISTENT)
  return std::make_unique<Persistent>(arguments, spaces);
#else
  refused = "this MPI library has no persistent collective operations";
  return nullptr;
#endif
}

// The blocks that counts and displacements name, from one buffer to another.
void copy_blocks(const std::byte *from, std::byte *to, const std::vector<int> &counts,
                 const std::vector<int> &displacements) {
  for (std::size_t peer = 0; peer < counts.size(); ++peer) {
    std::copy_n(from + displacements[peer], counts[peer], to + displacements[peer]);
  }
}

class RondoContender final : public PersistentContender {
 public:
  RondoContender(const ContenderSpec &spec, const Problem &problem, const Arguments &arguments, const Spaces &spaces)
      : arguments_(arguments),
        plan_buffers_(spec.wishes.plan_buffers),
        plan_(problem, arguments, spaces, spec.wishes) {}

  void load(const Spaces &spaces) override {
    if (!plan_buffers_) return;
    copy_blocks(spaces.send, plan_.send_buffer(), arguments_.send_counts, arguments_.send_displacements);
  }
  void unload(const Spaces &spaces) override {
    if (!plan_buffers_) return;
    copy_blocks(plan_.receive_buffer(), spaces.receive, arguments_.receive_counts, arguments_.receive_displacements);
  }

  void start() override { check(plan_.start()); }
  void test() override {
    int flag = 0;
    check(RONDO_Test(&plan_.request(), &flag, MPI_STATUS_IGNORE));
  }
  void wait() override { check(plan_.wait()); }
  [[nodiscard]] std::byte *send_buffer() const override { return plan_.send_buffer(); }
  [[nodiscard]] RONDO_Report report() const override { return plan_.report(); }
  [[nodiscard]] const std::string &refusal() const { return plan_.message(); }

 private:
  static void check(int code) {
    if (code != MPI_SUCCESS) throw Error(Fault::mpi, error_text(code));
  }

  const Arguments &arguments_;
  bool plan_buffers_;
  RondoPlan plan_;
};

std::unique_ptr<Contender> make_per_call(const Problem &problem, const Exchange &exchange, const Spaces &spaces,
                                         std::string &refused) {
  const Selection selection = select(problem, case_of(problem));
  refused = selection.obstacle;
  if (refused.empty() && selection.algorithm->route == nullptr) refused = "it makes no datatypes";
  return refused.empty() ? std::make_unique<PerCall>(problem, selection, exchange, spaces) : nullptr;
}

}  // namespace

std::unique_ptr<Contender> make_contender(const ContenderSpec &spec, const Problem &problem, const Exchange &exchange,
                                          const Arguments &arguments, const Spaces &spaces, std::string &refused) {
  if (spec.kind == ContenderSpec::Kind::mpi_blocking) return std::make_unique<Blocking>(arguments, spaces);
  if (spec.kind == ContenderSpec::Kind::mpi_persistent) return make_persistent(arguments, spaces, refused);
  Problem wished = problem;
  wished.algorithm = spec.algorithm;
  wished.parameters = spec.parameters;
  wished.wire = spec.wire;
  if (spec.each_call) return make_per_call(wished, exchange, spaces, refused);
  auto contender = std::make_unique<RondoContender>(spec, wished, arguments, spaces);
  refused = contender->refusal();
  return refused.empty() ? std::move(contender) : nullptr;
}

}  // namespace rondo::internal::cli
