#pragma once

namespace rondo::internal::cli {

// While one lives, Ctrl-C and SIGTERM are taken note of instead of ending the program, so that it can say what it has
// found out so far. When they come again a while later they do end it. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption &) = delete;
  Interruption &operator=(const Interruption &) = delete;

  static bool asked_for();
  static constexpr int exit_status = 130;  // that of a program which Ctrl-C has ended
};

}  // namespace rondo::internal::cli
