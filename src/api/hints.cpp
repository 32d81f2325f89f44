#include "api/hints.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <vector>

#include "exchange/error.hpp"
#include "exchange/fingerprint.hpp"
#include "exchange/nearest_name.hpp"
#include "plans/parameter_words.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// A value that does not parse; parse_hints, which knows where it comes from, makes an Error of it.
struct Rejected {
  std::string expected;
};

[[noreturn]] void reject(std::string expected) {
  throw Rejected{std::move(expected)};
}

std::int64_t number(const std::string &value, std::int64_t least, std::int64_t most) {
  std::int64_t result = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (fault != std::errc{} || end != value.data() + value.size() || result < least || result > most) {
    reject(fmt::format("a whole number from {} to {}", least, most));
  }
  return result;
}

std::string in_case(std::string_view text, int (*change)(int)) {
  std::string result(text);
  std::transform(text.begin(), text.end(), result.begin(),
                 [&](unsigned char c) { return static_cast<char>(change(c)); });
  return result;
}

// `also` is a word for which the caller has looked before; empty: there is none.
bool truth_or(const std::string &given, std::string_view also) {
  const std::string value = in_case(given, std::tolower);
  if (value == "1" || value == "true" || value == "yes") return true;
  if (value == "0" || value == "false" || value == "no") return false;
  if (also.empty()) reject("1, true, yes, 0, false or no");
  reject(fmt::format("1, true, yes, 0, false, no or {}", also));
}

bool truth(const std::string &given) {
  return truth_or(given, {});
}

std::chrono::duration<double> seconds(const std::string &value) {
  constexpr double most = 1e9;
  double result = 0;
  const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
  const bool whole = fault == std::errc{} && end == value.data() + value.size();
  if (!whole || !(result >= 0 && result <= most)) reject("a number of seconds from 0 to 1000000000");
  return std::chrono::duration<double>(result);
}

constexpr std::int64_t most_int = 2147483647;
constexpr std::string_view prefix = "rondo_";

void take_algorithm(Hints &hints, const std::string &, const std::string &value) {
  hints.wish.algorithm = value;
}
void take_parameter(Hints &hints, const std::string &key, const std::string &value) {
  const ParameterWord &word = *find_parameter_word(std::string_view(key).substr(prefix.size()));
  if (!word.read(value, hints.wish.parameters)) reject(std::string(word.expected));
}
void take_shared_limit(Hints &hints, const std::string &, const std::string &value) {
  hints.shared_limit = number(value, 0, INT64_MAX);
}

void take_expected_bytes(Hints &hints, const std::string &, const std::string &value) {
  hints.expected_bytes = number(value, 0, INT64_MAX);
}
void take_metadata(Hints &hints, const std::string &, const std::string &value) {
  if (value != "joined" && value != "separate") reject("'joined' or 'separate'");
  hints.metadata = value == "separate" ? Metadata::separate : Metadata::joined;
}

