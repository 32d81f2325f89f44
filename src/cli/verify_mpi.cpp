#include "cli/verify_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/interruption.hpp"
#include "cli/mpi_session.hpp"
#include "cli/operation.hpp"
#include "cli/tally.hpp"
#include "cli/varying_trial.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int rounds = 3;

Verdict verdict(Verdict::Kind kind, const std::string &why, const Problem &problem) {
  return {kind, fmt::format("{}: {}", why, to_string(problem))};
}

// Of an init that has failed, on all ranks.
Verdict verdict_on(int code, const std::string &fault, const Problem &problem) {
  const bool refused = code == RONDO_ERR_ALGORITHM;
  return verdict(refused ? Verdict::Kind::not_served : Verdict::Kind::wrong, fault, problem);
}

// One exchange by the plan and one by the MPI library, each on memory of its own: what is wrong first on this rank.
std::string run_round(RondoPlan &plan, OperationMemory &memory, const Operation &operation,
                      OperationMemory &of_reference, int round) {
  memory.prepare(round);
  of_reference.prepare(round);
  operation.call_reference(of_reference.spaces());
  if (const int code = plan.run(); code != MPI_SUCCESS) return error_text(code);
  if (std::string fault = of_reference.fault(); !fault.empty())
    return fmt::format("MPI_{}: {}", operation.name(), fault);
  const std::string fault = memory.fault();
  return fault.empty() ? "" : fmt::format("round {}: {}", round, fault);
}

// A plan beside the MPI library's own call.
Verdict try_operation(const Problem &problem) {
  const auto operation = make_operation(problem);
  const auto memory = operation->memory();
  const auto of_reference = operation->memory();
  RondoPlan plan(*operation, problem, memory->spaces());
  if (const std::string fault = agreed_text(plan.message()); !fault.empty())
    return verdict_on(plan.code(), fault, problem);
  std::string first;
  for (int round = 0; round < rounds; ++round) {  // all, whatever this rank sees, as the others run them too
    const std::string fault = run_round(plan, *memory, *operation, *of_reference, round);
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
  return problem.varies() ? try_varying(problem, rank) : try_operation(problem);
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
