#pragma once

namespace rondo::internal {

// Between two looks at memory that another process will write.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// To be called in a branch that must stay one. The processor guesses where a branch goes and goes on; where a compiler
// computes an address instead, without one, it waits for what that is computed from.
inline void keep_branch() {
  asm volatile("");
}

// How often who waits for one thing alone may look for it again, before anything else is looked at.
//
// What has come is then seen sooner than by way of all that might have come. And the processor, which guesses that it
// has, begins to fetch what will be read next before the look says so (docs/performance.md). So looks belong next to
// what is done with what has come.
class Looks {
 public:
  // One look only.
  Looks() = default;
  explicit Looks(int more) : most_(more) {}

  // Whether a look has found what it is for; each but the first is after a pause.
  template <class Found>
  bool until(Found &&found) {
    if (found()) return true;
    for (int left = most_ - pauses_; left > 0; --left) {
      relax();
      if (!found()) continue;
      pauses_ = most_ - left + 1;
      return true;
    }
    pauses_ = most_;
    return false;
  }
  [[nodiscard]] int pauses() const { return pauses_; }

 private:
  int most_ = 0;
  int pauses_ = 0;
};

}  // namespace rondo::internal
