#include "wire/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "wire/await.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

void become_maxima(MPI_Comm comm, std::span<std::int64_t> values, Meanwhile meanwhile) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int count = static_cast<int>(values.size());
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm, &request), "MPI_Iallreduce");
  await(&request, meanwhile);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): that is its wait

// The maxima become those of all ranks of the communicator. Of the telegrams that they bring all get the one with the
// lowest rank, of so many that are numbered; root_of(rank) is who brings it. Collective.
template <class RootOf>
void agree_by_mpi(MPI_Comm comm, int ranks, std::span<std::int64_t> maxima, std::optional<Telegram> &fault,
                  Meanwhile meanwhile, RootOf &&root_of) {
  // ranks - rank is largest for the lowest rank at fault, and 0 where there is none.
  std::array<std::int64_t, 1 + Board::most_figures> values{};
  const int found_by = fault ? static_cast<int>(fault->found_by) : ranks;
  values[0] = ranks - found_by;
  std::copy(maxima.begin(), maxima.end(), values.begin() + 1);
  become_maxima(comm, std::span(values).first(maxima.size() + 1), meanwhile);
  if (values[0] == 0) {
    std::copy_n(values.begin() + 1, maxima.size(), maxima.begin());
    return;
  }
  const int faulty = ranks - static_cast<int>(values[0]);
  if (faulty != found_by) fault.emplace();
  check_mpi(MPI_Bcast(&*fault, sizeof(Telegram), MPI_BYTE, root_of(faulty), comm), "MPI_Bcast");
}

}  // namespace

void agree(MPI_Comm comm, std::span<std::int64_t> maxima, const std::optional<Error> &fault, Meanwhile meanwhile) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  std::optional<Telegram> lowest;
  if (fault) lowest = Telegram::of(*fault, rank);
  // MPICH 4.0 crashes in a non-blocking collective of a session's communicator of one rank.
  if (ranks > 1) agree_by_mpi(comm, ranks, maxima, lowest, meanwhile, [](int faulty) { return faulty; });
  if (lowest) throw lowest->error();
}

void barrier(MPI_Comm comm, Meanwhile meanwhile) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  await(&request, meanwhile);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): that is its wait

void Agreement::open(MPI_Comm comm, const Node &node) {
  comm_ = comm;
  node_ = &node;
}

void Agreement::use_boards(const std::optional<Board> &board, MPI_Comm leaders) {
  boards_ = true;
  board_ = board;
  leaders_ = leaders;
}

void Agreement::agree(std::span<std::int64_t> maxima, const std::optional<Error> &fault, Meanwhile meanwhile,
                      std::chrono::duration<double> most_idle) {
  if (!boards_) return internal::agree(comm_, maxima, fault, meanwhile);
  if (stalled_) {
    Error error = Error::of(
        Fault::stalled, [&] { return fmt::format("{}, so this communicator can have no more inits", stalled_->text); });
    error.rank = error.peer = static_cast<int>(stalled_->rank);
    throw Error(error);
  }
  Found found{.maxima = maxima};
  show(maxima, found, fault, meanwhile, most_idle);
  for (std::size_t i = 0; board_ && i < maxima.size(); ++i) maxima[i] = board_->maximum(i);
  meet_other_nodes(found, meanwhile);
  if (!found.fault) return;
  if (found.fault->ends_agreements != 0) stalled_ = found.fault;
  throw found.fault->error();
}

void Agreement::show_node(std::span<const std::int64_t> figures) {
  Found found{};
  show(figures, found, std::nullopt, nullptr, {});
  if (!found.fault) return;
  meet_other_nodes(found, nullptr);
  throw found.fault->error();
}

void Agreement::show(std::span<const std::int64_t> figures, Found &found, const std::optional<Error> &fault,
                     Meanwhile meanwhile, std::chrono::duration<double> most_idle) {
  const int rank = node_->members()[node_->local_rank()];
  if (fault) found.fault = Telegram::of(*fault, rank);
  if (!board_) return;
  try {
    const Telegram *const lowest = board_->show(figures, found.fault ? &*found.fault : nullptr, meanwhile, most_idle);
    found.fault.reset();
    if (lowest != nullptr) found.fault = *lowest;
  } catch (const Error &given_up) {
    if (given_up.fault != Fault::stalled) throw;
    found.node_has_stalled = true;
    found.fault = Telegram::of(missing(given_up), rank);
    found.fault->ends_agreements = 1;
  }
}

// The same with the ranks as they are numbered in the communicator.
Error Agreement::missing(const Error &of_board) const {
  Error error = Error::of(Fault::stalled, [&] {
    const std::string others = of_board.other > 0 ? fmt::format(", nor have {} more", of_board.other) : "";
    return fmt::format("has not come to an init within rondo_stall_timeout{}", others);
  });
  error.rank = error.peer = node_->members()[of_board.value];
  return error;
}

void Agreement::meet_other_nodes(Found &found, Meanwhile meanwhile) {
  if (node_->local_ranks() == node_->ranks()) return;
  if (leaders_ != MPI_COMM_NULL) ask_other_nodes(found, meanwhile);
  if (board_ && !found.node_has_stalled) tell_node(found, meanwhile);
}

void Agreement::ask_other_nodes(Found &found, Meanwhile meanwhile) const {
  const auto failed = fault_of([&] {
    agree_by_mpi(leaders_, node_->ranks(), found.maxima, found.fault, meanwhile,
                 [&](int faulty) { return node_->node_of()[faulty]; });
  });
  if (failed) found.fault = Telegram::of(*failed, node_->members().front());  // the others of the node wait for word
}

void Agreement::tell_node(Found &found, Meanwhile meanwhile) {
  const bool brings = node_->local_rank() == 0 && found.fault;
  const Telegram *const of_first = board_->show(found.maxima, brings ? &*found.fault : nullptr, meanwhile);
  std::copy_n(board_->figures(0).begin(), found.maxima.size(), found.maxima.begin());
  found.fault.reset();
  if (of_first != nullptr) found.fault = *of_first;
}

}  // namespace rondo::internal