void take_scratch_limit(Hints &hints, const std::string &, const std::string &value) {
  hints.wish.scratch_limit = number(value, 0, INT64_MAX);
}
void take_validate(Hints &hints, const std::string &, const std::string &value) {
  hints.validate = truth(value);
}
// Words with commas between them. Some are for the interposer alone, which reads the same variable
// (docs/interposer.md).
void take_report(Hints &hints, const std::string &, const std::string &value) {
  hints.explains = hints.report = false;
  std::istringstream words(value);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "saved" || word == "waits" || word.starts_with("json:")) continue;
    const bool explains = word == "explain";
    const bool reports = explains || truth_or(word, "explain");
    hints.explains = hints.explains || explains;
    hints.report = hints.report || reports;
  }
}
void take_errors(Hints &hints, const std::string &, const std::string &value) {
  if (value != "return" && value != "handler") reject("'return' or 'handler'");
  hints.errors_to_handler = value == "handler";
}
void take_progress(Hints &hints, const std::string &, const std::string &value) {
  if (value != "caller" && value != "thread") reject("'caller' or 'thread'");
  hints.progress_thread = value == "thread";
}
void take_tune(Hints &hints, const std::string &, const std::string &value) {
  if (value != "estimate" && value != "measure") reject("'estimate' or 'measure'");
  hints.measures = value == "measure";
}
void take_tune_budget(Hints &hints, const std::string &, const std::string &value) {
  hints.tune_budget = seconds(value);
}
void take_profile(Hints &hints, const std::string &, const std::string &value) {
  hints.profile = value;
}
void take_wire(Hints &hints, const std::string &, const std::string &value) {
  if (value == "auto") return;
  hints.wire = find_wire(value);
  if (!hints.wire) reject("auto, " + list_wires());
}
void take_long_messages(Hints &hints, const std::string &, const std::string &value) {
  if (value == "auto") {
    hints.long_messages = LongMessages::automatic;
  } else if (value == "rings") {
    hints.long_messages = LongMessages::rings;
  } else if (value == "attach") {
    hints.long_messages = LongMessages::attach;
  } else {
    reject("'auto', 'rings' or 'attach'");
  }
}
void take_node_size(Hints &hints, const std::string &, const std::string &value) {
  hints.node_size = static_cast<int>(number(value, 0, most_int));
}
void take_stall_timeout(Hints &hints, const std::string &, const std::string &value) {
  hints.stall_timeout = seconds(value);
}
void take_native(Hints &hints, const std::string &, const std::string &value) {
  if (value == "auto") return;
  if (value == "persistent") {
    hints.native = NativeKind::persistent;
  } else if (value == "nonblocking") {
    hints.native = NativeKind::nonblocking;
  } else {
    reject("'auto', 'persistent' or 'nonblocking'");
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
    Known{"rondo_expected_bytes", take_expected_bytes},
    Known{"rondo_leaders", take_parameter},
    Known{"rondo_long_messages", take_long_messages},
    Known{"rondo_metadata", take_metadata},
    Known{"rondo_native", take_native},
    Known{"rondo_node_size", take_node_size},
    Known{"rondo_stall_timeout", take_stall_timeout},
    Known{"rondo_pattern", take_parameter},
    Known{"rondo_profile", take_profile},
    Known{"rondo_progress", take_progress},
    Known{"rondo_radix", take_parameter},
    Known{"rondo_report", take_report},
    Known{"rondo_scratch_limit", take_scratch_limit},
    Known{"rondo_shared_limit", take_shared_limit},
    Known{"rondo_tune", take_tune},
    Known{"rondo_tune_budget", take_tune_budget},
    Known{"rondo_validate", take_validate},
    Known{"rondo_wire", take_wire},
};

const Known *find_known(std::string_view key) {
  const auto found = std::find_if(known_hints.begin(), known_hints.end(), [&](const Known &k) { return k.key == key; });
  return found == known_hints.end() ? nullptr : &*found;
}

std::string variable_of(std::string_view key) {
  return in_case(key, std::toupper);
}

// In one walk over the environment, as few programs set any of them. Of a variable that is there twice the first
// counts, as for getenv.
void read_environment(GivenHints &given) {
  for (char **variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    if (**variable != 'R' || std::strncmp(*variable, "RONDO_", 6) != 0) continue;
    const std::string_view text = *variable;
    const std::size_t end = text.find('=');
    if (end == std::string_view::npos) continue;
    const std::string_view name = text.substr(0, end);
    const auto known = std::find_if(known_hints.begin(), known_hints.end(),
                                    [&](const Known &one) { return variable_of(one.key) == name; });
    if (known != known_hints.end()) given.emplace(known->key, GivenHint{std::string(text.substr(end + 1)), true});
  }
}

void read_info(MPI_Info info, GivenHints &given) {
  int count = 0;
  check_mpi(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    char key[MPI_MAX_INFO_KEY + 1] = {};
    char value[MPI_MAX_INFO_VAL + 1] = {};
    int found = 0;
    check_mpi(MPI_Info_get_nthkey(info, i, key), "MPI_Info_get_nthkey");
    check_mpi(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found), "MPI_Info_get");
    if (std::string_view(key).starts_with(prefix)) given[key] = {value, false};
  }
}

