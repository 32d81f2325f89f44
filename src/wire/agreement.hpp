#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "exchange/error.hpp"
#include "wire/board.hpp"
#include "wire/meanwhile.hpp"
#include "wire/node.hpp"

namespace rondo::internal {

// Collective, and always to be reached by all ranks: each value becomes its maximum over the ranks. If any rank
// brings a fault, all ranks throw the fault of the lowest of them, with its rank and values, so that an init
// fails everywhere or nowhere. Takes no memory, which may be what there is none of. The rank is that in comm, unless
// the fault has one already. `meanwhile` is given, on all ranks or on none, where ranks may not have met yet.
void agree(MPI_Comm comm, std::span<std::int64_t> maxima, const std::optional<Error> &fault,
           Meanwhile meanwhile = nullptr);

// Collective: returns when all ranks have come.
void barrier(MPI_Comm comm, Meanwhile meanwhile);

// Runs work() and returns the fault that it threw, if any; std::bad_alloc becomes Fault::no_memory.
template <class Work>
std::optional<Error> fault_of(Work &&work) {
  try {
    work();
  } catch (Error &error) {
    return std::move(error);
  } catch (const std::bad_alloc &) {
    return Error(Fault::no_memory, "out of memory");
  } catch (const std::exception &error) {
    return Error::of(Fault::internal, [&] { return error.what(); });
  }
  return std::nullopt;
}

// Collective. Runs work() on every rank; throws on all when it throws on any.
template <class Work>
void succeed_together(MPI_Comm comm, Work &&work) {
  agree(comm, {}, fault_of(work));
}

// How the ranks of a communicator agree: those of a node by its board, and where there are several nodes, the first
// rank of each speaks for it, by MPI. Where a node can have no board, all ranks agree by MPI.
class Agreement {
 public:
  // By MPI, until there are boards. The map of the nodes lives as long.
  void open(MPI_Comm comm, const Node &node);
  // All nodes with several ranks have boards, by which they agree from now on: `board` is that of this rank's node,
  // empty where it is alone there. `leaders` are the first ranks of the nodes, by node; MPI_COMM_NULL on other ranks,
  // and where there is one node.
  void use_boards(const std::optional<Board> &board, MPI_Comm leaders);

  // As agree() above. Where ranks of a node wait for others of it that do not come for `most_idle`, it throws Error
  // (stalled) on all, and from then on at once. (0: they wait however long.)
  void agree(std::span<std::int64_t> maxima, const std::optional<Error> &fault, Meanwhile meanwhile = nullptr,
             std::chrono::duration<double> most_idle = {});
  // Collective over a node that has a board: each rank shows the others its figures, which they find on the board. The
  // node goes on without regard for others; but where a rank comes with a fault, to agree() above, the node brings it
  // to the next agreement of all ranks, and throws with those. Takes no memory.
  void show_node(std::span<const std::int64_t> figures);
  // Runs work() on every rank; throws on all when it throws on any.
  template <class Work>
  void succeed_together(Work &&work) {
    agree({}, fault_of(work));
  }

  // Whether one has been given up, so that there can be no more of them.
  [[nodiscard]] bool has_stalled() const { return stalled_.has_value(); }
  // Null where this rank is alone on its node, or that has none.
  [[nodiscard]] Board *board() { return board_ ? &*board_ : nullptr; }

 private:
  // What is known so far: the maxima are where the caller has them.
  struct Found {
    std::span<std::int64_t> maxima;
    std::optional<Telegram> fault{};
    bool node_has_stalled = false;
  };

  void show(std::span<const std::int64_t> figures, Found &found, const std::optional<Error> &fault, Meanwhile meanwhile,
            std::chrono::duration<double> most_idle);
  [[nodiscard]] Error missing(const Error &of_board) const;
  void meet_other_nodes(Found &found, Meanwhile meanwhile);
  void ask_other_nodes(Found &found, Meanwhile meanwhile) const;
  void tell_node(Found &found, Meanwhile meanwhile);

  MPI_Comm comm_ = MPI_COMM_NULL;
  const Node *node_ = nullptr;
  bool boards_ = false;
  std::optional<Board> board_;
  MPI_Comm leaders_ = MPI_COMM_NULL;
  std::optional<Telegram> stalled_;  // what an agreement has been given up for
};

}  // namespace rondo::internal
