#include "cli/profile_file.hpp"

#include "cli/mpi_session.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

Profile read_writable_profile(const std::string &path, bool speaks) {
  Profile profile;
  std::string fault;
  try {
    if (speaks) {
      profile = Profile::read(path);
      profile.write(path);
    }
  } catch (const Error &error) {
    fault = error.message();
  }
  if (fault = agreed_text(fault); !fault.empty()) throw Error(Fault::argument, fault);
  return profile;
}

}  // namespace rondo::internal::cli
