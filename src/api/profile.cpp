#include "api/profile.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "exchange/error.hpp"
#include "plans/parameter_words.hpp"
#include "wire/machine.hpp"

namespace rondo::internal {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *version_key = "rondo_profile";
constexpr const char *settings_key = "measured";
constexpr const char *prices_key = "prices";
constexpr const char *nanoseconds_key = "nanoseconds";
constexpr const char *native_key = "native_microseconds";
constexpr const char *one_way_key = "native_one_way_microseconds";

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw Error(Fault::hint, fmt::format("profile {}: {}", path, why));
}

// A parameter as a number where it is one.
Json parameter_json(const std::string &value) {
  return value.find_first_not_of("0123456789") == std::string::npos ? Json(std::stoi(value)) : Json(value);
}

Json choice_json(const MeasuredChoice &choice) {
  Json json{{"algorithm", choice.algorithm}};
  for (const ParameterWord &word : parameter_words()) {
    const std::string value = word.write(choice.parameters);
    if (!value.empty()) json[word.name] = parameter_json(value);
  }
  json["microseconds"] = std::round(choice.seconds * 1e9) / 1e3;
  return json;
}

std::string text_of(const Json &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

MeasuredChoice choice_of(const Json &json) {
  MeasuredChoice choice{.algorithm = json.at("algorithm").get<std::string>(),
                        .seconds = json.at("microseconds").get<double>() * 1e-6};
  constexpr double most = 1e6;
  if (!(choice.seconds >= 0 && choice.seconds <= most)) {
    throw std::invalid_argument(fmt::format("microseconds are {}", json.at("microseconds").dump()));
  }
  for (const ParameterWord &word : parameter_words()) {
    const auto given = json.find(word.name);
    if (given == json.end()) continue;
    if (!word.read(text_of(*given), choice.parameters)) {
      throw std::invalid_argument(fmt::format("{} is {}, expected {}", word.name, given->dump(), word.expected));
    }
  }
  return choice;
}

// ---- Prices ----

// Never to nothing, which is no price.
double rounded_to(double value, double unit) {
  return std::max(std::round(value / unit), 1.0) * unit;
}

void write_times(Json &json, const char *key, const NativeTimes &times) {
  if (!times.known()) return;
  for (std::size_t i = 0; i < NativeTimes::blocks.size(); ++i) {
    json[key][std::to_string(NativeTimes::blocks[i])] = rounded_to(times.seconds[i] * 1e6, 1e-4);
  }
}

Json prices_json(const MachinePrices &one) {
  Json json{{"ranks", one.place.ranks}, {"nodes", one.place.nodes}, {"turns", one.place.turns}};
  for (const Price &price : machine_prices) {
    json[nanoseconds_key][std::string(price.name)] = rounded_to(one.costs.*price.of * 1e9, 1e-6);
  }
  write_times(json, native_key, one.costs.native);
  write_times(json, one_way_key, one.costs.native_one_way);
  return json;
}

double positive(const Json &in, const std::string &key, double most = 1e12) {
  const double value = in.at(key).get<double>();
  if (!(value > 0 && value <= most)) throw std::invalid_argument(fmt::format("{} is {}", key, in.at(key).dump()));
  return value;
}

int whole(const Json &in, const std::string &key) {
  const double value = positive(in, key);
  if (value > INT_MAX || value != std::floor(value))
    throw std::invalid_argument(fmt::format("{} is {}", key, in.at(key).dump()));
  return static_cast<int>(value);
}

// Unknown ones where there are none.
NativeTimes times_of(const Json &json, const char *key) {
  constexpr double most = 1e9;  // microseconds
  NativeTimes times;
  if (!json.contains(key)) return times;
  for (std::size_t i = 0; i < NativeTimes::blocks.size(); ++i) {
    times.seconds[i] = positive(json.at(key), std::to_string(NativeTimes::blocks[i]), most) * 1e-6;
  }
  return times;
}

MachinePrices prices_of(const Json &json) {
  MachinePrices one{.place = {whole(json, "ranks"), whole(json, "nodes"), whole(json, "turns")}, .costs = {}};
  for (const Price &price : machine_prices) {
    const bool is_newer_than_file =
        price.of == &CostModel::long_message && !json.at(nanoseconds_key).contains(price.name);
    if (is_newer_than_file) continue;
    one.costs.*price.of = positive(json.at(nanoseconds_key), std::string(price.name)) * 1e-9;
  }
  one.costs.native = times_of(json, native_key);
  one.costs.native_one_way = times_of(json, one_way_key);
  return one;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return false;
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  return true;
}

}  // namespace

