#include "cli/launch.hpp"

#include <gtest/gtest.h>

namespace rondo::internal::cli {
namespace {

TEST(Launch, FindsTheMpiLibraryAmongAll) {
  EXPECT_EQ(mpi_libraries_in("\tlinux-vdso.so.1 (0x00007ffd)\n"
                             "\tlibmpi_cxx.so.40 => /usr/lib/libmpi_cxx.so.40 (0x00007f11)\n"
                             "\tlibmpi.so.40 => /usr/lib/libmpi.so.40 (0x00007f12)\n"
                             "\tlibmpichfort.so.12 => not found\n"),
            std::vector<std::string>{"libmpi.so.40"});
  EXPECT_TRUE(mpi_libraries_in("\tstatically linked\n").empty());
  EXPECT_TRUE(mpi_libraries_in("").empty());
}

TEST(Launch, RefusesAProgramOfAnotherMpiByBothNames) {
  const std::vector<std::string> mpich{"libmpich.so.12"};
  EXPECT_FALSE(misfit(mpich, mpich));
  EXPECT_FALSE(misfit({}, mpich)) << "an interpreter";
  const auto reason = misfit({"libmpi.so.40"}, mpich);
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, "the program is linked with libmpi.so.40, and the interposer with libmpich.so.12");
}

}  // namespace
}  // namespace rondo::internal::cli
