#pragma once

#include <memory>
#include <stdexcept>

namespace rondo {

// What the call throws; a failure when it throws nothing of the kind.
template <class Fault, class Call>
std::unique_ptr<Fault> thrown(Call &&call) {
  try {
    call();
  } catch (const Fault &fault) {
    return std::make_unique<Fault>(fault);
  }
  throw std::logic_error("nothing was thrown");
}

}  // namespace rondo
