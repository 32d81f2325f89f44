#include "cli/verify_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/exchanges.hpp"
#include "cli/graph_comm.hpp"
#include "cli/hash.hpp"
#include "cli/interruption.hpp"
#include "cli/memory.hpp"
#include "cli/mpi_session.hpp"
#include "cli/tally.hpp"
#include "cli/varying_trial.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int rounds = 3;

// MPI_Alltoallv itself, below whatever may stand between the program and the library.
void run_reference(const Arguments &a, const Spaces &spaces) {
  PMPI_Alltoallv(spaces.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, spaces.receive,
                 a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
}

std::string compare(const RankMemory &memory, const RankMemory &reference, const char *call) {
  if (std::string fault = reference.fault(); !fault.empty()) return fmt::format("{}: {}", call, fault);
  if (std::string fault = memory.fault(); !fault.empty()) return fault;
  const auto mine = memory.received();
  return std::equal(mine.begin(), mine.end(), reference.received().begin())
             ? ""
             : fmt::format("{} brings other bytes", call);
}

// The first fault that this rank sees. All rounds are run whatever it sees, as the others run them too.
template <class RunReference>
std::string run_rounds(RondoPlan &plan, RankMemory &memory, RankMemory &reference, const char *call,
                       RunReference &&run_reference) {
  std::string first;
  for (int round = 0; round < rounds; ++round) {
    memory.prepare(round);
    reference.prepare(round);
    run_reference(reference.spaces());
    const int code = plan.run();
    const std::string fault = code != MPI_SUCCESS ? error_text(code) : compare(memory, reference, call);
    if (first.empty()) first = fault;
  }
  return first;
}

Verdict verdict(Verdict::Kind kind, const std::string &why, const Problem &problem) {
  return {kind, fmt::format("{}: {}", why, to_string(problem))};
}

// Of an init that has failed, on all ranks.
Verdict verdict_on(int code, const std::string &fault, const Problem &problem) {
  const bool refused = code == RONDO_ERR_ALGORITHM;
  return verdict(refused ? Verdict::Kind::not_served : Verdict::Kind::wrong, fault, problem);
}

Verdict try_in_bytes(const Problem &problem, int rank) {
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank);
  const Arguments arguments = arguments_of(exchange);
  RankMemory memory(exchange);
  RankMemory reference(exchange);
  RondoPlan plan(problem, arguments, memory.spaces());
  if (const std::string fault = agreed_text(plan.message()); !fault.empty())
    return verdict_on(plan.code(), fault, problem);
  const std::string fault = agreed_text(run_rounds(plan, memory, reference, "MPI_Alltoallv",
                                                   [&](const Spaces &spaces) { run_reference(arguments, spaces); }));
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

Verdict try_with_neighbors(const Problem &problem, int rank) {
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank);
  const GraphComm comm(exchange);
  RankMemory memory(exchange);
  RankMemory reference(exchange);
  RondoPlan plan(problem, memory.spaces(), comm);
  if (const std::string fault = agreed_text(plan.message()); !fault.empty())
    return verdict_on(plan.code(), fault, problem);
  const Arguments &a = comm.arguments();
  const auto run_reference = [&](const Spaces &spaces) {
    PMPI_Neighbor_alltoallv(spaces.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, spaces.receive,
                            a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, comm.get());
  };
  const std::string fault = agreed_text(run_rounds(plan, memory, reference, "MPI_Neighbor_alltoallv", run_reference));
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

Verdict try_gather(const Problem &problem, int rank) {
  const GatherComm comm(problem, rank);
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank);
  const std::vector<int> counts = comm.counts(exchange);
  const std::vector<int> displacements = comm.displacements(exchange);
  RankMemory memory(exchange);
  RankMemory reference(exchange);
  RondoPlan plan(problem, exchange, memory.spaces(), comm);
  if (const std::string fault = agreed_text(plan.message()); !fault.empty())
    return verdict_on(plan.code(), fault, problem);
  const Extent &own = exchange.send.front();
  const auto run_reference = [&](const Spaces &spaces) {
    PMPI_Allgatherv(spaces.send + own.offset, static_cast<int>(own.length), MPI_BYTE, spaces.receive, counts.data(),
                    displacements.data(), MPI_BYTE, comm.get());
  };
  const std::string fault = agreed_text(run_rounds(plan, memory, reference, "MPI_Allgatherv", run_reference));
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

// MPI_Alltoallw; on Open MPI 4.1, which copies blocks of two datatypes to oneself wrongly (docs/problems.md), the same
// messages one by one.
void run_typed_reference(const TypedSide &send, const std::byte *from, const TypedSide &receive, std::byte *to,
                         [[maybe_unused]] int ranks) {
#if defined(OPEN_MPI)
  std::vector<MPI_Request> requests;
  for (int peer = 0; peer < ranks; ++peer) {
    PMPI_Irecv(to + receive.displacements()[peer], receive.counts()[peer], receive.types()[peer], peer, 0,
               MPI_COMM_WORLD, &requests.emplace_back());
  }
  for (int peer = 0; peer < ranks; ++peer) {
    PMPI_Isend(from + send.displacements()[peer], send.counts()[peer], send.types()[peer], peer, 0, MPI_COMM_WORLD,
               &requests.emplace_back());
  }
  PMPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
#else
  PMPI_Alltoallw(from, send.counts(), send.displacements(), send.types(), to, receive.counts(), receive.displacements(),
                 receive.types(), MPI_COMM_WORLD);
#endif
}

// New bytes everywhere, others in each round and on each rank.
void fill(std::vector<std::byte> &bytes, std::uint64_t key) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(hash(key, i));
}

