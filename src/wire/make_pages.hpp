#pragma once

#include <cstddef>
#include <cstdint>

namespace rondo::internal {

// Whether this kernel makes pages of shared memory on request (Linux 5.14). Where it does not, they are to be made when
// the memory is. The same in all processes of a node.
bool makes_pages_on_request();

// Makes the pages of shared memory that these bytes lie in, where they are not there yet; gives the end of the last.
// Throws Error (no_memory) where there is none left: a process that wrote there would be ended by a signal.
std::byte *make_pages(std::byte *begin, std::int64_t bytes);

}  // namespace rondo::internal
