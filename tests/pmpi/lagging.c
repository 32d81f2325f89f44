/* Calls of MPI_Alltoallv one after the other, with nothing between them that would bring the ranks together: some ranks
 * only send for a while, others only receive, and some come late. Lengths of blocks are drawn about those at which they
 * change the way that they go. What has come is compared with what was sent, byte by byte.
 * usage: lagging CALLS SEED [MOST_BYTES] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { most_ranks = 8, in_a_stretch = 24 };

static unsigned hash_of(unsigned a, unsigned b, unsigned c) {
  unsigned hash = a * 2654435761U ^ b * 40503U ^ c * 2246822519U;
  hash ^= hash >> 15;
  hash *= 2654435761U;
  return hash ^ hash >> 13;
}

/* Whether one rank has anything for another in this stretch of calls. */
static int speaks(unsigned pattern, int from, int to, int ranks) {
  const int chosen = (int)(pattern >> 4) % ranks;
  switch (pattern % 5) {
    case 0: return from == chosen;
    case 1: return to == chosen;
    case 2: return to == (from + 1) % ranks;
    case 3: return hash_of(pattern, (unsigned)from, (unsigned)to) % 3 == 0;
    default: return 1;
  }
}

/* Known to both ends. */
static int length_of(unsigned seed, int call, int from, int to, int ranks, int most) {
  static const int lengths[] = {1, 104, 168, 448, 1792, 7900, 16384, 65536, 131072, 1 << 20, 4 << 20, 5 << 20};
  const unsigned pattern = hash_of(seed, (unsigned)(call / in_a_stretch), 1);
  if (!speaks(pattern, from, to, ranks)) return 0;
  const unsigned drawn = hash_of(seed + (unsigned)call, (unsigned)from, (unsigned)to + 9);
  const unsigned kinds = call / in_a_stretch % 4 == 3 ? 12 : 2 + call / in_a_stretch % 4 * 3;
  const int about = lengths[drawn % kinds] - 2 + (int)(drawn / 64 % 5);
  return about < 0 ? 0 : about > most ? most : about;
}

static unsigned char byte_of(int call, int from, int to, int i) {
  return (unsigned char)(call * 31 + from * 7 + to * 3 + i % 251);
}

static int fill(char *out, int call, int from, int to, int length) {
  for (int i = 0; i < length; ++i) out[i] = (char)byte_of(call, from, to, i);
  return length;
}

static int is_wrong(const char *in, int call, int from, int to, int length) {
  for (int i = 0; i < length; ++i) {
    if ((unsigned char)in[i] != byte_of(call, from, to, i)) return 1;
  }
  return in[length] != 99;
}

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0;
  int sent[most_ranks], received[most_ranks], sent_at[most_ranks], received_at[most_ranks];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 3 || ranks > most_ranks) MPI_Abort(MPI_COMM_WORLD, 1);
  const int calls = atoi(argv[1]), most = argc > 3 ? atoi(argv[3]) : 6 << 20;
  const unsigned seed = (unsigned)atoi(argv[2]);
  char *const out = malloc((size_t)ranks * (size_t)most + 1);
  char *const in = malloc((size_t)ranks * (size_t)most + (size_t)ranks);
  for (int call = 0; call < calls; ++call) {
    const unsigned late = hash_of(seed, (unsigned)call, (unsigned)rank + 100);
    if (late % 16 == 0) nanosleep(&(struct timespec){0, (long)(late / 16 % 300) * 1000}, NULL);
    for (int i = 0, s = 0, r = 0; i < ranks; ++i) {
      sent[i] = length_of(seed, call, rank, i, ranks, most);
      received[i] = length_of(seed, call, i, rank, ranks, most);
      sent_at[i] = s;
      received_at[i] = r;
      s += fill(out + s, call, rank, i, sent[i]);
      r += received[i];
      in[r++] = 99;
    }
    MPI_Alltoallv(out, sent, sent_at, MPI_CHAR, in, received, received_at, MPI_CHAR, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) wrong += is_wrong(in + received_at[i], call, i, rank, received[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong blocks in %d calls\n", wrong, calls);
  free(out);
  free(in);
  MPI_Finalize();
  return wrong != 0;
}
