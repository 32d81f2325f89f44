#include "pmpi/raise.hpp"

#include <cstdio>

#include "api/fault.hpp"

namespace rondo::pmpi {

namespace {

int class_of_mpi_code(std::int64_t code) {
  int error_class = MPI_ERR_OTHER;
  if (code > 0) PMPI_Error_class(static_cast<int>(code), &error_class);
  return error_class;
}

bool ends_the_program(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return fatal;
}

}  // namespace

int class_of(const Error &error) {
  switch (error.fault) {
    case Fault::count: return MPI_ERR_COUNT;
    case Fault::buffer:
    case Fault::overlap: return MPI_ERR_BUFFER;
    case Fault::type: return MPI_ERR_TYPE;
    case Fault::comm: return MPI_ERR_COMM;
    case Fault::request: return MPI_ERR_REQUEST;
    case Fault::hint: return MPI_ERR_INFO_VALUE;
    case Fault::algorithm: return MPI_ERR_UNSUPPORTED_OPERATION;
    case Fault::mismatch: return MPI_ERR_TRUNCATE;
    case Fault::no_memory: return MPI_ERR_NO_MEM;
    case Fault::mpi: return class_of_mpi_code(error.value);
    case Fault::argument: return MPI_ERR_ARG;
    case Fault::none:
    case Fault::internal:
    case Fault::stalled: break;
  }
  return MPI_ERR_OTHER;
}

int raise(MPI_Comm comm, const Error &error) {
  const MPI_Comm to = comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm;
  const int code = class_of(error);
  if (ends_the_program(to)) std::fprintf(stderr, "[rondo] %s\n", error.what());
  PMPI_Comm_call_errhandler(to, code);
  return code;
}

Error error_of(int rondo_code) {
  char text[RONDO_MAX_ERROR_STRING] = {};
  int length = 0;
  RONDO_Error_string(rondo_code, text, &length);
  RONDO_Error_values values{};
  RONDO_Error_last(&values);
  return Error::of(static_cast<Fault>(rondo_code - first_code + 1), [&] { return text; })
      .with_peer(values.peer)
      .with_values(values.value, values.other);
}

}  // namespace rondo::pmpi
