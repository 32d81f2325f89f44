#include "pmpi/requests/raise.hpp"

#include <cstdio>

#include "api/fault.hpp"

namespace rondo::internal::pmpi {

namespace {

bool ends_the_program(MPI_Comm comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(comm, &handler);
  const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return fatal;
}

}  // namespace

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
  RONDO_Error_last(&values, sizeof(values));
  return Error::of(fault_of_code(rondo_code), [&] { return text; })
      .with_peer(values.peer)
      .with_values(values.value, values.other);
}

}  // namespace rondo::internal::pmpi
