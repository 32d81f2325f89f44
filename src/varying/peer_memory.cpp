#include "varying/peer_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "wire/memory_file.hpp"

namespace rondo::internal {

namespace {

bool has_cookie(int file, std::uint64_t cookie) {
  std::uint64_t found = 0;
  return pread(file, &found, sizeof(found), 0) == sizeof(found) && found == cookie;
}

}  // namespace

PeerMemory::~PeerMemory() {
  if (begin_ != nullptr) munmap(begin_, static_cast<std::size_t>(bytes_));
}

bool PeerMemory::map(const SharedBlock &block) {
  const Descriptor file(open_memory_file(block.file));
  if (file.number() < 0 || !has_cookie(file.number(), block.file.cookie)) return false;
  begin_ = static_cast<std::byte *>(map_sparse_file(file.number(), block.at, block.bytes, PROT_READ));
  bytes_ = block.bytes;
  return begin_ != nullptr;
}

}  // namespace rondo::internal
