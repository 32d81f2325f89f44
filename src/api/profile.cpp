#include "api/profile.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

}  // namespace rondo::internal
