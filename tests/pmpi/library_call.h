/* The MPI library's own functions, past the interposer, which stands before them by their MPI_ and their PMPI_ names.
 */
/* NOLINTBEGIN(modernize-deprecated-headers,modernize-use-nullptr): it is C, and included by C++, too. */
#ifndef RONDO_TESTS_PMPI_LIBRARY_CALL_H
#define RONDO_TESTS_PMPI_LIBRARY_CALL_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *address_in_library(const char *name) {
  Dl_info info;
  void *found = NULL;
  void *const not_interposed = dlsym(RTLD_DEFAULT, "MPI_Get_version");
  if (not_interposed != NULL && dladdr(not_interposed, &info) != 0) {
    void *const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL) found = dlsym(library, name);
  }
  if (found == NULL) {
    fprintf(stderr, "the MPI library has no %s\n", name);
    abort();
  }
  return found;
}

/* LIBRARY_CALL(MPI_Barrier)(MPI_COMM_WORLD) */
#ifdef __cplusplus
#define LIBRARY_CALL(function) reinterpret_cast<decltype(&(function))>(address_in_library("P" #function))
#else
#define LIBRARY_CALL(function) ((__typeof__(&(function)))address_in_library("P" #function))
#endif

#endif
/* NOLINTEND(modernize-deprecated-headers,modernize-use-nullptr) */
