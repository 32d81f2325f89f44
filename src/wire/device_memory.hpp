#pragma once

#include "wire/ordinary_memory.hpp"

namespace rondo::internal {

// Whether CUDA or HIP is loaded in this process. Where nothing has been loaded since it was last asked, that is seen in
// the number of what has (wire/library_loads.hpp).
bool may_have_device_memory() noexcept;

// Whether an address is in memory of a GPU that the processor cannot read, as the runtime says that has allocated it.
// Managed memory is no such. False for all where no runtime is loaded.
bool is_device_memory(const void *address) noexcept;

// is_device_memory() of two addresses. `possible`: a runtime is loaded, and one of them at least is not known to be
// ordinary memory.
struct OnDevice {
  bool send = false;
  bool receive = false;
  bool possible = false;
};
inline OnDevice are_device_memory(const void *send, const void *receive) noexcept {
  if (are_ordinary_memory(send, receive) || !may_have_device_memory()) return {};
  return {is_device_memory(send), is_device_memory(receive), true};
}

}  // namespace rondo::internal
