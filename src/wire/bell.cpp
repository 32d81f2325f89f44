#include "wire/bell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace rondo::internal {

void Bell::wake() {
  rings_.fetch_add(1, std::memory_order_seq_cst);
  syscall(SYS_futex, &rings_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Bell::sleep_unless_rung(std::uint32_t seen, std::chrono::microseconds time) {
  const timespec limit{time.count() / 1'000'000, time.count() % 1'000'000 * 1'000};
  syscall(SYS_futex, &rings_, FUTEX_WAIT, seen, &limit, nullptr, 0);
}

}  // namespace rondo::internal
