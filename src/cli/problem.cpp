#include "cli/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "cli/problem_keys.hpp"
#include "exchange/nearest_name.hpp"
#include "plans/parameter_words.hpp"

namespace rondo::internal::cli {

namespace {

// By Problem::Call.
constexpr std::string_view calls[] = {"alltoallv",         "alltoall",   "alltoallw",
                                      "alltoallv_varying", "allgatherv", "neighbor_alltoallv"};

constexpr std::string_view blanks = " \t\n\r";

// Columns before the position, which for text in UTF-8 are fewer than bytes.
std::size_t column(std::string_view text, std::size_t position) {
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto before = text.substr(0, position);
  return static_cast<std::size_t>(std::count_if(before.begin(), before.end(), starts_character));
}

std::string pointed_out(std::string_view text, std::size_t position, const std::string &reason) {
  std::string line(text);
  for (char &c : line) c = blanks.find(c) == std::string_view::npos ? c : ' ';
  return fmt::format("{}\n  {}\n  {:>{}}", reason, line, '^', column(text, position) + 1);
}

// A word and where it starts.
struct Word {
  std::string_view text;
  std::size_t position;
};

class ProblemParser {
 public:
  ProblemParser(std::string_view text, int ranks) : text_(text), known_ranks_(ranks) {}

  Problem parse() {
    parse_call();
    while (next_word()) parse_pair();
    take_from_trace();
    if (problem_.ranks == 0) problem_.ranks = known_ranks_;
    check_ranks();
    check_groups();
    check_sizes();
    check_parameters();
    return problem_;
  }

 private:
  [[noreturn]] void fail(std::size_t position, std::string reason) const {
    throw ProblemError(text_, position, std::move(reason));
  }

  bool next_word() {
    const std::size_t first = std::min(text_.find_first_not_of(blanks, end_), text_.size());
    end_ = std::min(text_.find_first_of(blanks, first), text_.size());
    word_ = {text_.substr(first, end_ - first), first};
    return !word_.text.empty();
  }

  void parse_call() {
    next_word();
    const auto *const call = std::find(std::begin(calls), std::end(calls), word_.text);
    if (call == std::end(calls)) {
      fail(word_.position, fmt::format("a problem starts with one of {}", fmt::join(calls, ", ")));
    }
    problem_.call = static_cast<Problem::Call>(call - std::begin(calls));
    if (problem_.call == Problem::Call::alltoall) problem_.distribution.kind = Distribution::Kind::constant;
  }

  void parse_pair() {
    const std::size_t sign = word_.text.find('=');
    const std::string_view name = word_.text.substr(0, sign);
    const auto keys = problem_keys();
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const ProblemKey &k) { return k.name == name; });
    if (key == keys.end()) {
      fail(word_.position, fmt::format("unknown key '{}'{}: expected one of {}", name, did_you_mean(name, key_names()),
                                       fmt::join(key_names(), ", ")));
    }
    if (sign == std::string_view::npos) {
      fail(word_.position + name.size(), fmt::format("expected {}=VALUE", name));
    }
    if (places_.contains(key->name)) fail(word_.position, fmt::format("{} is said twice", name));
    const std::string_view value = word_.text.substr(sign + 1);
    places_[key->name] = word_.position + sign + 1;
    if (!read(*key, value)) {
      fail(places_[key->name],
           fmt::format("{}={}{}: expected {}", name, value,
                       name == "algorithm" ? did_you_mean(value, algorithm_names(problem_.kind())) : "",
                       key->expected(problem_)));
    }
  }

  // False when the value is not what is expected.
  bool read(const ProblemKey &key, std::string_view value) {
    try {
      return key.read(value, problem_);
    } catch (const UsageError &error) {  // of a file that the value names
      fail(places_[key.name], error.what());
    }
  }

  static std::vector<std::string_view> key_names() {
    std::vector<std::string_view> names;
    for (const ProblemKey &key : problem_keys()) names.push_back(key.name);
    return names;
  }

