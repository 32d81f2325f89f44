/* FFTW's transforms over MPI, there and back, several times: the spectra and what comes back, to the last bit. */
#include <fftw3-mpi.h>
#include <stdint.h>

#include "printed.h"

static int times = 6;

/* Of every bit of the data of this rank. */
static uint64_t fingerprint(const fftw_complex *data, ptrdiff_t count) {
  const unsigned char *const bytes = (const unsigned char *)data;
  uint64_t hash = 0xcbf29ce484222325U;
  for (size_t i = 0; i < (size_t)count * sizeof(fftw_complex); ++i) hash = (hash ^ bytes[i]) * 0x100000001b3U;
  return hash;
}

static void transform(int dimensions, const ptrdiff_t *lengths, unsigned flags) {
  ptrdiff_t rows = 0, first = 0, rows_after = 0, first_after = 0, others = 1;
  for (int i = 1; i < dimensions; ++i) others *= lengths[i];
  const ptrdiff_t room =
      fftw_mpi_local_size_many_transposed(dimensions, lengths, 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                                          MPI_COMM_WORLD, &rows, &first, &rows_after, &first_after);
  fftw_complex *const data = fftw_alloc_complex((size_t)room);
  fftw_complex *const spectrum = fftw_alloc_complex((size_t)room);
  const fftw_plan there = fftw_mpi_plan_dft(dimensions, lengths, data, spectrum, MPI_COMM_WORLD, FFTW_FORWARD,
                                            FFTW_ESTIMATE | FFTW_DESTROY_INPUT | flags);
  const fftw_plan back = fftw_mpi_plan_dft(
      dimensions, lengths, spectrum, data, MPI_COMM_WORLD, FFTW_BACKWARD,
      FFTW_ESTIMATE | FFTW_DESTROY_INPUT | (flags == FFTW_MPI_TRANSPOSED_OUT ? FFTW_MPI_TRANSPOSED_IN : 0));
  for (int time = 0; time < times; ++time) {
    for (ptrdiff_t i = 0; i < rows * others; ++i) {
      data[i][0] = (double)((first * others + i) * 7919 % 1009 + time) / 1009.0;
      data[i][1] = (double)((first * others + i) * 104729 % 997) / 997.0;
    }
    fftw_execute(there);
    const ptrdiff_t have = flags == 0 ? rows * others : rows_after * (others / lengths[1] * lengths[0]);
    print("%d-D, %td rows: spectrum %016llx", dimensions, rows, (unsigned long long)fingerprint(spectrum, have));
    fftw_execute(back);
    print(", back %016llx\n", (unsigned long long)fingerprint(data, rows * others));
  }
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(data);
  fftw_free(spectrum);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  if (argc > 1) times = atoi(argv[1]);
  transform(2, (const ptrdiff_t[]){64, 96}, 0);
  transform(2, (const ptrdiff_t[]){61, 35}, 0); /* blocks of several sizes */
  transform(2, (const ptrdiff_t[]){48, 48}, FFTW_MPI_TRANSPOSED_OUT);
  transform(3, (const ptrdiff_t[]){16, 24, 20}, 0);
  transform(3, (const ptrdiff_t[]){13, 11, 9}, FFTW_MPI_TRANSPOSED_OUT);
  print_all();
  fftw_mpi_cleanup();
  MPI_Finalize();
  return 0;
}
