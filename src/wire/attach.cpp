#include "wire/attach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <vector>

#include "exchange/error.hpp"

namespace rondo {

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

void read_process(pid_t process, std::span<const iovec> to, std::span<const iovec> from) {
  const std::size_t bytes = total(to);
  std::size_t done = 0;
  while (done < bytes) {
    iovec partial_to{};
    iovec partial_from{};
    const auto rest_to = without(to, done, partial_to);
    const auto rest_from = without(from, done, partial_from);
    const auto limit = [](std::span<const iovec> pieces) { return std::min<std::size_t>(pieces.size(), IOV_MAX); };
    const ssize_t read =
        process_vm_readv(process, rest_to.data(), limit(rest_to), rest_from.data(), limit(rest_from), 0);
    if (read <= 0) {
      throw Error(Fault::internal, fmt::format("reading {} bytes from process {} failed after {}: {}", bytes, process,
                                               done, std::strerror(errno)));
    }
    done += static_cast<std::size_t>(read);
  }
}

bool can_read_process(pid_t process, const void *address, std::uint64_t expected) noexcept {
  std::uint64_t found = 0;
  const iovec to{&found, sizeof(found)};
  const iovec from{const_cast<void *>(address), sizeof(found)};
  return process_vm_readv(process, &to, 1, &from, 1, 0) == sizeof(found) && found == expected;
}

}  // namespace rondo
