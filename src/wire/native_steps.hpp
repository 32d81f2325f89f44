#pragma once

#include "wire/native.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// The wire native: the whole exchange is one step of the MPI library's own call.
class NativeSteps : public WireSteps {
 public:
  explicit NativeSteps(const Binding &binding) : call_(binding.native) {}

  [[nodiscard]] bool in_use() const { return call_ != nullptr; }
  void begin(std::size_t, const Start &) { call_->start(); }
  bool arrived(std::size_t, const Start &, bool may_call_mpi) {
    return !call_->under_way() || (may_call_mpi && call_->complete());
  }
  void finish(std::size_t) {}
  // The call does not tell.
  void name_missing(std::size_t, const Start &, std::set<int> &) const {}
  [[nodiscard]] std::uint32_t arrivals(std::size_t) const { return 0; }

  [[nodiscard]] bool begin_calls_mpi(std::size_t) const { return true; }
  [[nodiscard]] bool calls_mpi() const { return true; }
  [[nodiscard]] bool waits_in_mpi() const { return true; }
  void wait_in_mpi(std::size_t) { call_->wait(); }
  [[nodiscard]] bool must_look() const { return call_->under_way(); }
  Unfinished withdraw(std::size_t) { return {0, call_->ends_in_time() ? 0 : 1}; }

 private:
  NativeCall *call_;
};

}  // namespace rondo::internal
