#pragma once

// Files in memory (memfd) that processes of one node map. They never have a name, so nothing is left behind whatever
// happens to the processes; others open them through /proc, and only processes of the same user can.

#include <cstdint>

namespace rondo::internal {

// Of an open file; closed by the destructor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}  // -1: none
  ~Descriptor();
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  void take(int number) { number_ = number; }  // where it has none
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// How the maker of a file tells the others where it is. The file has the cookie at a place where they look for it: in
// another process namespace the path leads somewhere else.
struct Invitation {
  std::int64_t process;
  std::int64_t descriptor;
  std::uint64_t cookie;
};

// Bytes of memory that the machine has.
std::int64_t memory_of_machine();

// A number that no other process has, or all but certainly. Never fails, as others may wait for it.
std::uint64_t random_cookie();

// The descriptor of a new file of so many bytes, the first of which have their pages: a full machine says so here, and
// not with a signal when they are written. -1 where there can be none.
int make_memory_file(std::int64_t bytes, std::int64_t made);

// The descriptor of another process's; -1 where it cannot be opened.
int open_memory_file(const Invitation &invitation);

// Maps a part of a file most of which has no pages, to be read (PROT_READ), and written (PROT_WRITE). Null where this
// process has no room for it. None of its pages is made: not by mlockall(MCL_FUTURE), and not by a core dump, in which
// this memory is not.
void *map_sparse_file(int file, std::int64_t at, std::int64_t bytes, int access);

}  // namespace rondo::internal
