#include "pmpi/requests/call_operation.hpp"

#include "pmpi/pass/blocked.hpp"

namespace rondo::internal::pmpi {

bool CallOperation::test() {
  call_.drive_others();
  return look();
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

// Datatypes that are held for a call end with it. What holds none is found again by the next call, maybe.
void CallOperation::release() {
  if (!messages_->held.empty()) messages_.reset();
}

}  // namespace rondo::internal::pmpi
