#include "wire/attach.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <vector>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

// Takes `bytes` off the front of a list of pieces.
std::span<const iovec> without(std::span<const iovec> pieces, std::size_t bytes, iovec &partial) {
  while (!pieces.empty() && bytes >= pieces.front().iov_len) {
    bytes -= pieces.front().iov_len;
    pieces = pieces.subspan(1);
  }
  if (pieces.empty() || bytes == 0) return pieces;
  partial = {static_cast<char *>(pieces.front().iov_base) + bytes, pieces.front().iov_len - bytes};
  return {&partial, 1};  // the rest of the piece first; the caller comes back for those after it
}

std::size_t total(std::span<const iovec> pieces) {
  std::size_t bytes = 0;
  for (const iovec &piece : pieces) bytes += piece.iov_len;
  return bytes;
}

}  // namespace

namespace {

// Calls process_vm_readv again when a signal has interrupted it.
ssize_t read_pieces(pid_t process, std::span<const iovec> to, std::span<const iovec> from) {
  ssize_t read = -1;
  do read = process_vm_readv(process, to.data(), to.size(), from.data(), from.size(), 0);
  while (read < 0 && errno == EINTR);
  return read;
}

}  // namespace

void read_process(pid_t process, std::span<const iovec> to, std::span<const iovec> from) {
  const std::size_t bytes = total(to);
  std::size_t done = 0;
  while (done < bytes) {
    iovec partial_to{};
    iovec partial_from{};
    const auto rest_to = without(to, done, partial_to);
    const auto rest_from = without(from, done, partial_from);
    const auto limited = [](std::span<const iovec> pieces) {
      return pieces.first(std::min<std::size_t>(pieces.size(), IOV_MAX));
    };
    const ssize_t read = read_pieces(process, limited(rest_to), limited(rest_from));
    if (read <= 0) {
      const int reason = errno;
      throw Error(Fault::internal, fmt::format("reading {} bytes from process {} failed after {}: {}", bytes, process,
                                               done, std::strerror(reason)))
          .with_values(reason);
    }
    done += static_cast<std::size_t>(read);
  }
}

Error unreadable(int rank, const Error &reason) {
  if (reason.value != ESRCH && reason.value != EFAULT) return Error(reason).with_peer(rank);
  return Error(Fault::stalled,
               fmt::format("rank {} has ended, or freed what it was sending: {}", rank, reason.message()))
      .with_peer(rank);
}

bool can_read_process(pid_t process, const void *address, std::uint64_t expected) noexcept {
  std::uint64_t found = 0;
  const iovec to{&found, sizeof(found)};
  const iovec from{const_cast<void *>(address), sizeof(found)};
  return read_pieces(process, {&to, 1}, {&from, 1}) == sizeof(found) && found == expected;
}

bool others_can_read(std::span<const std::byte *const> bytes) {
  std::array<iovec, 512> from;
  std::array<std::byte, from.size()> found;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), from.size()))) {
    const std::size_t count = std::min(bytes.size(), from.size());
    for (std::size_t i = 0; i < count; ++i) from[i] = {const_cast<std::byte *>(bytes[i]), 1};
    const iovec to{found.data(), count};
    if (read_pieces(getpid(), {&to, 1}, std::span(from).first(count)) != static_cast<ssize_t>(count)) return false;
  }
  return true;
}

}  // namespace rondo::internal
