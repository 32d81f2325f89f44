#pragma once

#include <mpi.h>

#include <memory>

namespace rondo::internal {

// A datatype that stays usable when the caller frees his: MPI lets a type be freed after init. The MPI library deletes
// the attributes of the caller's when this one is gone, too.
class HeldType {
 public:
  explicit HeldType(MPI_Datatype type);
  HeldType(HeldType &&) noexcept = default;
  HeldType &operator=(HeldType &&) = delete;
  ~HeldType();

  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  friend class TypesFreedAtEnd;
  // Our own type, which holds the caller's. It can wait in a list, which takes no memory then.
  struct Own {
    MPI_Datatype type;
    Own *next;
  };

  MPI_Datatype type_;
  std::unique_ptr<Own> own_;  // none for a named type
};

// While one lives on a thread, types that are given up there stay, and the end of the outermost one frees them. Freeing
// a type may call delete functions of the program's, which may make any call. So every entry point has one, whose end
// leaves nothing half done that such a call could find.
class TypesFreedAtEnd {
 public:
  TypesFreedAtEnd() noexcept { ++lives; }
  ~TypesFreedAtEnd() {
    if (--lives == 0 && given_up != nullptr) [[unlikely]]
      free_given_up();
  }
  TypesFreedAtEnd(const TypesFreedAtEnd &) = delete;
  TypesFreedAtEnd &operator=(const TypesFreedAtEnd &) = delete;

 private:
  friend class HeldType;
  static void free_given_up() noexcept;

  static constinit thread_local int lives [[gnu::tls_model("initial-exec")]];
  static constinit thread_local HeldType::Own *given_up [[gnu::tls_model("initial-exec")]];
};

}  // namespace rondo::internal
