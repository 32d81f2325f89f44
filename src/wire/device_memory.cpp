#include "wire/device_memory.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <string_view>

#include "wire/library_loads.hpp"

namespace rondo::internal {

namespace {

// Constants and functions of the CUDA and HIP runtimes, written out here. Their headers need not be installed where
// Rondo is built, and the runtime of a program may be of any version.
constexpr int cuda_memory_type = 2;  // CU_POINTER_ATTRIBUTE_MEMORY_TYPE
constexpr int cuda_is_managed = 8;   // CU_POINTER_ATTRIBUTE_IS_MANAGED
constexpr unsigned cuda_device = 2;  // CU_MEMORYTYPE_DEVICE
using CudaAttribute = int (*)(void *value, int attribute, std::uintptr_t address);

// hipPointerAttribute_t is smaller than this. Its first member is the type of memory; HIP 6 has numbered those anew.
struct HipAttributes {
  std::int32_t type;
  std::int32_t others[63];
};
constexpr int hip_6 = 60000000;
using HipAttributesOf = int (*)(HipAttributes *attributes, const void *address);
using HipVersion = int (*)(int *version);
using HipError = int (*)();

// The file that a library has been loaded from, of whatever version.
struct LoadedFrom {
  explicit LoadedFrom(std::string_view of) : stem(of) { path[0] = 0; }

  std::string_view stem;
  std::array<char, PATH_MAX> path;  // empty where it has not been loaded

  void note(std::string_view loaded) {
    if (!loaded.substr(loaded.rfind('/') + 1).starts_with(stem) || loaded.size() >= path.size()) return;
    path[loaded.copy(path.data(), path.size() - 1)] = 0;
  }
  // It is asked for by its path: UCX puts itself in the place of dlopen and looks for a bare name in folders, so it
  // finds another file of that name rather than what has been loaded.
  [[nodiscard]] void *open() const { return path[0] == 0 ? nullptr : dlopen(path.data(), RTLD_LAZY | RTLD_NOLOAD); }
};

// The libraries that know device memory.
struct Loaded {
  LoadedFrom cuda{"libcuda.so"};
  LoadedFrom hip{"libamdhip64.so"};
};

int note_paths(dl_phdr_info *info, std::size_t, void *to) {
  auto &from = *static_cast<Loaded *>(to);
  from.cuda.note(info->dlpi_name);
  from.hip.note(info->dlpi_name);
  return 0;
}

struct Hip {
  HipAttributesOf attributes;
  HipError peek;
  HipError clear;
  int device;  // the type of memory
};

std::atomic<CudaAttribute> cuda{nullptr};
std::atomic<const Hip *> hip{nullptr};

void look_for_cuda(void *library) {
  if (library != nullptr) {
    cuda.store(reinterpret_cast<CudaAttribute>(dlsym(library, "cuPointerGetAttribute")));
  }
}

void look_for_hip(void *library) {
  static Hip found{};
  if (library == nullptr) return;
  found.attributes = reinterpret_cast<HipAttributesOf>(dlsym(library, "hipPointerGetAttributes"));
  found.peek = reinterpret_cast<HipError>(dlsym(library, "hipPeekAtLastError"));
  found.clear = reinterpret_cast<HipError>(dlsym(library, "hipGetLastError"));
  const auto version_of = reinterpret_cast<HipVersion>(dlsym(library, "hipRuntimeGetVersion"));
  int version = hip_6;
  if (version_of != nullptr) version_of(&version);
  found.device = version < hip_6 ? 1 : 2;
  if (found.attributes != nullptr) hip.store(&found);
}

bool is_of_cuda(const void *address) {
  const CudaAttribute ask = cuda.load();
  if (ask == nullptr) return false;
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  unsigned type = 0;
  unsigned managed = 0;
  if (ask(&type, cuda_memory_type, value) != 0 || type != cuda_device) return false;
  return ask(&managed, cuda_is_managed, value) != 0 || managed == 0;
}

// An address that HIP does not know leaves an error behind, which the program must not find.
bool is_of_hip(const void *address) {
  const Hip *const runtime = hip.load();
  if (runtime == nullptr) return false;
  const bool had_none = runtime->peek != nullptr && runtime->peek() == 0;
  HipAttributes attributes{};
  const bool known = runtime->attributes(&attributes, address) == 0;
  if (!known && had_none && runtime->clear != nullptr) runtime->clear();
  return known && attributes.type == runtime->device;
}

}  // namespace

bool may_have_device_memory() noexcept {
  static std::atomic<unsigned long long> looked_at{0};
  const unsigned long long now = libraries_loaded();
  if (now != looked_at.load(std::memory_order_acquire)) {
    Loaded from;
    dl_iterate_phdr(note_paths, &from);
    look_for_cuda(from.cuda.open());
    look_for_hip(from.hip.open());
    looked_at.store(now, std::memory_order_release);
  }
  return cuda.load() != nullptr || hip.load() != nullptr;
}

bool is_device_memory(const void *address) noexcept {
  return address != nullptr && may_have_device_memory() && (is_of_cuda(address) || is_of_hip(address));
}

}  // namespace rondo::internal
