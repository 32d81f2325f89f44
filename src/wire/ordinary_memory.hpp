#pragma once

namespace rondo::internal {

// Whether both addresses are for certain in no memory that a GPU's runtime has allocated: in the data of the program's
// own file, in the heap that grows by brk(), where small buffers of malloc() are, or on the stack of the first thread;
// or they are no addresses of memory (null, MPI_BOTTOM, MPI_IN_PLACE). False where that is not known. Takes no lock and
// makes no call of the system's, but for the first time.
bool are_ordinary_memory(const void *one, const void *other) noexcept;

}  // namespace rondo::internal
