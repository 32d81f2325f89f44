/* Output that does not depend on which rank is faster: each rank keeps what it prints, rank 0 prints it at the end. */
#ifndef RONDO_TESTS_PMPI_PRINTED_H
#define RONDO_TESTS_PMPI_PRINTED_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char printed_text[1 << 16];
static size_t printed_length = 0;

static void print(const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(printed_text + printed_length, sizeof(printed_text) - printed_length, format, values);
  va_end(values);
  if (length < 0 || printed_length + (size_t)length >= sizeof(printed_text)) abort();
  printed_length += (size_t)length;
}

static void print_all(void) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank != 0) MPI_Send(printed_text, (int)printed_length + 1, MPI_CHAR, 0, 4711, MPI_COMM_WORLD);
  for (int from = 0; rank == 0 && from < ranks; ++from) {
    if (from > 0) {
      MPI_Recv(printed_text, (int)sizeof(printed_text), MPI_CHAR, from, 4711, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    printf("---- rank %d\n%s", from, printed_text);
  }
}

#endif
