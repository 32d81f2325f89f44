#include "api/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "exchange/error.hpp"
#include "plans/parameter_words.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

[[noreturn]] void reject(const std::string &key, const std::string &value, const char *expected) {
  throw Error(Fault::hint, fmt::format("hint {}: '{}' is not {}", key, value, expected));
}

std::int64_t number(const std::string &key, const std::string &value, std::int64_t least, std::int64_t most) {
  std::int64_t result = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (fault != std::errc{} || end != value.data() + value.size() || result < least || result > most) {
    reject(key, value, fmt::format("a whole number from {} to {}", least, most).c_str());
  }
  return result;
}

bool truth(const std::string &key, const std::string &value) {
  if (value == "1" || value == "true" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "no") return false;
  reject(key, value, "0 or 1");
}

constexpr std::int64_t most_int = 2147483647;
constexpr std::string_view prefix = "rondo_";

void take_algorithm(Hints &hints, const std::string &, const std::string &value) {
  hints.wish.algorithm = value;
}
void take_parameter(Hints &hints, const std::string &key, const std::string &value) {
  const ParameterWord &word = *find_parameter_word(std::string_view(key).substr(prefix.size()));
  if (!word.read(value, hints.wish.parameters)) reject(key, value, std::string(word.expected).c_str());
}
void take_scratch_limit(Hints &hints, const std::string &key, const std::string &value) {
  hints.wish.scratch_limit = number(key, value, 0, INT64_MAX);
}
void take_validate(Hints &hints, const std::string &key, const std::string &value) {
  hints.validate = truth(key, value);
}
void take_report(Hints &hints, const std::string &key, const std::string &value) {
  hints.report = truth(key, value);
}
void take_errors(Hints &hints, const std::string &key, const std::string &value) {
  if (value != "return" && value != "handler") reject(key, value, "'return' or 'handler'");
  hints.errors_to_handler = value == "handler";
}
void take_progress(Hints &hints, const std::string &key, const std::string &value) {
  if (value != "caller" && value != "thread") reject(key, value, "'caller' or 'thread'");
  hints.progress_thread = value == "thread";
}
void take_tune(Hints &, const std::string &key, const std::string &value) {
  if (value != "estimate") reject(key, value, "'estimate'");
}
void take_wire(Hints &hints, const std::string &key, const std::string &value) {
  if (value == "auto") {
    hints.wire = WireHint::automatic;
  } else if (value == "packed") {
    hints.wire = WireHint::packed;
  } else if (value == "shared") {
    hints.wire = WireHint::shared;
  } else if (value == "datatype") {
    hints.wire = WireHint::datatype;
  } else {
    reject(key, value, "'auto', 'packed', 'shared' or 'datatype'");
  }
}
void take_node_size(Hints &hints, const std::string &key, const std::string &value) {
  hints.node_size = static_cast<int>(number(key, value, 0, most_int));
}
void take_stall_timeout(Hints &hints, const std::string &key, const std::string &value) {
  constexpr double most = 1e9;
  double seconds = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  const bool whole = fault == std::errc{} && end == value.data() + value.size();
  if (!whole || !(seconds >= 0 && seconds <= most)) reject(key, value, "a number of seconds from 0 to 1000000000");
  hints.stall_timeout = std::chrono::duration<double>(seconds);
}
void take_native(Hints &hints, const std::string &key, const std::string &value) {
  if (value == "auto") return;
  if (value == "persistent") {
    hints.native = NativeKind::persistent;
  } else if (value == "nonblocking") {
    hints.native = NativeKind::nonblocking;
  } else {
    reject(key, value, "'auto', 'persistent' or 'nonblocking'");
  }
}

struct Known {
  std::string_view key;
  void (*take)(Hints &, const std::string &key, const std::string &value);
};

constexpr std::array known_hints = {
    Known{"rondo_algorithm", take_algorithm},
    Known{"rondo_block_count", take_parameter},
    Known{"rondo_errors", take_errors},
    Known{"rondo_leaders", take_parameter},
    Known{"rondo_native", take_native},
    Known{"rondo_node_size", take_node_size},
    Known{"rondo_stall_timeout", take_stall_timeout},
    Known{"rondo_pattern", take_parameter},
    Known{"rondo_progress", take_progress},
    Known{"rondo_radix", take_parameter},
    Known{"rondo_report", take_report},
    Known{"rondo_scratch_limit", take_scratch_limit},
    Known{"rondo_tune", take_tune},
    Known{"rondo_validate", take_validate},
    Known{"rondo_wire", take_wire},
};

const Known *find_known(std::string_view key) {
  const auto found = std::find_if(known_hints.begin(), known_hints.end(), [&](const Known &k) { return k.key == key; });
  return found == known_hints.end() ? nullptr : &*found;
}

std::string upper_case(std::string_view key) {
  std::string name(key);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

void read_environment(HintPairs &pairs) {
  for (const Known &known : known_hints) {
    if (const char *value = std::getenv(upper_case(known.key).c_str())) pairs[std::string(known.key)] = value;
  }
}

void read_info(MPI_Info info, HintPairs &pairs) {
  int count = 0;
  check_mpi(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = {};
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int found = 0;
    check_mpi(MPI_Info_get_nthkey(info, i, key), "MPI_Info_get_nthkey");
    check_mpi(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found), "MPI_Info_get");
    if (std::string_view(key).starts_with(prefix)) pairs[key] = value;
  }
}

std::string known_keys() {
  std::string keys;
  for (const Known &known : known_hints) keys += (keys.empty() ? "" : ", ") + std::string(known.key);
  return keys;
}

}  // namespace

std::int64_t Hints::fingerprint() const {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a: the same on every rank, which std::hash need not be
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3U;
  return static_cast<std::int64_t>(hash >> 2);
}

Hints parse_hints(MPI_Info info) {
  const ErrorsReturned returned;
  HintPairs pairs;
  read_environment(pairs);
  if (info != MPI_INFO_NULL) read_info(info, pairs);
  return parse_hints(pairs);
}

Hints parse_hints(const HintPairs &pairs) {
  Hints hints;
  for (const auto &[key, value] : pairs) {
    const Known *known = find_known(key);
    if (known == nullptr) {
      throw Error(Fault::hint, fmt::format("there is no hint '{}'; there are {}", key, known_keys()));
    }
    known->take(hints, key, value);
    hints.text += fmt::format("{}={} ", key, value);
  }
  return hints;
}

bool wants_handler(MPI_Info info) noexcept {
  try {
    const ErrorsReturned returned;
    HintPairs pairs;
    read_environment(pairs);
    if (info != MPI_INFO_NULL) read_info(info, pairs);
    const auto found = pairs.find("rondo_errors");
    return found != pairs.end() && found->second == "handler";
  } catch (const std::exception &) {
    return false;
  }
}

}  // namespace rondo
