#include "short_life.hpp"

#include <thread>

#include "tests/pmpi/checked_exchange.h"

namespace rondo::random_programs {

namespace {

// Lives until the type and the communicator have ended.
struct Living {
  const ShortLife &life;
  MPI_Comm comm = MPI_COMM_NULL;
  int calls = 0;
  long wrong = 0;

  void exchange(MPI_Comm on, MPI_Datatype type, int ints) { wrong += wrong_in_exchange(on, type, ints, ++calls); }

  void use_new_types() {
    for (int i = 0; i < 2; ++i) {
      const int ints = life.ints + 2 + i;
      MPI_Datatype type = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(ints, MPI_INT, &type);
      MPI_Type_commit(&type);
      for (int call = 0; call < life.calls_at_end; ++call) exchange(comm, type, ints);
      MPI_Type_free(&type);
    }
  }

  template <class Use>
  int at_end(const Use &use) const {
    if (life.another_thread_at_end) {
      std::thread(use).join();
    } else {
      use();
    }
    return MPI_SUCCESS;
  }
};

extern "C" int rondo_test_last_calls(MPI_Comm comm, int, void *value, void *) {
  auto &living = *static_cast<Living *>(value);
  return living.at_end([&] {
    for (int call = 0; call < living.life.calls_at_end; ++call) living.exchange(comm, MPI_INT, 1);
  });
}

extern "C" int rondo_test_last_use(MPI_Datatype type, int, void *value, void *) {
  auto &living = *static_cast<Living *>(value);
  return living.at_end([&] {
    for (int call = 0; call < living.life.calls_at_end; ++call) living.exchange(living.comm, type, living.life.ints);
    if (living.life.new_type_at_end) living.use_new_types();
  });
}

}  // namespace

long wrong_in(const ShortLife &life, MPI_Comm comm) {
  Living living{.life = life};
  MPI_Comm_dup(comm, &living.comm);
  int of_comm = MPI_KEYVAL_INVALID;
  int of_type = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, rondo_test_last_calls, &of_comm, nullptr);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, rondo_test_last_use, &of_type, nullptr);

  // A type that is kept alive by one that was made of it, as is another.
  MPI_Datatype types[2] = {MPI_DATATYPE_NULL, MPI_DATATYPE_NULL};
  for (MPI_Datatype &type : types) {
    MPI_Type_contiguous(life.ints, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  for (int call = 0; call <= life.calls; ++call) {
    if (call == life.calls_before_attribute) MPI_Comm_set_attr(living.comm, of_comm, &living);
    if (call == life.calls_before_attribute_of_type) MPI_Type_set_attr(types[call % 2], of_type, &living);
    if (call < life.calls) living.exchange(living.comm, types[call / 2 % 2], life.ints);
  }
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, 1000};
  MPI_Datatype both = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, places, types, &both);
  for (MPI_Datatype &type : types) MPI_Type_free(&type);
  MPI_Type_free(&both);
  MPI_Comm_free(&living.comm);
  MPI_Type_free_keyval(&of_type);
  MPI_Comm_free_keyval(&of_comm);
  return living.wrong;
}

}  // namespace rondo::random_programs
