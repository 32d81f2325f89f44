#include "wire/held_type.hpp"

#include "wire/constructor.hpp"
#include "wire/mpi_call.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal {

constinit thread_local int TypesFreedAtEnd::lives = 0;
constinit thread_local HeldType::Own *TypesFreedAtEnd::given_up = nullptr;

HeldType::HeldType(MPI_Datatype type) : type_(type) {
  if (is_predefined(type)) return;
  own_ = std::make_unique<Own>();
  // A duplicate would have the program's attributes, too, by calls of its functions.
  check_mpi(MPI_Type_contiguous(1, type, &type_), "MPI_Type_contiguous");
  const int code = MPI_Type_commit(&type_);
  if (code != MPI_SUCCESS) MPI_Type_free(&type_);
  check_mpi(code, "MPI_Type_commit");
  own_->type = type_;
}

HeldType::~HeldType() {
  if (own_ == nullptr) return;
  own_->next = TypesFreedAtEnd::given_up;
  TypesFreedAtEnd::given_up = own_.release();
  if (TypesFreedAtEnd::lives == 0) TypesFreedAtEnd::free_given_up();
}

// What calls in the delete functions give up is freed by this loop, too, and not in these calls, which would nest.
void TypesFreedAtEnd::free_given_up() noexcept {
  ++lives;
  while (given_up != nullptr) {
    const std::unique_ptr<HeldType::Own> own(given_up);
    given_up = own->next;
    if (!mpi_is_up()) continue;
    const TypesBeingFreed types_being_freed;
    MPI_Type_free(&own->type);
  }
  --lives;
}

}  // namespace rondo::internal
