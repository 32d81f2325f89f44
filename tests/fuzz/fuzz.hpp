// What a fuzzer of one parser is made of. Built with clang, libFuzzer calls it with what it makes up (./dev fuzz); else
// replay.cpp calls it with the files of the corpus.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace rondo::internal::fuzz {

inline std::string_view text_of(const std::uint8_t *data, std::size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

// Ends the program, as libFuzzer wants it, where a parser does not do what it should.
inline void require(bool good, const char *what, const std::string &found = {}) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n", what, found.c_str());
  std::abort();
}

}  // namespace rondo::internal::fuzz
