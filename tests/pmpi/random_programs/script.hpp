#pragma once

// What a random program does, the same on all ranks: a list of acts.
//
// Each rank begins and ends the acts in an order of its own. This is what makes every order legal:
//
//   - acts that MPI wants in the same order on all ranks of a communicator (collective calls, and inits) are begun in
//     the order of the list on each communicator;
//   - a rank enters a call that waits for an act only when it has begun all acts that stand before it in the list.
//
// So among the acts for which ranks wait, the first has been begun by all of them, or will be by those who wait for
// nothing: it ends if MPI makes progress.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "short_life.hpp"

namespace rondo::random_programs {

enum class Kind {
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  allgather,
  allgatherv
};
const char *name_of(Kind kind);
bool gathers(Kind kind);
bool is_of_neighbors(Kind kind);
// Whether all blocks are of one size.
bool is_even(Kind kind);

// What an exchange moves. The unit is a pair of ints, side by side or with gaps between and after them.
struct Layout {
  Kind kind = Kind::alltoallv;
  bool in_place = false;
  bool gaps_sent = false;
  bool gaps_received = false;
  bool absolute = false;   // the buffers are MPI_BOTTOM, and the types have the addresses in them
  bool own_types = false;  // each rank draws the last three for itself
  int space = 0;           // ints that stay free between blocks
  int most_pairs = 0;      // of a block
  int empty_one_in = 0;    // blocks; 0: none
  std::uint64_t seed = 0;

  // From one rank of the communicator to another, as both know it.
  [[nodiscard]] int pairs(int from, int to) const;
  // As a rank has it.
  [[nodiscard]] Layout of_rank(int rank) const;
};

// Communicators of every program. `grid` is a row, or a ring. `between` is an intercommunicator, of the halves. The
// program frees `brief` in its midst, with what is under way on it, and the plans.
enum class Place { whole, twin, reversed, graph, halves, grid, between, brief };
constexpr int places = 8;

struct Plan {
  Layout layout;
  Place place = Place::whole;
  std::map<std::string, std::string> hints;
};

enum class What {
  init,      // of a persistent exchange
  start,     // of the same
  exchange,  // that is not persistent
  message,   // from one rank to another
  shift,     // MPI_Sendrecv to the next rank
  barrier,
  sum,
  short_life,  // of a duplicate of the communicator
  farewell,    // to a communicator
};
const char *name_of(What what);

struct Act {
  What what = What::barrier;
  Place place = Place::whole;
  int plan = -1;
  Layout layout{};                   // of an exchange
  bool blocks = false;               // an exchange, barrier or sum
  int from = 0, to = 0, length = 0;  // of a message, in ints
  ShortLife life{};

  // Whether it is one of those that have an order on their communicator.
  [[nodiscard]] bool ordered() const { return what != What::start && what != What::message; }
  // Whether beginning it waits for others, on all ranks.
  [[nodiscard]] bool waits() const {
    return blocks || what == What::init || what == What::shift || what == What::short_life || what == What::farewell;
  }
};

struct Script {
  std::vector<Plan> plans;
  std::vector<Act> acts;
};

struct Wishes {
  int most_bytes = 4 << 20;  // of a block
  bool persistent = true;
  bool not_persistent = true;
  bool hints = true;
  bool gathers = true;
  // With MPI_THREAD_MULTIPLE threads of Rondo's call MPI: without it plans whose messages are MPI's stand still while
  // their rank is in a collective call (docs/interposer.md).
  bool any_thread = false;
  // Leaves out what Open MPI 4.1 gets wrong itself: two ranks that are neighbours twice, exchanges in place,
  // non-blocking ones between neighbours, datatypes that are used at their end, and requests that outlive their
  // communicator.
  bool for_openmpi = false;
  std::string algorithm{};  // of all plans, if it is not empty
};

Script write_script(std::uint64_t seed, int ranks, const Wishes &wishes);

// One line about an act.
std::string to_string(const Script &script, int act);

// The graph of Place::graph: whom a rank sends to. Everybody knows everybody's.
std::vector<int> destinations_of(std::uint64_t seed, int rank, int ranks, bool twice);
std::vector<int> sources_of(std::uint64_t seed, int rank, int ranks, bool twice);

}  // namespace rondo::random_programs
