#pragma once

// A random legal program, as all its ranks know it.
//
// It goes through phases. At the beginning of a phase are the collectives that block (inits, rebinds of native plans,
// the program's own), in the same order on all ranks. Then each rank starts what the phase starts, in its own order,
// and only then waits, in its own order and as long as it likes: for exchanges of this phase or of any before it. A
// rank that waits in a phase has started all that others may wait for in that phase or an earlier one, so the program
// ends even if every exchange waits for all its ranks.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rondo::random_programs {

enum class Kind { alltoall, alltoallv, alltoallw, neighbor_alltoallv, allgather, allgatherv };
enum class Pattern { dense, sparse, one_way, ring, one_sends, one_receives, empty };
enum class Buffer { callers, plans, in_place };

// What a communicator is: each rank has one of each, its own half among them.
enum class Group { all, reversed, half, self, graph, two_groups };

// Elements: bytes; integers; three integers side by side; two integers with a gap of one between them; a row
// of 8448 integers with a gap of three behind it, which is long enough to be read by other ranks where it lies.
enum class Element { byte, integer, triple, gapped, row };

// One plan of the program.
struct Exchange {
  std::uint64_t seed = 0;
  Kind kind = Kind::alltoallv;
  Group group = Group::all;
  Pattern pattern = Pattern::dense;
  bool equal_blocks = false;
  int largest = 0;             // units of a block: bytes, or so many integers, which all the other elements divide
  int integers_of_a_unit = 6;  // or 8448, where rows are among the elements
  Element send_element = Element::byte;
  Element receive_element = Element::byte;
  bool own_elements = false;  // each rank has others, of the same integers
  Buffer send = Buffer::callers;
  Buffer receive = Buffer::callers;
  bool backwards = false;  // the block of the last rank lies first
  std::vector<std::pair<std::string, std::string>> hints{};
  int made_in = 0;              // phase
  std::vector<int> started_in;  // phases
  std::vector<int> rebound_in;  // phases in which it gets other buffers, if the plan is native

  [[nodiscard]] bool gathers() const { return kind == Kind::allgather || kind == Kind::allgatherv; }
  // What the source has for the destination, of so many ranks.
  [[nodiscard]] int units(int source, int destination, int ranks) const;
  // What the elements of a block are; alltoallw has others for each pair. Of a rank's whole side for the other kinds.
  [[nodiscard]] Element element(bool sends, int source, int destination) const;
  [[nodiscard]] std::string text() const;
};

// A message of the program's own, from its phase on.
struct Message {
  int phase;
  int source;
  int destination;
  int bytes;
};

constexpr int most_messages = 5;  // of a program; their tags are below

struct Program {
  std::uint64_t seed = 0;
  int phases = 0;
  std::vector<Exchange> exchanges{};
  std::vector<Message> messages{};
  std::vector<int> reductions{};  // phases that begin with an MPI_Allreduce of the program's own
};

Program draw_program(std::uint64_t seed, int ranks, bool several_threads);

}  // namespace rondo::random_programs