GivenHints read_all(MPI_Info info) {
  const ErrorsReturned returned;
  GivenHints given;
  read_environment(given);
  if (info != MPI_INFO_NULL) read_info(info, given);
  return given;
}

std::string unknown(const std::string &key) {
  std::vector<std::string_view> keys;
  for (const Known &known : known_hints) keys.push_back(known.key);
  return fmt::format("there is no hint '{}'{}; there are {}", key, did_you_mean(key, keys), fmt::join(keys, ", "));
}

void take(Hints &hints, const std::string &key, const GivenHint &given) {
  const Known *known = find_known(key);
  if (known == nullptr) throw Error(Fault::hint, unknown(key));
  try {
    known->take(hints, key, given.value);
  } catch (const Rejected &rejected) {
    throw Error(Fault::hint, fmt::format("{}: '{}' is not {}", given.origin(key), given.value, rejected.expected));
  }
}

}  // namespace

std::int64_t Hints::fingerprint() const {
  return fingerprint_of(text);
}

Hints parse_hints(MPI_Info info) {
  return parse_hints(read_all(info));
}

Hints parse_hints(GivenHints given) {
  Hints hints;
  for (const auto &[key, hint] : given) {
    take(hints, key, hint);
    hints.text += fmt::format("{}={}\n", key, hint.value);
  }
  const auto algorithm = given.find("rondo_algorithm");
  if (algorithm != given.end() && algorithm->second.by_environment) {
    hints.wish.said_by = algorithm->second.origin(algorithm->first);
  }
  hints.given = std::move(given);
  return hints;
}

Hints hints_for_trial(const Hints &hints, const Choice &choice) {
  GivenHints given = hints.given;
  for (const char *key : {"rondo_errors", "rondo_report", "rondo_tune", "rondo_validate"}) {
    given.erase(key);
  }
  given["rondo_algorithm"] = {std::string(choice.algorithm->name)};
  for (const ParameterWord &word : parameter_words()) {
    const std::string value = word.write(choice.parameters);
    const std::string key = fmt::format("{}{}", prefix, word.name);
    given.erase(key);
    if (!value.empty()) given[key] = {value};
  }
  return parse_hints(std::move(given));
}

std::string hints_of_case(const Hints &hints) {
  std::string text;
  for (const auto &[key, hint] : hints.given) {
    const bool bears = key == "rondo_algorithm" || key == "rondo_long_messages" || key == "rondo_native" ||
                       key == "rondo_progress" || key == "rondo_scratch_limit" || key == "rondo_wire" ||
                       find_parameter_word(std::string_view(key).substr(prefix.size())) != nullptr;
    if (bears) text += fmt::format(" {}={}", key.substr(prefix.size()), hint.value);
  }
  return text;
}

std::string GivenHint::origin(const std::string &key) const {
  return by_environment ? "environment variable " + variable_of(key) : fmt::format("hint {} of the info", key);
}

namespace {

// The value of a key in lines key=value; nothing where it is not among them.
std::optional<std::string_view> value_in(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with(key) && line.substr(key.size()).starts_with('=')) return line.substr(key.size() + 1);
  }
  return std::nullopt;
}

std::string quoted(std::optional<std::string_view> value) {
  return value ? fmt::format("'{}'", *value) : "not set";
}

}  // namespace

std::string difference(const Hints &hints, std::string_view text_of_other, int other) {
  for (const Known &known : known_hints) {
    const std::string key(known.key);
    const auto here = hints.given.find(key);
    const bool set = here != hints.given.end();
    std::optional<std::string_view> mine;
    if (set) mine = here->second.value;
    const auto its = value_in(text_of_other, key);
    if (mine == its) continue;
    return fmt::format("{} is {} here{}, and {} on rank {}", key, quoted(mine),
                       set ? fmt::format(" ({})", here->second.origin(key)) : "", quoted(its), other);
  }
  return {};
}

bool wants_handler(MPI_Info info) noexcept {
  try {
    const GivenHints given = read_all(info);
    const auto found = given.find("rondo_errors");
    return found != given.end() && found->second.value == "handler";
  } catch (const std::exception &) {
    return false;
  }
}

}  // namespace rondo::internal
