#pragma once

#include <cstddef>

#include "pmpi/messages.hpp"

namespace rondo::internal::pmpi {

// Between a message's elements in the program's buffer and its packed data. Throws Error (mpi).
void pack(const Message &message, void *buffer, std::byte *packed);
void unpack(const Message &message, void *buffer, const std::byte *packed);

}  // namespace rondo::internal::pmpi
