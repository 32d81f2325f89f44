#include "pmpi/settings/other_mpi.hpp"

#include <dlfcn.h>
#include <link.h>
#include <mpi_functions.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::internal::pmpi {

namespace {

// A symbol by which the other MPI library is recognised: programs compiled with its mpi.h refer to it, and this one
// does not have it. Where Rondo was built on neither MPICH nor Open MPI, there is none: that library may be derived
// from either.
constexpr const char *own_name = RONDO_MPI_FULL_NAME;
#if defined(OPEN_MPI)
constexpr const char *other_name = "MPICH";
constexpr const char *symbol_of_other = "MPIR_Dup_fn";
#elif defined(MPICH_VERSION)
constexpr const char *other_name = "Open MPI";
constexpr const char *symbol_of_other = "ompi_mpi_comm_world";
#else
constexpr const char *other_name = "another MPI";
constexpr const char *symbol_of_other = nullptr;
#endif

std::vector<std::string> loaded_objects() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info *object, std::size_t, void *to) {
        static_cast<std::vector<std::string> *>(to)->emplace_back(object->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

// Whether one of the loaded libraries has the symbol. Each is asked, since a module that an interpreter has loaded may
// have its libraries in a scope of its own.
bool other_is_loaded() {
  if (symbol_of_other == nullptr) return false;
  const std::vector<std::string> names = loaded_objects();
  return std::any_of(names.begin(), names.end(), [](const std::string &name) {
    void *const object = dlopen(name.empty() ? nullptr : name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr) return false;
    const bool found = dlsym(object, symbol_of_other) != nullptr;
    dlclose(object);
    return found;
  });
}

// Before MPI_Init the launcher's environment variables are all that tells the rank.
bool is_first_rank() {
  for (const char *variable : {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char *const rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

void say(const char *what_becomes) {
  if (!is_first_rank()) return;
  std::fprintf(stderr, "[rondo] librondo_pmpi.so was built for %s, and this program runs on %s: %s\n", own_name,
               other_name, what_becomes);
  std::fflush(stderr);
}

bool is_this_library(const std::string &preloaded) {
  Dl_info own{};
  if (dladdr(reinterpret_cast<const void *>(&is_first_rank), &own) == 0) return false;
  const std::string_view path = own.dli_fname;
  if (preloaded.find('/') == std::string::npos) return path.substr(path.find_last_of('/') + 1) == preloaded;
  struct stat one{};
  struct stat other{};
  return stat(preloaded.c_str(), &one) == 0 && stat(own.dli_fname, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// The list without this library.
std::string without_this_library(std::string_view preloads) {
  constexpr std::string_view separators = ": ";
  std::string others;
  while (!preloads.empty()) {
    const std::size_t end = std::min(preloads.find_first_of(separators), preloads.size());
    const std::string one(preloads.substr(0, end));
    if (!one.empty() && !is_this_library(one)) others += (others.empty() ? "" : ":") + one;
    preloads.remove_prefix(std::min(end + 1, preloads.size()));
  }
  return others;
}

[[gnu::constructor]] void begin_anew_on_another_mpi(int, char **arguments, char **) {
  const char *const preloads = std::getenv("LD_PRELOAD");
  if (preloads == nullptr || !other_is_loaded()) return;
  const std::string others = without_this_library(preloads);
  if (others == preloads) return;
  say("it goes on without");
  setenv("LD_PRELOAD", others.c_str(), 1);
  execv("/proc/self/exe", arguments);
}

}  // namespace

void end_on_another_mpi() {
  if (!other_is_loaded()) return;
  say("it cannot go on with it");
  std::_Exit(EXIT_FAILURE);
}

}  // namespace rondo::internal::pmpi
