#include "api/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "api/errhandler.hpp"
#include "api/one_mpi.hpp"
#include "api/planning.hpp"
#include "api/prepare.hpp"
#include "api/report.hpp"
#include "api/thread_level.hpp"
#include "api/wires.hpp"
#include "model/choose_gather.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"
#include "wire/validate.hpp"

namespace rondo::internal {

namespace {

// Whom this rank sends data to; of an all-gather, to all that receive from it.
RONDO_Report native_report(const Planning &p) {
  std::vector<std::int64_t> bytes;  // by peer
  for (int peer = 0; peer < p.channel.ranks(); ++peer) {
    if (peer == p.channel.rank()) continue;
    if (!p.local.arguments.gathers()) {
      bytes.push_back(p.local.exchange.send[static_cast<std::size_t>(peer)].length);
    } else if (p.topology().receives_from(peer, p.channel.rank())) {
      bytes.push_back(p.local.exchange.send.front().length);
    }
  }
  return report_of(p.choice, p.channel.ranks(), bytes);
}

// What is wished for: memory of a GPU is the MPI library's to read and write, on all ranks if on any.
Wish wish_of(const Planning &p) {
  Wish wish = p.local.hints.wish;
  if (!p.agreed.on_device) return wish;
  if (!wish.algorithm.empty() && wish.algorithm != "native") {
    throw Error(Fault::buffer,
                fmt::format("a buffer is memory of a GPU, which native exchanges, but not {}", wish.algorithm));
  }
  wish.algorithm = "native";
  return wish;
}

// Chooses the same on all ranks, and so refuses the same on all: what it returns needs no agreement.
std::optional<Error> choose_for(Planning &p) {
  const Features &features = p.agreed.features;
  try {
    if (p.local.arguments.gathers()) {
      p.choice =
          choose_gather({features.situation.topology, std::move(p.gathered), features.shares_memory, features.turns,
                         features.situation.native_fault, features.situation.sends_at_start_only},
                        wish_of(p));
      p.local.exchange.cut = p.choice.cut;
    } else {
      p.choice = choose(features, wish_of(p));
    }
    return std::nullopt;
  } catch (Error &refusal) {
    return std::move(refusal);
  }
}

// All that this rank can do before it hears of sizes that it does not know.
void prepare_first(Planning &p, std::optional<Traced> &traced, std::optional<PlanParts> &parts) {
  if (p.choice.algorithm->layout == Layout::native) {
    parts.emplace(prepare_natively(p));
    return;
  }
  p.shares = sharers(p.channel, p.local, p.topology());
  p.wire = message_wire(p);
  traced.emplace(p);
  if (!p.forwards()) parts.emplace(prepare(p, *traced));
}

// What a user who has many plans knows this one by. The number is the same on all ranks.
std::string name_of_plan(const Planning &p, const RONDO_Report &report) {
  char comm[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  MPI_Comm_get_name(*p.channel.duplicate->user(), comm, &length);
  return fmt::format("plan {}{}{}, {} on {} ranks by {}", p.channel.tag, length > 0 ? " of " : "", comm,
                     name_of(p.local.arguments.operation), report.ranks, algorithm_text(report));
}

// What the choice has asked of algorithms, of what has become of them.
void check_sends_at_start_only(const PlanParts &parts) {
  if (!parts.sends_after_start()) return;
  throw Error(Fault::algorithm, "the plan would send MPI messages after its start, which needs MPI_THREAD_MULTIPLE");
}

std::unique_ptr<Plan> open_plan(const Planning &p, PlanParts parts, RONDO_Request_object &request) {
  RONDO_Report &report = request.report;
  if (parts.native) {
    parts.schedules.front().requests.front() = parts.native->open();
    report = native_report(p);
  } else {
    if (parts.shared) share_memory(p, parts);
    parts.schedules = parts.bind_all();
    if (p.agreed.features.situation.sends_at_start_only) check_sends_at_start_only(parts);
    request.others_read_send = parts.shared && !parts.send_image && parts.shared->others_read(Base::process_send);
    request.others_read_receive =
        parts.shared && !parts.receive_image && parts.shared->others_read(Base::process_receive);
    report = report_of(p.choice, parts.schedule);
  }
  if (parts.beside) {
    check_thread_level(parts.calls_mpi());
    std::string_view("thread").copy(report.progress, sizeof(report.progress) - 1);
  }
  parts.name = name_of_plan(p, report);
  return std::make_unique<Plan>(std::move(parts));
}

// In phases, with an agreement after each. What is collective stands at the beginning of a phase, when all ranks are
// known to have come through the one before; so a rank that has no memory leaves nobody waiting.
OwnedRequest make_request(Planning &p) {
  const MPI_Comm comm = p.channel.comm();
  OwnedRequest request;
  std::optional<Error> refusal;
  std::optional<Traced> traced;
  std::optional<PlanParts> parts;
  succeed_together(comm, [&] {
    refusal = choose_for(p);
    if (refusal) return;
    request = OwnedRequest::make();
    if (p.local.hints.errors_to_handler && !HandlerLeftToCaller::lives())
      request->errors_to = p.channel.duplicate->user();
    prepare_first(p, traced, parts);
  });
  if (refusal) throw *std::move(refusal);
  if (p.forwards()) {
    succeed_together(comm, [&] {
      traced->learner.run(p.channel);
      parts.emplace(prepare(p, *traced));
    });
  }
  succeed_together(comm, [&] { request->plan = open_plan(p, *std::move(parts), *request); });
  return request;
}

// All ranks learn the sizes of all, which algorithms for all-gathers cut the data by; else nothing but what a
// validation finds.
std::vector<std::int64_t> learn_or_validate(const Local &local, const Agreed &agreed, const Channel &channel) {
  if (local.arguments.gathers()) {
    return gather_sizes(local.exchange, agreed.features.situation.topology, local.arguments.in_place, channel);
  }
  if (local.hints.validate) validate(local.exchange, channel);
  return {};
}

constinit thread_local bool sends_at_start_only = false;

}  // namespace

SendsAtStartOnly::SendsAtStartOnly(bool asked) : before_(std::exchange(sends_at_start_only, asked)) {}

SendsAtStartOnly::~SendsAtStartOnly() {
  sends_at_start_only = before_;
}

bool SendsAtStartOnly::asked() {
  return sends_at_start_only;
}

void check_communicator(MPI_Comm comm, bool takes_two_groups) {
  check_one_mpi();
  if (comm == MPI_COMM_NULL) throw Error(Fault::comm, "the communicator is MPI_COMM_NULL");
  check_mpi_is_up_for(comm);
  const ErrorsReturned returned;
  int inter = 0;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) {
    throw Error(Fault::comm, "the communicator is no valid communicator (has it been freed?)");
  }
  if (inter != 0 && !takes_two_groups) {
    throw Error(Fault::comm, "the communicator is an intercommunicator; an intracommunicator is needed");
  }
}

OwnedRequest init(const Call &call, MPI_Comm comm, MPI_Info info) {
  check_communicator(comm, call.takes_two_groups);
  const double begin = MPI_Wtime();
  const Channel channel = open_channel(comm, await_driving);

  Local local;
  auto fault = fault_of([&] { read_local([&] { return call.read(channel); }, info, channel, local); });
  const Agreed agreed = agree_features(channel, std::move(fault), local);
  Planning p{channel, local, agreed, learn_or_validate(local, agreed, channel)};
  OwnedRequest request = make_request(p);
  request->send = std::move(local.arguments.send);
  request->receive = std::move(local.arguments.receive);
  request->in_place = local.arguments.in_place;
  request->rank = channel.rank();
  request->report.init_seconds = MPI_Wtime() - begin;
  if (local.hints.report && channel.rank() == 0) {
    fault_of([&] {
      log_report(request->plan->name(), request->report);
    });  // a line that cannot be written is no reason to fail on one rank
  }
  return request;
}

}  // namespace rondo::internal