std::string this_setting() {
  const Machine machine = this_machine();
  std::string text = fmt::format("{}; {}, {} cores", mpi_library(), machine.processor, machine.cores);
  for (const char *variable : {"OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_mtl", "UCX_TLS", "UCX_NET_DEVICES",
                               "FI_PROVIDER", "MPIR_CVAR_CH4_NETMOD"}) {
    if (const char *value = std::getenv(variable)) text += fmt::format("; {}={}", variable, value);
  }
  // JSON takes UTF-8 only.
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

Profile Profile::read(const std::string &path) {
  Profile profile;
  // Whoever opens a pipe waits for its other end.
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (status.type() == std::filesystem::file_type::not_found) return profile;
  if (status.type() != std::filesystem::file_type::regular) refuse(path, code ? code.message() : "is no regular file");
  std::ifstream file(path);
  if (!file) refuse(path, std::strerror(errno));
  try {
    const Json json = Json::parse(file);
    if (!json.is_object() || !json.contains(version_key)) refuse(path, "is no profile of Rondo's");
    if (json.at(version_key) != version) {
      refuse(path, fmt::format("has version {}, expected {}", json.at(version_key).dump(), version));
    }
    for (const auto &[setting, cases] : json.at(settings_key).items()) {
      MeasuredChoices &choices = profile.settings[setting];
      for (const auto &[name, choice] : cases.items()) choices.emplace(name, choice_of(choice));
    }
    if (!json.contains(prices_key)) return profile;
    for (const auto &[setting, places] : json.at(prices_key).items()) {
      for (const Json &one : places) profile.keep(setting, prices_of(one));
    }
  } catch (const Json::exception &fault) {
    refuse(path, fault.what());
  } catch (const std::invalid_argument &fault) {
    refuse(path, fault.what());
  }
  return profile;
}

void Profile::write(const std::string &path) const {
  Json json{{version_key, version}, {settings_key, Json::object()}};
  for (const auto &[setting, choices] : settings) {
    Json &cases = json[settings_key][setting];
    for (const auto &[name, choice] : choices) cases[name] = choice_json(choice);
  }
  for (const auto &[setting, places] : prices) {
    for (const MachinePrices &one : places) json[prices_key][setting].push_back(prices_json(one));
  }
  const std::string text = json.dump(2) + '\n';
  std::error_code code;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, code);  // a link stays one
  const std::string target = code ? path : real.string();
  struct stat old{};
  const mode_t mode = stat(target.c_str(), &old) == 0 ? old.st_mode & 07777 : 0644;
  std::string beside = target + ".XXXXXX";
  const int file = mkstemp(beside.data());
  if (file < 0) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  const bool whole = write_all(file, text) && fchmod(file, mode) == 0;
  if (close(file) == 0 && whole && std::rename(beside.c_str(), target.c_str()) == 0) return;
  const std::string why = std::strerror(errno);
  std::remove(beside.c_str());
  refuse(path, "cannot be written: " + why);
}

const MeasuredChoice *Profile::find(std::string_view setting, std::string_view name) const {
  const auto choices = settings.find(setting);
  if (choices == settings.end()) return nullptr;
  const auto found = choices->second.find(name);
  return found == choices->second.end() ? nullptr : &found->second;
}

std::optional<CostModel> Profile::prices_for(std::string_view setting, const MachinePrices::Place &place) const {
  const auto found = prices.find(setting);
  if (found == prices.end()) return std::nullopt;
  const auto like = [&](const MachinePrices::Place &other) {
    return (place.nodes > 1) == (other.nodes > 1) && (place.turns > 1) == (other.turns > 1);
  };
  const auto distance = [&](const MachinePrices::Place &other) {
    return std::abs(std::log2(static_cast<double>(place.ranks) / other.ranks));
  };
  const MachinePrices *nearest = nullptr;
  for (const MachinePrices &one : found->second) {
    if (like(one.place) && (nearest == nullptr || distance(one.place) < distance(nearest->place))) nearest = &one;
  }
  if (nearest == nullptr) return std::nullopt;
  CostModel costs = nearest->costs;
  if (nearest->place.ranks != place.ranks || nearest->place.nodes != place.nodes)
    costs.native = costs.native_one_way = {};
  return costs;
}

void Profile::keep(const std::string &setting, const MachinePrices &measured) {
  std::vector<MachinePrices> &places = prices[setting];
  std::erase_if(places, [&](const MachinePrices &one) { return one.place == measured.place; });
  places.push_back(measured);
}

}  // namespace rondo::internal
