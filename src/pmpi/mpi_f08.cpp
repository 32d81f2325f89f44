// Procedures of Fortran's module mpi_f08 that have no buffers. Those that have, MPICH hands to the MPI_ functions of C,
// these to the PMPI_ ones: without what is here a program that uses the module would not be noticed, and one whose
// MPI_Init is of C or of another module would wait for requests of ours that the MPI library takes for its own. Symbols
// and logicals are those of gfortran, with which Debian builds the module.

#include <dlfcn.h>
#include <mpi.h>

#include "rondo/rondo.h"

#ifdef MPICH_NUMVERSION

namespace rondo::pmpi {

namespace {

// An object whose address stands for "no status". It is in a library that C programs do not load, and which a program
// may have loaded for one object of its own only: that of the caller.
class Ignored {
 public:
  explicit Ignored(const char *name) : name_(name), everywhere_(dlsym(RTLD_DEFAULT, name)) {}

  [[nodiscard]] bool is(const void *status, const void *site) const {
    return status == (everywhere_ != nullptr ? everywhere_ : of_caller(site));
  }

 private:
  [[nodiscard]] const void *of_caller(const void *site) const {
    Dl_info info{};
    if (dladdr(site, &info) == 0) return nullptr;
    void *const object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (object == nullptr) return nullptr;
    const void *const found = dlsym(object, name_);
    dlclose(object);
    return found;
  }

  const char *name_;
  const void *everywhere_;
};

MPI_Status *status_for_c(MPI_Status *status, const void *site) {
  static const Ignored ignored("MPIR_F08_MPI_STATUS_IGNORE_OBJ");
  return ignored.is(status, site) ? MPI_STATUS_IGNORE : status;
}

MPI_Status *statuses_for_c(MPI_Status *statuses, const void *site) {
  static const Ignored ignored("MPIR_F08_MPI_STATUSES_IGNORE_OBJ");
  return ignored.is(statuses, site) ? MPI_STATUSES_IGNORE : statuses;
}

// What the MPI library's module adds to C's indices: it should be one, and is none in MPICH 4.0. A program gets what it
// gets without us.
int first_index() {
  static const int first = [] {
    using Waitany = void(const int *, MPI_Request *, int *, MPI_Status *, int *);
    auto *const waitany = reinterpret_cast<Waitany *>(dlsym(RTLD_NEXT, "mpi_waitany_f08_"));
    if (waitany == nullptr) return 1;
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Irecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
    const int one = 1;
    int index = 0;
    int code = MPI_SUCCESS;
    MPI_Status status{};
    waitany(&one, &request, &index, &status, &code);
    return index;
  }();
  return first;
}

int index_of_c(int index) {
  return index == MPI_UNDEFINED ? index : index + first_index();
}

void indices_of_c(int count, int *indices) {
  for (int i = 0; count != MPI_UNDEFINED && i < count; ++i) indices[i] += first_index();
}

// The last argument is optional in Fortran.
void give(int *ierror, int code) {
  if (ierror != nullptr) *ierror = code;
}

}  // namespace

}  // namespace rondo::pmpi

using rondo::pmpi::give;
using rondo::pmpi::index_of_c;
using rondo::pmpi::indices_of_c;
using rondo::pmpi::status_for_c;
using rondo::pmpi::statuses_for_c;

// NOLINTBEGIN(readability-identifier-naming): the names are gfortran's
extern "C" {

RONDO_API void mpi_init_f08_(int *ierror) {
  give(ierror, MPI_Init(nullptr, nullptr));
}

RONDO_API void mpi_init_thread_f08_(const int *required, int *provided, int *ierror) {
  give(ierror, MPI_Init_thread(nullptr, nullptr, *required, provided));
}

RONDO_API void mpi_finalize_f08_(int *ierror) {
  give(ierror, MPI_Finalize());
}

RONDO_API void mpi_barrier_f08_(const MPI_Comm *comm, int *ierror) {
  give(ierror, MPI_Barrier(*comm));
}

RONDO_API void mpi_start_f08_(MPI_Request *request, int *ierror) {
  give(ierror, MPI_Start(request));
}

RONDO_API void mpi_startall_f08_(const int *count, MPI_Request *requests, int *ierror) {
  give(ierror, MPI_Startall(*count, requests));
}

RONDO_API void mpi_wait_f08_(MPI_Request *request, MPI_Status *status, int *ierror) {
  give(ierror, MPI_Wait(request, status_for_c(status, __builtin_return_address(0))));
}

RONDO_API void mpi_waitall_f08_(const int *count, MPI_Request *requests, MPI_Status *statuses, int *ierror) {
  give(ierror, MPI_Waitall(*count, requests, statuses_for_c(statuses, __builtin_return_address(0))));
}

RONDO_API void mpi_waitany_f08_(const int *count, MPI_Request *requests, int *index, MPI_Status *status, int *ierror) {
  give(ierror, MPI_Waitany(*count, requests, index, status_for_c(status, __builtin_return_address(0))));
  *index = index_of_c(*index);
}

RONDO_API void mpi_waitsome_f08_(const int *incount, MPI_Request *requests, int *outcount, int *indices,
                                 MPI_Status *statuses, int *ierror) {
  give(ierror,
       MPI_Waitsome(*incount, requests, outcount, indices, statuses_for_c(statuses, __builtin_return_address(0))));
  indices_of_c(*outcount, indices);
}

RONDO_API void mpi_test_f08_(MPI_Request *request, int *flag, MPI_Status *status, int *ierror) {
  give(ierror, MPI_Test(request, flag, status_for_c(status, __builtin_return_address(0))));
}

RONDO_API void mpi_testall_f08_(const int *count, MPI_Request *requests, int *flag, MPI_Status *statuses, int *ierror) {
  give(ierror, MPI_Testall(*count, requests, flag, statuses_for_c(statuses, __builtin_return_address(0))));
}

RONDO_API void mpi_testany_f08_(const int *count, MPI_Request *requests, int *index, int *flag, MPI_Status *status,
                                int *ierror) {
  give(ierror, MPI_Testany(*count, requests, index, flag, status_for_c(status, __builtin_return_address(0))));
  *index = index_of_c(*index);
}

RONDO_API void mpi_testsome_f08_(const int *incount, MPI_Request *requests, int *outcount, int *indices,
                                 MPI_Status *statuses, int *ierror) {
  give(ierror,
       MPI_Testsome(*incount, requests, outcount, indices, statuses_for_c(statuses, __builtin_return_address(0))));
  indices_of_c(*outcount, indices);
}

RONDO_API void mpi_request_get_status_f08_(const MPI_Request *request, int *flag, MPI_Status *status, int *ierror) {
  give(ierror, MPI_Request_get_status(*request, flag, status_for_c(status, __builtin_return_address(0))));
}

RONDO_API void mpi_request_free_f08_(MPI_Request *request, int *ierror) {
  give(ierror, MPI_Request_free(request));
}

RONDO_API void mpi_cancel_f08_(MPI_Request *request, int *ierror) {
  give(ierror, MPI_Cancel(request));
}

RONDO_API void mpi_probe_f08_(const int *source, const int *tag, const MPI_Comm *comm, MPI_Status *status,
                              int *ierror) {
  give(ierror, MPI_Probe(*source, *tag, *comm, status_for_c(status, __builtin_return_address(0))));
}

RONDO_API void mpi_mprobe_f08_(const int *source, const int *tag, const MPI_Comm *comm, MPI_Message *message,
                               MPI_Status *status, int *ierror) {
  give(ierror, MPI_Mprobe(*source, *tag, *comm, message, status_for_c(status, __builtin_return_address(0))));
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif
