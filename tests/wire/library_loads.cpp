// The number of libraries that have been loaded, told by the dynamic linker and read from its data.

#include "wire/library_loads.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

namespace rondo::internal {
namespace {

unsigned long long told_by_linker() {
  unsigned long long loads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *to) {
        *static_cast<unsigned long long *>(to) = info->dlpi_adds;
        return 1;
      },
      &loads);
  return loads;
}

// Of the C library, and used by nobody here.
class ALibrary {
 public:
  explicit ALibrary(const char *name) : library_(dlopen(name, RTLD_LAZY)) {}
  ~ALibrary() { close(); }
  ALibrary(const ALibrary &) = delete;
  ALibrary &operator=(const ALibrary &) = delete;

  [[nodiscard]] bool is_there() const { return library_ != nullptr; }
  void close() {
    if (library_ != nullptr) dlclose(library_);
    library_ = nullptr;
  }

 private:
  void *library_;
};

TEST(LibraryLoads, AreCountedOnceTheCountHasBeenFoundAsTheLinkerTellsThem) {
  EXPECT_FALSE(look_for_count_of_loads());
  EXPECT_FALSE(look_for_count_of_loads()) << "nothing has been loaded meanwhile";
  ALibrary first("libanl.so.1");
  if (!first.is_there()) GTEST_SKIP() << "another C library";
  EXPECT_FALSE(look_for_count_of_loads()) << "it may be the number of libraries that are there";
  first.close();
  const ALibrary second("libBrokenLocale.so.1");
  ASSERT_TRUE(second.is_there());
  EXPECT_TRUE(look_for_count_of_loads());

  EXPECT_EQ(libraries_loaded(), told_by_linker());
  const unsigned long long before = libraries_loaded();
  ALibrary again("libanl.so.1");
  EXPECT_GT(libraries_loaded(), before);
  EXPECT_EQ(libraries_loaded(), told_by_linker());
  again.close();
  const ALibrary once_more("libanl.so.1");
  EXPECT_GT(libraries_loaded(), before + 1);
  EXPECT_EQ(libraries_loaded(), told_by_linker());
}

}  // namespace
}  // namespace rondo::internal
