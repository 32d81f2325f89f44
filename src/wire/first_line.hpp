#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

namespace rondo::internal {

// The first line of a file of the kernel's, as far as it fits into so many bytes with the zero behind it; empty where
// it cannot be read. Takes no memory, as streams do, which would not say that there is none.
template <std::size_t bytes>
struct FirstLine {
  explicit FirstLine(const char *path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t length = read(file, text.data(), text.size() - 1);
    close(file);
    text[static_cast<std::size_t>(std::max<ssize_t>(length, 0))] = '\0';
    text[std::strcspn(text.data(), "\n")] = '\0';
  }

  std::array<char, bytes> text{};
};

}  // namespace rondo::internal
