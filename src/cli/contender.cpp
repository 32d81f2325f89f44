#include "cli/contender.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/arguments.hpp"
#include "cli/exchanges.hpp"
#include "cli/mpi_session.hpp"
#include "cli/per_call.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

class Blocking : public Contender {
 public:
  Blocking(const Operation &operation, const Spaces &spaces) : operation_(operation), spaces_(spaces) {}

  void run() override { operation_.call(spaces_); }
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }

 private:
  const Operation &operation_;
  Spaces spaces_;
};

// A request of the MPI library's.
class Requested : public SplitContender {
 public:
  explicit Requested(const Spaces &spaces) : spaces_(spaces) {}

  void test() override {
    int flag = 0;
    MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
  }
  void wait() override {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): knows no MPI_Start
  }
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }

 protected:
  [[nodiscard]] const Spaces &spaces() const { return spaces_; }
  [[nodiscard]] MPI_Request *request() { return &request_; }

 private:
  Spaces spaces_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class Nonblocking final : public Requested {
 public:
  Nonblocking(const Operation &operation, const Spaces &spaces) : Requested(spaces), operation_(operation) {}

  void start() override { operation_.start(spaces(), request()); }

 private:
  const Operation &operation_;
};

class Persistent final : public Requested {
 public:
  Persistent(const Operation &operation, const Spaces &spaces)
      : Requested(spaces), exists_(operation.init(spaces, request())) {}
  ~Persistent() override {
    if (exists_) MPI_Request_free(request());
  }
  Persistent(const Persistent &) = delete;
  Persistent &operator=(const Persistent &) = delete;

  [[nodiscard]] std::string refusal() const {
    return exists_ ? "" : "this MPI library has no persistent collective operations";
  }
  void start() override { MPI_Start(request()); }

 private:
  bool exists_;
};

void check(int code) {
  if (code != MPI_SUCCESS) throw Error(Fault::mpi, error_text(code));
}

Exchange exchange_of_this_rank(const Problem &problem, const Operation &operation) {
  return exchange_of(problem, BlockSizes(problem), rank_in(operation.comm()));
}

class Planned final : public SplitContender {
 public:
  Planned(const ContenderSpec &spec, const Problem &problem, const Operation &operation, const Spaces &spaces)
      : plan_(operation, problem, spaces, spec.wishes) {
    if (spec.wishes.plan_buffers) in_plan_buffers_ = exchange_of_this_rank(problem, operation);
  }

  void load(const Spaces &spaces) override {
    if (in_plan_buffers_) copy(in_plan_buffers_->send, spaces.send, plan_.send_buffer());
  }
  void unload(const Spaces &spaces) override {
    if (in_plan_buffers_) copy(in_plan_buffers_->receive, plan_.receive_buffer(), spaces.receive);
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
  static void copy(std::span<const Extent> blocks, const std::byte *from, std::byte *to) {
    for (const Extent &block : blocks) std::copy_n(from + block.offset, block.length, to + block.offset);
  }

  RondoPlan plan_;
  std::optional<Exchange> in_plan_buffers_;  // what lies in these, if the plan has allocated them
};

// A plan that is made, run once and freed in every exchange.
class WholeCall final : public Contender {
 public:
  WholeCall(ContenderSpec spec, Problem problem, const Operation &operation, const Spaces &spaces)
      : spec_(std::move(spec)), problem_(std::move(problem)), operation_(operation), spaces_(spaces) {
    const RondoPlan plan(operation_, problem_, spaces_, spec_.wishes);
    refusal_ = plan.message();
    report_ = plan.report();
  }

  void run() override {
    RondoPlan plan(operation_, problem_, spaces_, spec_.wishes);
    check(plan.code());
    check(plan.run());
  }
  [[nodiscard]] std::byte *send_buffer() const override { return const_cast<std::byte *>(spaces_.send); }
  [[nodiscard]] RONDO_Report report() const override { return report_; }
  [[nodiscard]] const std::string &refusal() const { return refusal_; }

 private:
  ContenderSpec spec_;
  Problem problem_;
  const Operation &operation_;
  Spaces spaces_;
  std::string refusal_;
  RONDO_Report report_{};
};

// Null where it says why it does not serve.
template <class Refusing>
std::unique_ptr<Contender> unless_refused(std::unique_ptr<Refusing> contender, std::string &refused) {
  refused = contender->refusal();
  return refused.empty() ? std::move(contender) : nullptr;
}

}  // namespace

std::unique_ptr<Contender> make_contender(const ContenderSpec &spec, const Problem &problem, const Operation &operation,
                                          const Spaces &spaces, std::string &refused) {
  switch (spec.kind) {
    case ContenderSpec::Kind::mpi_blocking: return std::make_unique<Blocking>(operation, spaces);
    case ContenderSpec::Kind::mpi_nonblocking: return std::make_unique<Nonblocking>(operation, spaces);
    case ContenderSpec::Kind::mpi_persistent:
      return unless_refused(std::make_unique<Persistent>(operation, spaces), refused);
    case ContenderSpec::Kind::rondo: break;
  }
  Problem wished = problem;
  wished.algorithm = spec.algorithm;
  wished.parameters = spec.parameters;
  wished.wire = spec.wire;
  if (spec.each_call) return make_per_call(wished, operation, spaces, {*spec.each_call, Wire::datatype}, refused);
  if (spec.whole) return unless_refused(std::make_unique<WholeCall>(spec, wished, operation, spaces), refused);
  return unless_refused(std::make_unique<Planned>(spec, wished, operation, spaces), refused);
}

}  // namespace rondo::internal::cli
