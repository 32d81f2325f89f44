/* Calls between neighbours with one count for all, and with a type for each: the halo of a field that is spread over a
 * grid of ranks, with an edge in one direction; and a graph in which each rank sends to all ranks below it, so that
 * some have nobody to send to or to receive from. Calls that wait and calls that do not; persistent ones where there
 * are. */
#include "persistent_calls.h"
#include "printed.h"

enum { rows = 5, columns = 7, most_ranks = 8, in_block = 3, calls = 6 };

static int rank, ranks;
static MPI_Comm grid, below;
/* Of the inner rows and columns, and a frame for those of the neighbours. */
static int field[rows + 2][columns + 2];
/* The neighbours in both dimensions, each down and up. */
static MPI_Datatype row, column, types[4];
static int counts[4] = {1, 1, 1, 1};
static MPI_Aint sent_at[4], received_at[4];

static MPI_Aint place(int i, int j) {
  return ((char *)&field[i][j]) - (char *)field;
}

static int value(int owner, int call, int i, int j) {
  return owner * 100000 + call * 1000 + i * 10 + j;
}

static void fill(int call) {
  for (int i = 0; i < rows + 2; ++i) {
    for (int j = 0; j < columns + 2; ++j) {
      field[i][j] = i >= 1 && i <= rows && j >= 1 && j <= columns ? value(rank, call, i, j) : -1;
    }
  }
}

/* How many elements of the frame are not the neighbour's, or, where there is none, have been written. */
static int wrong_in_frame(int call) {
  int wrong = 0, neighbors[4];
  for (int d = 0; d < 2; ++d) MPI_Cart_shift(grid, d, 1, &neighbors[2 * d], &neighbors[2 * d + 1]);
  for (int j = 1; j <= columns; ++j) {
    wrong += field[0][j] != (neighbors[0] == MPI_PROC_NULL ? -1 : value(neighbors[0], call, rows, j));
    wrong += field[rows + 1][j] != (neighbors[1] == MPI_PROC_NULL ? -1 : value(neighbors[1], call, 1, j));
  }
  for (int i = 1; i <= rows; ++i) {
    wrong += field[i][0] != (neighbors[2] == MPI_PROC_NULL ? -1 : value(neighbors[2], call, i, columns));
    wrong += field[i][columns + 1] != (neighbors[3] == MPI_PROC_NULL ? -1 : value(neighbors[3], call, i, 1));
  }
  return wrong + (field[0][0] != -1) + (field[rows + 1][columns + 1] != -1);
}

static void make_types(void) {
  MPI_Type_contiguous(columns, MPI_INT, &row);
  MPI_Type_vector(rows, 1, columns + 2, MPI_INT, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);
  types[0] = types[1] = row;
  types[2] = types[3] = column;
  sent_at[0] = place(1, 1), received_at[0] = place(0, 1);
  sent_at[1] = place(rows, 1), received_at[1] = place(rows + 1, 1);
  sent_at[2] = place(1, 1), received_at[2] = place(1, 0);
  sent_at[3] = place(1, columns), received_at[3] = place(1, columns + 1);
}

static void halo(void) {
  MPI_Request request;
  for (int call = 0; call < calls; ++call) {
    fill(call);
    MPI_Neighbor_alltoallw(field, counts, sent_at, types, field, counts, received_at, types, grid);
    print("halo, waits %d: %d wrong\n", call, wrong_in_frame(call));
    fill(10 + call);
    MPI_Ineighbor_alltoallw(field, counts, sent_at, types, field, counts, received_at, types, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    print("halo, starts %d: %d wrong\n", call, wrong_in_frame(10 + call));
  }
  RONDO_MPI_PERSISTENT(Neighbor_alltoallw_init)(field, counts, sent_at, types, field, counts, received_at, types, grid,
                                                MPI_INFO_NULL, &request);
  for (int call = 0; call < calls; ++call) {
    fill(20 + call);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    print("halo, persistent %d: %d wrong\n", call, wrong_in_frame(20 + call));
  }
  MPI_Request_free(&request);
}

static void one_count(void) {
  int out[most_ranks * in_block], in[most_ranks * in_block], wrong;
  MPI_Request request, persistent;
  RONDO_MPI_PERSISTENT(Neighbor_alltoall_init)(out, in_block, MPI_INT, in, in_block, MPI_INT, below, MPI_INFO_NULL,
                                               &persistent);
  for (int call = 0; call < 3 * calls; ++call) {
    for (int i = 0; i < rank * in_block; ++i) out[i] = value(rank, call, i, 0);
    for (int i = 0; i < most_ranks * in_block; ++i) in[i] = -1;
    if (call % 3 == 2) {
      MPI_Start(&persistent);
      MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    } else if (call % 3 == 0) {
      MPI_Neighbor_alltoall(out, in_block, MPI_INT, in, in_block, MPI_INT, below);
    } else {
      MPI_Ineighbor_alltoall(out, in_block, MPI_INT, in, in_block, MPI_INT, below, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    wrong = 0;
    for (int i = 0; i < most_ranks * in_block; ++i) {
      const int from = rank + 1 + i / in_block;
      wrong += in[i] != (from < ranks ? value(from, call, rank * in_block + i % in_block, 0) : -1);
    }
    print("one count %d: %d wrong\n", call, wrong);
  }
  MPI_Request_free(&persistent);
}

int main(int argc, char **argv) {
  int dims[2] = {0, 0}, periodic[2] = {0, 0}, all[most_ranks], weights[most_ranks];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  periodic[0] = dims[0] > 2; /* MPI libraries mix up the blocks of a neighbour that is one twice */
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &grid);
  for (int i = 0; i < ranks; ++i) all[i] = i, weights[i] = 1;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, ranks - 1 - rank, all + rank + 1, weights, rank, all, weights,
                                 MPI_INFO_NULL, 0, &below);
  make_types();
  halo();
  one_count();
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&below);
  print_all();
  MPI_Finalize();
  return 0;
}
