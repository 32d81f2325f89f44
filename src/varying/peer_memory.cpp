#include "varying/peer_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

[[noreturn]] void refuse(int error) {
  throw Error(Fault::no_memory, fmt::format("what another rank of the node sends cannot be mapped: {}",
                                            std::generic_category().message(error)));
}

bool has_cookie(int file, std::uint64_t cookie) {
  std::uint64_t found = 0;
  return pread(file, &found, sizeof(found), 0) == sizeof(found) && found == cookie;
}

}  // namespace

PeerMemory::~PeerMemory() {
  if (begin_ != nullptr) munmap(begin_, static_cast<std::size_t>(bytes_));
}

void PeerMemory::map(const SharedBlock &block) {
  const Descriptor file(open_memory_file(block.file));
  if (file.number() < 0) refuse(errno);
  if (!has_cookie(file.number(), block.file.cookie)) refuse(ESRCH);
  void *const begin = mmap(nullptr, static_cast<std::size_t>(block.bytes), PROT_READ, MAP_SHARED, file.number(),
                           static_cast<off_t>(block.at));
  if (begin == MAP_FAILED) refuse(errno);
  begin_ = static_cast<std::byte *>(begin);
  bytes_ = block.bytes;
}

}  // namespace rondo::internal