  // A trace has a number of ranks and a largest block of its own.
  void take_from_trace() {
    const auto &sizes = problem_.distribution.sizes;
    if (sizes == nullptr) return;
    if (problem_.ranks == 0 && known_ranks_ == 0) problem_.ranks = sizes->ranks;
    if (!places_.contains("max")) problem_.largest = sizes->largest;
  }

  void check_ranks() const {
    if (problem_.ranks == 0) fail(text_.size(), "expected p=N, the number of ranks");
    if (known_ranks_ != 0 && problem_.ranks != known_ranks_) {
      fail(places_.at("p"), fmt::format("p={}, but there are {} ranks", problem_.ranks, known_ranks_));
    }
  }

  void check_groups() const {
    if (problem_.first_group == 0) return;
    if (!problem_.by_segment()) fail(places_.at("group"), "only an allgatherv has two groups");
    if (problem_.first_group < problem_.ranks) return;
    fail(places_.at("group"), fmt::format("group={} leaves none of the {} ranks for the second group",
                                          problem_.first_group, problem_.ranks));
  }

  void check_sizes() const {
    const std::string obstacle = problem_.distribution.obstacle(problem_.ranks);
    if (!obstacle.empty()) fail(places_.at("dist"), obstacle);
    if (problem_.call != Problem::Call::alltoall) return;
    if (!problem_.distribution.uniform_sizes()) {
      fail(places_.at("dist"), "all blocks of an alltoall have the same size: expected constant or empty");
    }
    if (problem_.gap > 0) fail(places_.at("gap"), "an alltoall has no displacements: expected gap=0");
    if (problem_.shuffled) fail(places_.at("place"), "an alltoall has no displacements: expected ordered");
  }

  void check_parameters() const {
    const Algorithm *algorithm = find_algorithm(problem_.algorithm, problem_.kind());
    const std::string who = algorithm == nullptr ? "a problem without algorithm=" : problem_.algorithm;
    for (const ParameterWord &word : parameter_words()) {
      const bool said = !word.write(problem_.parameters).empty();
      const bool taken = algorithm != nullptr && word.taken_by(*algorithm);
      if (said && !taken) fail(places_.at(word.name), fmt::format("{} takes no {}", who, word.name));
    }
  }

  std::string_view text_;
  int known_ranks_;
  std::size_t end_ = 0;
  Word word_{};
  std::map<std::string_view, std::size_t> places_;  // of the values, by key
  Problem problem_;
};

}  // namespace

ProblemError::ProblemError(std::string_view text, std::size_t at, std::string what_is_wrong)
    : UsageError(pointed_out(text, at, what_is_wrong)), position(at), reason(std::move(what_is_wrong)) {}

std::optional<Problem::Call> call_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  const auto *const call = std::find(std::begin(calls), std::end(calls), text.substr(0, text.find_first_of(blanks)));
  return call == std::end(calls) ? std::nullopt : std::optional(static_cast<Problem::Call>(call - std::begin(calls)));
}

std::vector<std::string> join_problems(std::span<const std::string> words) {
  std::vector<std::string> problems;
  for (const std::string &word : words) {
    if (problems.empty() || call_of(word)) {
      problems.push_back(word);
    } else {
      problems.back() += ' ' + word;
    }
  }
  return problems;
}

Problem parse_problem(std::string_view text, int ranks) {
  return ProblemParser(text, ranks).parse();
}

std::string to_string(const Problem &problem) {
  std::string text(calls[static_cast<int>(problem.call)]);
  for (const ProblemKey &key : problem_keys()) {
    const std::string value = key.write(problem);
    if (!value.empty()) text += fmt::format(" {}={}", key.name, value);
  }
  return text;
}

Topology topology_of(const Problem &problem) {
  Topology topology{problem.ranks, {}, problem.first_group};
  if (problem.node == 0) return topology;
  for (int rank = 0; rank < problem.ranks; ++rank) topology.node_of.push_back(rank / problem.node);
  return topology;
}

}  // namespace rondo::internal::cli
