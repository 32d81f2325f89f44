#include "pmpi/requests/call_operation.hpp"

#include "plan/progress.hpp"
#include "pmpi/pass/blocked.hpp"

namespace rondo::internal::pmpi {

bool CallOperation::test() {
  drive_running();
  return call_.look();
}

void CallOperation::wait() {
  const Blocked blocked(Blocked::drives_itself);
  call_.wait();
}

}  // namespace rondo::internal::pmpi
