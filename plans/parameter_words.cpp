#include "plans/parameter_words.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace rondo::internal {

namespace {

template <int Parameters::*field, int least>
bool read_number(std::string_view text, Parameters &to) {
  int number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc{} || end != text.data() + text.size() || number < least) return false;
  to.*field = number;
  return true;
}

template <int Parameters::*field>
std::string write_number(const Parameters &from) {
  return from.*field == 0 ? std::string() : std::to_string(from.*field);
}

template <int Parameters::*field, int least>
constexpr ParameterWord number_word(std::string_view name, std::string_view expected, bool Algorithm::*taken) {
  return {name, expected, taken, read_number<field, least>, write_number<field>};
}

bool read_pattern(std::string_view text, Parameters &to) {
  const auto pattern = parse_pattern(text);
  if (pattern) to.pattern = *pattern;
  return pattern.has_value();
}

std::string write_pattern(const Parameters &from) {
  return std::string(to_string(from.pattern));
}

constexpr std::array table = {
    number_word<&Parameters::radix, 1>("radix", "a whole number from 1 to 2147483647", &Algorithm::takes_radix),
    number_word<&Parameters::block_count, 1>("block_count", "a whole number from 1 to 2147483647",
                                             &Algorithm::takes_block_count),
    number_word<&Parameters::leaders, 1>("leaders", "a whole number from 1 to 2147483647", &Algorithm::takes_leaders),
    ParameterWord{"pattern", "coalesced or staggered", &Algorithm::takes_pattern, read_pattern, write_pattern},
};

}  // namespace

std::span<const ParameterWord> parameter_words() {
  return table;
}

const ParameterWord *find_parameter_word(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto &word) { return word.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace rondo::internal
