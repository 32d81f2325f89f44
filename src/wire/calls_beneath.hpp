#pragma once

namespace rondo::internal {

// How many MPI calls of the program's are under way in this thread in the definitions beneath the interposer: in them
// objects of MPI's may end, and delete functions of the program's may be called. 0 in a program without the interposer.
inline constinit thread_local int calls_beneath [[gnu::tls_model("initial-exec")]] = 0;

}  // namespace rondo::internal