Verdict try_with_types(const Problem &problem, int rank) {
  const BlockSizes sizes(problem);
  const TypedSide send(problem, sizes, rank, TypedSide::End::send);
  const TypedSide receive(problem, sizes, rank, TypedSide::End::receive);
  std::vector<std::byte> from(send.bytes());
  std::vector<std::byte> to(receive.bytes());
  RondoPlan plan(problem, send, from.data(), receive, to.data());
  if (const std::string fault = agreed_text(plan.message()); !fault.empty())
    return verdict_on(plan.code(), fault, problem);
  std::string first;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t key =
        hash(hash(problem.seed, static_cast<std::uint64_t>(rank)), static_cast<std::uint64_t>(round));
    fill(from, key);
    fill(to, ~key);
    const std::vector<std::byte> untouched = from;
    std::vector<std::byte> expected = to;
    run_typed_reference(send, from.data(), receive, expected.data(), problem.ranks);
    std::string fault;
    if (const int code = plan.run(); code != MPI_SUCCESS) {
      fault = error_text(code);
    } else if (from != untouched) {
      fault = "the send buffer has changed";
    } else if (const auto [mine, its] = std::mismatch(to.begin(), to.end(), expected.begin()); mine != to.end()) {
      fault = fmt::format("rank {}, round {}: byte {} is {}, MPI makes it {}", rank, round, mine - to.begin(),
                          std::to_integer<int>(*mine), std::to_integer<int>(*its));
    }
    if (first.empty()) first = fault;
  }
  const std::string fault = agreed_text(first);
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

