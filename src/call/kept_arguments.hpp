#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "call/arguments.hpp"
#include "call/messages.hpp"

namespace rondo::internal::call {

// The arguments of a call, copied, so that they can be compared with those of later calls. The memory is used again.
class KeptArguments {
 public:
  // `types_freed` is when they were read (wire/type_cache.hpp): a handle may mean another type since.
  void keep(const CallArguments &arguments, const Peers &peers, std::uint64_t types_freed);
  // The same counts, displacements and types, wherever the buffers are.
  [[nodiscard]] bool equal(const CallArguments &arguments) const;
  [[nodiscard]] bool have(MPI_Datatype type) const;
  [[nodiscard]] std::size_t memory() const { return send_.arrays.capacity() + receive_.arrays.capacity(); }  // bytes

 private:
  // Counts, displacements and types, one after the other.
  struct Side {
    std::vector<std::byte> arrays{};
    std::size_t count_bytes = 0;
    std::size_t displ_bytes = 0;
    std::size_t width = 0;
    std::size_t displ_width = 0;
    bool null_buffer = false;
    bool on_device = false;

    void keep(const SideArguments &given, int entries, bool each_type);
    [[nodiscard]] bool equals(const SideArguments &given) const;
    [[nodiscard]] bool has(MPI_Datatype type) const;
  };

  Side send_{};
  Side receive_{};
  bool in_place_ = false;
  std::uint64_t types_freed_ = 0;
};

// A number that tells most arguments apart at a glance: the same for the same counts and displacements.
std::uint64_t fingerprint_of(const CallArguments &arguments, const Peers &peers);

}  // namespace rondo::internal::call
