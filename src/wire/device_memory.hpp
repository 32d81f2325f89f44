#pragma once

namespace rondo::internal {

// Whether CUDA or HIP is loaded in this process. Where nothing has been loaded since it was last asked, it takes some
// 20 ns: the list of what is loaded has a lock.
bool may_have_device_memory() noexcept;

// Whether an address is in memory of a GPU that the processor cannot read, as the runtime says that has allocated it.
// Managed memory is no such. False for all where no runtime is loaded.
bool is_device_memory(const void *address) noexcept;

// Whether both addresses are for certain in no memory that a GPU's runtime has allocated: in the data of the program's
// own file, or in the heap that grows by brk(), where small buffers of malloc() are; or they are no addresses of memory
// (null, MPI_BOTTOM, MPI_IN_PLACE). False where that is not known.
bool are_ordinary_memory(const void *one, const void *other) noexcept;

// is_device_memory() of two addresses.
struct OnDevice {
  bool send;
  bool receive;
};
inline OnDevice are_device_memory(const void *send, const void *receive) noexcept {
  if (are_ordinary_memory(send, receive) || !may_have_device_memory()) return {false, false};
  return {is_device_memory(send), is_device_memory(receive)};
}

}  // namespace rondo::internal