// MPI_Alltoall of the counts and MPI_Alltoallv of the data: what each rank has received, in rank order.
struct VaryingReference {
  explicit VaryingReference(const StartMemory &memory)
      : counts(memory.exchange().send.size()), displacements(counts.size()) {
    const Arguments a = arguments_of(memory.exchange());
    PMPI_Alltoall(a.send_counts.data(), 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
    data.resize(static_cast<std::size_t>(displacements.back()) + static_cast<std::size_t>(counts.back()));
    PMPI_Alltoallv(memory.send(), a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, data.data(),
                   counts.data(), displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
  }
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<std::byte> data;
};

// One start of a plan whose counts come with it.
std::string start_varying(RONDO_Request &request, const StartMemory &memory) {
  const VaryingReference reference(memory);
  const auto ranks = memory.exchange().send.size();
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  for (const Extent &extent : memory.exchange().send) {
    counts.push_back(extent.length);
    displacements.push_back(extent.offset);
  }
  int code = RONDO_Start_counts(&request, memory.send(), counts.data(), displacements.data());
  void *received = nullptr;
  std::vector<MPI_Count> received_counts(ranks);
  std::vector<MPI_Aint> received_displacements(ranks);
  if (code == MPI_SUCCESS) {
    code = RONDO_Wait_counts(&request, &received, received_counts.data(), received_displacements.data());
  }
  if (code != MPI_SUCCESS) return error_text(code);
  const std::vector<std::int64_t> bytes(received_counts.begin(), received_counts.end());
  const std::vector<std::int64_t> offsets(received_displacements.begin(), received_displacements.end());
  const auto *const data = static_cast<const std::byte *>(received);
  if (std::string fault = memory.fault(data, bytes, offsets); !fault.empty()) return fault;
  return std::equal(reference.data.begin(), reference.data.end(), data) ? "" : "MPI_Alltoallv brings other bytes";
}

Verdict try_varying(const Problem &problem, int rank) {
  const rondo::Hints hints = hints_of(problem);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code = RONDO_Alltoallv_varying_init(MPI_BYTE, MPI_BYTE, MPI_COMM_WORLD, hints.info(), &request);
  if (code != MPI_SUCCESS) return verdict_on(code, error_text(code), problem);
  std::string first;
  for (int start = 0; start < rounds; ++start) {
    const std::string fault = start_varying(request, StartMemory(problem, rank, start));
    if (first.empty()) first = fault;
  }
  RONDO_Request_free(&request);
  const std::string fault = agreed_text(first);
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

Verdict try_on_mpi(const Problem &problem, int rank) {
  if (problem.varies()) return try_varying(problem, rank);
  if (problem.by_segment()) return try_gather(problem, rank);
  if (problem.call == Problem::Call::neighbor_alltoallv) return try_with_neighbors(problem, rank);
  return problem.call == Problem::Call::alltoallw ? try_with_types(problem, rank) : try_in_bytes(problem, rank);
}

// All ranks draw, and shrink, the same. False when it was interrupted.
bool try_random(const RandomOrder &order, const MpiSession &session, Tally &tally) {
  std::uint64_t seed = order.settled_seed();
  MPI_Bcast(&seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (session.rank() == 0) fmt::print("random problems of seed {}\n", seed);
  RandomProblems random(seed, session.ranks());
  for (std::size_t i = 0; i < order.problems; ++i) {
    if (all_asked_to_stop()) return false;
    const Problem problem = random.next();
    Verdict verdict = try_on_mpi(problem, session.rank());
    if (verdict.kind != Verdict::Kind::right) {
      const Problem smallest = shrink(problem, true, [&](const Problem &next) {
        return try_on_mpi(next, session.rank()).kind == Verdict::Kind::wrong;
      });
      verdict = try_on_mpi(smallest, session.rank());
    }
    tally.add(verdict);
  }
  return true;
}

// False when it was interrupted.
bool try_all(std::span<const Problem> problems, const RandomOrder &random, const MpiSession &session, Tally &tally) {
  for (const Problem &problem : problems) {
    if (all_asked_to_stop()) return false;
    tally.add(try_on_mpi(problem, session.rank()));
  }
  return random.problems == 0 || try_random(random, session, tally);
}

}  // namespace

int verify_on_mpi(std::span<const std::string> texts, bool sweep, Breadth breadth, const RandomOrder &random) {
  const MpiSession session;
  const Interruption interruption;
  std::vector<Problem> problems;
  for (const std::string &text : texts) problems.push_back(parse_problem(text, session.ranks()));
  if (sweep) {
    const std::vector<Problem> more = mpi_sweep(session.ranks(), breadth);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  for (const Problem &problem : problems) check_ints(problem);
  Tally tally(problems.size() + random.problems, session.rank() == 0 ? Tally::Voice::prints : Tally::Voice::silent);
  const bool whole = try_all(problems, random, session, tally);
  return tally.finish(!whole);
}

}  // namespace rondo::internal::cli
