// The parser of hints, given as lines KEY=VALUE: they are taken, or the first that is not is named.

#include "api/hints.hpp"

#include <algorithm>

#include "exchange/error.hpp"
#include "fuzz.hpp"

namespace rondo::internal::fuzz {
namespace {

GivenHints hints_of(std::string_view text) {
  GivenHints given;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    // MPI and the environment end a string at a zero.
    const std::string whole(line.substr(0, line.find('\0')));
    const std::size_t sign = std::min(whole.find('='), whole.size());
    given[whole.substr(0, sign)] = {whole.substr(std::min(sign + 1, whole.size()))};
  }
  return given;
}

void check(const Hints &hints, const GivenHints &given) {
  require(hints.fingerprint() == parse_hints(given).fingerprint(), "the same hints have two fingerprints", hints.text);
  require(hints.node_size >= 0 && hints.wish.scratch_limit.value_or(0) >= 0, "a negative number", hints.text);
  require(hints.stall_timeout.count() >= 0 && hints.stall_timeout.count() < 1e12, "no time to wait", hints.text);
  require(hints.wish.parameters.radix >= 0, "a negative radix", hints.text);
}

void parse(const GivenHints &given) {
  try {
    check(parse_hints(given), given);
  } catch (const Error &error) {
    require(error.fault == Fault::hint, "another fault than that of a hint", error.what());
    const bool named = std::any_of(given.begin(), given.end(), [&](const auto &pair) {
      return error.message().find(pair.first) != std::string::npos;
    });
    require(named, "the error names no key", error.what());
  }
}

}  // namespace
}  // namespace rondo::internal::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  rondo::internal::fuzz::parse(rondo::internal::fuzz::hints_of(rondo::internal::fuzz::text_of(data, size)));
  return 0;
}
