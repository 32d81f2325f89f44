#include "pmpi/requests/call_operation.hpp"

#include "pmpi/pass/blocked.hpp"
#include "wire/library_progress.hpp"

namespace rondo::internal::pmpi {

// Another rank may wait for a message of the program's, or for a call of the MPI library's, before it comes to this
// call: so these move, too, when a program tests again and again.
bool CallOperation::test() {
  call_.drive_others();
  if (look()) return true;
  let_library_move();
  return false;
}

bool CallOperation::look() {
  if (!call_.look()) return false;
  release();
  return true;
}

void CallOperation::wait() {
  const Blocked blocked(Blocked::drives_itself);
  call_.wait();
  release();
}

// Datatypes that are held for a call end with it, and so does much memory. What holds none is found again by the next
// call, maybe.
void CallOperation::release() {
  if (!messages_->held.empty()) messages_.reset();
  constexpr std::int64_t most_kept = std::int64_t{1} << 20;
  call_.keep_at_most(most_kept);
}

}  // namespace rondo::internal::pmpi
