#include "cli/verify_mpi.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arguments.hpp"
#include "cli/exchanges.hpp"
#include "cli/memory.hpp"
#include "cli/mpi_session.hpp"
#include "cli/tally.hpp"

namespace rondo::cli {

namespace {

constexpr int rounds = 3;

// MPI_Alltoallv itself, below whatever may stand between the program and the library.
void run_reference(const Arguments &a, const Spaces &spaces) {
  PMPI_Alltoallv(spaces.send, a.send_counts.data(), a.send_displacements.data(), MPI_BYTE, spaces.receive,
                 a.receive_counts.data(), a.receive_displacements.data(), MPI_BYTE, MPI_COMM_WORLD);
}

std::string compare(const RankMemory &memory, const RankMemory &reference) {
  if (std::string fault = reference.fault(); !fault.empty()) return "MPI_Alltoallv: " + fault;
  if (std::string fault = memory.fault(); !fault.empty()) return fault;
  const auto mine = memory.received();
  return std::equal(mine.begin(), mine.end(), reference.received().begin()) ? "" : "MPI_Alltoallv brings other bytes";
}

// The first fault that this rank sees. All rounds are run whatever it sees, as the others run them too.
std::string run_rounds(RondoPlan &plan, const Arguments &arguments, RankMemory &memory, RankMemory &reference) {
  std::string first;
  for (int round = 0; round < rounds; ++round) {
    memory.prepare(round);
    reference.prepare(round);
    run_reference(arguments, reference.spaces());
    const int code = plan.run();
    const std::string fault = code != MPI_SUCCESS ? error_text(code) : compare(memory, reference);
    if (first.empty()) first = fault;
  }
  return first;
}

Verdict verdict(Verdict::Kind kind, const std::string &why, const Problem &problem) {
  return {kind, fmt::format("{}: {}", why, to_string(problem))};
}

Verdict try_on_mpi(const Problem &problem, int rank) {
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank);
  const Arguments arguments = arguments_of(exchange);
  RankMemory memory(exchange);
  RankMemory reference(exchange);
  RondoPlan plan(problem, arguments, memory.spaces());
  if (const std::string fault = agreed_text(plan.message()); !fault.empty()) {
    const bool refused = plan.code() == RONDO_ERR_ALGORITHM;
    return verdict(refused ? Verdict::Kind::not_served : Verdict::Kind::wrong, fault, problem);
  }
  const std::string fault = agreed_text(run_rounds(plan, arguments, memory, reference));
  return fault.empty() ? Verdict{} : verdict(Verdict::Kind::wrong, fault, problem);
}

}  // namespace

int verify_on_mpi(std::span<const std::string> texts, bool sweep, Breadth breadth) {
  const MpiSession session;
  std::vector<Problem> problems;
  for (const std::string &text : texts) problems.push_back(parse_problem(text, session.ranks()));
  if (sweep) {
    const std::vector<Problem> more = mpi_sweep(session.ranks(), breadth);
    problems.insert(problems.end(), more.begin(), more.end());
  }
  for (const Problem &problem : problems) check_ints(problem);
  Tally tally(problems.size(), session.rank() == 0 ? Tally::Voice::prints : Tally::Voice::silent);
  for (const Problem &problem : problems) tally.add(try_on_mpi(problem, session.rank()));
  return tally.finish();
}

}  // namespace rondo::cli
