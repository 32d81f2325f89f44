#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rondo::internal::cli {

// Where librondo_pmpi.so is, beside this command. Throws Error (argument) with the places where it is not.
std::string find_interposer();

// The names of the MPI libraries among what `ldd` has printed of a program or a library.
std::vector<std::string> mpi_libraries_in(std::string_view printed);

// Why a program that has these MPI libraries cannot have an interposer with those; nothing where it can. One that has
// none, as an interpreter has not, may load any later.
std::optional<std::string> misfit(const std::vector<std::string> &of_program,
                                  const std::vector<std::string> &of_interposer);

}  // namespace rondo::internal::cli
