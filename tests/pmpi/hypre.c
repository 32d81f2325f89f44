/* A solve of hypre's: conjugate gradients with algebraic multigrid on a five-point Laplacian, to the last bit of the
 * residual. Built where hypre is installed. */
#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <math.h>

#include "printed.h"

static void set_rows(HYPRE_IJMatrix matrix, HYPRE_IJVector b, HYPRE_IJVector x, int first, int last, int n) {
  for (int row = first; row <= last; ++row) {
    int columns[5], count = 0;
    double values[5];
    const int offsets[5] = {-n, -1, 0, 1, n};
    for (int i = 0; i < 5; ++i) {
      const int column = row + offsets[i];
      if (column < 0 || column >= n * n) continue;
      if ((offsets[i] == -1 && row % n == 0) || (offsets[i] == 1 && row % n == n - 1)) continue;
      columns[count] = column;
      values[count++] = i == 2 ? 4.0 : -1.0;
    }
    HYPRE_IJMatrixSetValues(matrix, 1, &count, &row, columns, values);
    const double one = 1.0, zero = 0.0;
    HYPRE_IJVectorSetValues(b, 1, &row, &one);
    HYPRE_IJVectorSetValues(x, 1, &row, &zero);
  }
}

static void solve(int n) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int first = n * n / ranks * rank, last = rank == ranks - 1 ? n * n - 1 : n * n / ranks * (rank + 1) - 1;
  HYPRE_IJMatrix matrix;
  HYPRE_IJVector b, x;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix);
  HYPRE_IJMatrixSetObjectType(matrix, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(matrix);
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &b);
  HYPRE_IJVectorSetObjectType(b, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(b);
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &x);
  HYPRE_IJVectorSetObjectType(x, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(x);
  set_rows(matrix, b, x, first, last, n);
  HYPRE_IJMatrixAssemble(matrix);
  HYPRE_IJVectorAssemble(b);
  HYPRE_IJVectorAssemble(x);
  HYPRE_ParCSRMatrix rows;
  HYPRE_ParVector right, left;
  HYPRE_IJMatrixGetObject(matrix, (void **)&rows);
  HYPRE_IJVectorGetObject(b, (void **)&right);
  HYPRE_IJVectorGetObject(x, (void **)&left);

  HYPRE_Solver solver, multigrid;
  HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &solver);
  HYPRE_PCGSetMaxIter(solver, 100);
  HYPRE_PCGSetTol(solver, 1e-9);
  HYPRE_BoomerAMGCreate(&multigrid);
  HYPRE_BoomerAMGSetMaxIter(multigrid, 1);
  HYPRE_BoomerAMGSetTol(multigrid, 0.0);
  HYPRE_PCGSetPrecond(solver, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup,
                      multigrid);
  HYPRE_ParCSRPCGSetup(solver, rows, right, left);
  HYPRE_ParCSRPCGSolve(solver, rows, right, left);
  int iterations = 0;
  double residual = 0;
  HYPRE_PCGGetNumIterations(solver, &iterations);
  HYPRE_PCGGetFinalRelativeResidualNorm(solver, &residual);
  print("%d x %d: %d iterations, residual %a\n", n, n, iterations, residual);
  HYPRE_BoomerAMGDestroy(multigrid);
  HYPRE_ParCSRPCGDestroy(solver);
  HYPRE_IJMatrixDestroy(matrix);
  HYPRE_IJVectorDestroy(b);
  HYPRE_IJVectorDestroy(x);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  for (int n = 40; n <= 100; n += 20) solve(n);
  HYPRE_Finalize();
  print_all();
  MPI_Finalize();
  return 0;
}
