#pragma once

#include <vector>

#include "schedule/schedule.hpp"
#include "wire/bound_spaces.hpp"
#include "wire/channel.hpp"
#include "wire/made_types.hpp"

namespace rondo::internal {

// Copies from or to elements of a datatype with gaps. MPI makes each of them, as a message of this rank to itself.
class TypedCopies {
 public:
  void add(const Copy &copy, const BoundSpaces &spaces);
  [[nodiscard]] bool empty() const { return copies_.empty(); }
  void run(const Channel &channel) const;

 private:
  struct TypedCopy {
    TypedMessage from;
    TypedMessage to;
  };

  std::vector<TypedCopy> copies_;
  MadeTypes types_;
};

}  // namespace rondo::internal
