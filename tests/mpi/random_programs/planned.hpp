#pragma once

// One exchange of a program as a rank has it: its buffers, its plan, and the data that each start sends and must find.

#include <mpi.h>
#include <rondo/rondo.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/mpi/random_programs/communicators.hpp"
#include "tests/mpi/random_programs/program.hpp"

namespace rondo::random_programs {

// The block of one entry of a side.
struct Block {
  int source = 0;
  int destination = 0;
  int count = 0;  // elements
  Element element = Element::byte;
  std::int64_t displacement = 0;  // bytes
  bool sent = false;              // not received
};

// The datatypes of the elements. Made and freed by main.
class Types {
 public:
  Types();
  ~Types();
  Types(const Types &) = delete;
  Types &operator=(const Types &) = delete;
  [[nodiscard]] MPI_Datatype of(Element element) const { return types_[static_cast<std::size_t>(element)]; }

 private:
  MPI_Datatype types_[5];
};

class Planned {
 public:
  Planned(const Exchange &exchange, const Place &place, const Types &types);
  ~Planned();
  Planned(const Planned &) = delete;
  Planned &operator=(const Planned &) = delete;

  // Collective. Plans; without hints where those are refused.
  void init();
  [[nodiscard]] bool native() const { return native_; }
  [[nodiscard]] bool may_rebind() const;
  // Other buffers. Collective for a native plan.
  void rebind();

  // New data for the next start, and what will have to be found.
  void prepare();
  // After it is complete: the receive buffer holds the data and is untouched elsewhere, and so is the send buffer.
  void check() const;

  [[nodiscard]] const Exchange &exchange() const { return exchange_; }
  RONDO_Request request = RONDO_REQUEST_NULL;

 private:
  struct Side {
    std::vector<Block> blocks;
    std::vector<int> counts, displacements;  // as the call takes them
    std::vector<MPI_Datatype> types;         // of alltoallw
    MPI_Datatype type = MPI_BYTE;
    std::int64_t bytes = 0;
    std::vector<std::byte> memory{};  // the caller's, with guards
  };

  void lay_out(Side &side, bool sends);
  void place_blocks(Side &side, bool sends);
  int call_init(MPI_Info info);
  void fill(std::byte *base, const Block &block) const;
  [[nodiscard]] std::string difference(const std::byte *base, const Block &block) const;
  [[nodiscard]] std::byte *base_of(Side &side, Buffer buffer, bool sends) const;
  [[nodiscard]] const void *send_argument();
  [[nodiscard]] void *receive_argument();
  [[nodiscard]] std::uint64_t data_seed(const Block &block) const;
  [[noreturn]] void fail(const std::string &what) const;

  const Exchange &exchange_;
  const Place &place_;
  const Types &types_;
  Side send_;
  Side receive_;
  Block own_in_receive_{};  // of an all-gather in place
  bool native_ = false;
  int starts_ = 0;
  std::vector<std::byte> sent_;      // the send memory as prepared
  std::vector<std::byte> expected_;  // the receive memory as it must become
};

}  // namespace rondo::random_programs
