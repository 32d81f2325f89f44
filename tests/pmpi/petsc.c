/* Solves, star forests, a parallel sort and a mesh that is distributed, of PETSc's, to the last bit: what in it ends in
 * MPI's all-to-all calls, and what in it waits for them in other ways. The solves and the forests are done over
 * point-to-point messages (`basic`), over neighbourhood collectives (`neighbor`), and, where PETSc and the MPI library
 * have them, over persistent ones. */
#include "printed.h" /* first: PETSc's headers make macros of MPI's calls */

#include <petscdmplex.h>
#include <petscksp.h>
#include <petscsf.h>
#include <stdint.h>

static int rounds = 3;

static const uint64_t no_bits = 0xcbf29ce484222325U;

static uint64_t with_bits(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3U;
  return hash;
}

static PetscErrorCode with_vector(uint64_t *hash, Vec vector) {
  PetscInt length = 0;
  const PetscScalar *values = NULL;
  PetscFunctionBeginUser;
  PetscCall(VecGetLocalSize(vector, &length));
  PetscCall(VecGetArrayRead(vector, &values));
  *hash = with_bits(*hash, values, (size_t)length * sizeof(*values));
  PetscCall(VecRestoreArrayRead(vector, &values));
  PetscFunctionReturn(0);
}

/* The five-point Laplacian on n x n points, with some convection for solvers that take matrices that are not symmetric.
 */
static PetscErrorCode make_matrix(PetscInt n, PetscReal convection, Mat *matrix) {
  PetscInt first = 0, end = 0;
  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n * n, n * n, 5, NULL, 2, NULL, matrix));
  PetscCall(MatGetOwnershipRange(*matrix, &first, &end));
  for (PetscInt row = first; row < end; ++row) {
    const PetscInt x = row % n, y = row / n;
    PetscCall(MatSetValue(*matrix, row, row, 4.0, INSERT_VALUES));
    if (y > 0) PetscCall(MatSetValue(*matrix, row, row - n, -1.0, INSERT_VALUES));
    if (x > 0) PetscCall(MatSetValue(*matrix, row, row - 1, -1.0 - convection, INSERT_VALUES));
    if (x < n - 1) PetscCall(MatSetValue(*matrix, row, row + 1, -1.0 + convection, INSERT_VALUES));
    if (y < n - 1) PetscCall(MatSetValue(*matrix, row, row + n, -1.0, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

static PetscErrorCode solve(PetscInt n, const char *solver_type, const char *preconditioner, PetscReal convection) {
  enum { most = 500 };
  PetscReal residuals[most];
  Mat matrix = NULL;
  Vec x = NULL, b = NULL;
  KSP solver = NULL;
  PC pc = NULL;
  PetscInt iterations = 0;
  uint64_t all_residuals = no_bits, solutions = no_bits;
  PetscFunctionBeginUser;
  PetscCall(make_matrix(n, convection, &matrix));
  PetscCall(MatCreateVecs(matrix, &x, &b));
  PetscCall(VecSet(b, 1.0));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetType(solver, solver_type));
  PetscCall(KSPGetPC(solver, &pc));
  PetscCall(PCSetType(pc, preconditioner));
  PetscCall(KSPSetTolerances(solver, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, most - 1));
  PetscCall(KSPSetResidualHistory(solver, residuals, most, PETSC_TRUE));
  for (int round = 0; round < rounds; ++round) {
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(KSPGetIterationNumber(solver, &iterations));
    all_residuals = with_bits(all_residuals, residuals, sizeof(*residuals) * (size_t)(iterations + 1));
    PetscCall(with_vector(&solutions, x));
  }
  print("%s with %s, %d x %d: %d iterations, residuals %016llx, the last %a, solutions %016llx\n", solver_type,
        preconditioner, (int)n, (int)n, (int)iterations, (unsigned long long)all_residuals,
        (double)residuals[iterations], (unsigned long long)solutions);
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}

#ifdef PETSC_HAVE_SUPERLU_DIST
/* By SuperLU_DIST, which permutes right-hand sides by MPI_Alltoallv. From three ranks on it adds in the order in which
 * messages come: its last bits are others in each run. */
static PetscErrorCode solve_directly(PetscInt n) {
  Mat matrix = NULL;
  Vec x = NULL, b = NULL;
  KSP solver = NULL;
  PC pc = NULL;
  PetscReal residual = 0;
  PetscMPIInt ranks = 0;
  uint64_t solutions = no_bits;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  PetscCall(make_matrix(n, 0.3, &matrix));
  PetscCall(MatCreateVecs(matrix, &x, &b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetOperators(solver, matrix, matrix));
  PetscCall(KSPSetType(solver, KSPPREONLY));
  PetscCall(KSPGetPC(solver, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERSUPERLU_DIST));
  for (int round = 0; round < 4 * rounds; ++round) {
    PetscCall(VecSet(b, 1.0 + round));
    PetscCall(KSPSolve(solver, b, x));
    PetscCall(with_vector(&solutions, x));
  }
  PetscCall(VecScale(b, -1.0));
  PetscCall(MatMultAdd(matrix, x, b, b));
  PetscCall(VecNorm(b, NORM_2, &residual));
  print("superlu_dist, %d x %d: residual %s\n", (int)n, (int)n, residual < 1e-9 ? "below 1e-9" : "too large");
  if (ranks == 2) print("%a, solutions %016llx\n", (double)residual, (unsigned long long)solutions);
  PetscCall(KSPDestroy(&solver));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&matrix));
  PetscFunctionReturn(0);
}
#endif

/* Each rank has leaves on the roots of all others; what they fetch, get and add goes either way. With `neighbor`, the
 * second half of fetch-and-op is a call that waits, on the communicator on which those of the broadcast do not. */
static PetscErrorCode star_forest(void) {
  enum { each = 37 };
  PetscMPIInt rank = 0, ranks = 0;
  PetscSF forest = NULL;
  PetscSFNode *remote = NULL;
  PetscInt *roots = NULL, *leaves = NULL, *fetched = NULL;
  uint64_t hash = no_bits;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
  const PetscInt count = each * (ranks - 1);
  PetscCall(PetscMalloc4(count, &remote, each, &roots, count, &leaves, count, &fetched));
  for (PetscInt i = 0; i < count; ++i) {
    remote[i].rank = (rank + 1 + i % (ranks - 1)) % ranks;
    remote[i].index = i / (ranks - 1);
    leaves[i] = 1000 * rank + i;
  }
  for (PetscInt i = 0; i < each; ++i) roots[i] = i;
  PetscCall(PetscSFCreate(PETSC_COMM_WORLD, &forest));
  PetscCall(PetscSFSetFromOptions(forest));
  PetscCall(PetscSFSetGraph(forest, each, count, NULL, PETSC_COPY_VALUES, remote, PETSC_COPY_VALUES));
  PetscCall(PetscSFSetUp(forest));
  for (int round = 0; round < 4 * rounds; ++round) {
    PetscCall(PetscSFFetchAndOpBegin(forest, MPIU_INT, roots, leaves, fetched, MPI_SUM));
    PetscCall(PetscSFFetchAndOpEnd(forest, MPIU_INT, roots, leaves, fetched, MPI_SUM));
    PetscCall(PetscSFBcastBegin(forest, MPIU_INT, roots, leaves, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(forest, MPIU_INT, roots, leaves, MPI_REPLACE));
    for (PetscInt i = 0; i < count; ++i) leaves[i] %= 65537;
    PetscCall(PetscSFReduceBegin(forest, MPIU_INT, leaves, roots, MPI_MAX));
    PetscCall(PetscSFReduceEnd(forest, MPIU_INT, leaves, roots, MPI_MAX));
    for (PetscInt i = 0; i < each; ++i) roots[i] %= 65521;
    hash = with_bits(hash, roots, sizeof(PetscInt) * each);
    hash = with_bits(hash, leaves, sizeof(PetscInt) * (size_t)count);
    hash = with_bits(hash, fetched, sizeof(PetscInt) * (size_t)count);
  }
  print("forest: roots, leaves, fetched %016llx\n", (unsigned long long)hash);
  PetscCall(PetscFree4(remote, roots, leaves, fetched));
  PetscCall(PetscSFDestroy(&forest));
  PetscFunctionReturn(0);
}

/* Keys whose number for each rank is another in each round: MPI_Alltoall, MPI_Alltoallv. */
static PetscErrorCode sort(MPI_Comm comm, PetscInt count) {
  PetscMPIInt rank = 0;
  PetscLayout layout = NULL;
  PetscInt *keys = NULL;
  uint64_t hash = no_bits;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscLayoutCreate(comm, &layout));
  PetscCall(PetscLayoutSetLocalSize(layout, count + rank));
  PetscCall(PetscLayoutSetUp(layout));
  PetscCall(PetscMalloc1(count + rank, &keys));
  for (int round = 0; round < 4 * rounds; ++round) {
    for (PetscInt i = 0; i < count + rank; ++i) keys[i] = (i * 7919 + rank * 104729 + round * 31) % 10007;
    PetscCall(PetscParallelSortInt(layout, layout, keys, keys));
    hash = with_bits(hash, keys, sizeof(PetscInt) * (size_t)(count + rank));
  }
  print("sorted %016llx\n", (unsigned long long)hash);
  PetscCall(PetscFree(keys));
  PetscCall(PetscLayoutDestroy(&layout));
  PetscFunctionReturn(0);
}

/* One number from each rank to each: MPI_Ialltoall. */
static PetscErrorCode all_to_all(MPI_Comm comm) {
  PetscMPIInt rank = 0, ranks = 0;
  PetscSF forest = NULL;
  PetscInt *roots = NULL, *leaves = NULL;
  uint64_t hash = no_bits;
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &ranks));
  PetscCall(PetscMalloc2(ranks, &roots, ranks, &leaves));
  PetscCall(PetscSFCreate(comm, &forest));
  PetscCall(PetscSFSetGraphWithPattern(forest, NULL, PETSCSF_PATTERN_ALLTOALL));
  for (int round = 0; round < 4 * rounds; ++round) {
    for (PetscInt i = 0; i < ranks; ++i) roots[i] = 10000 * round + 100 * rank + i;
    PetscCall(PetscSFBcastBegin(forest, MPIU_INT, roots, leaves, MPI_REPLACE));
    PetscCall(PetscSFBcastEnd(forest, MPIU_INT, roots, leaves, MPI_REPLACE));
    hash = with_bits(hash, leaves, sizeof(PetscInt) * (size_t)ranks);
  }
  print("pattern alltoall %016llx\n", (unsigned long long)hash);
  PetscCall(PetscFree2(roots, leaves));
  PetscCall(PetscSFDestroy(&forest));
  PetscFunctionReturn(0);
}

/* A mesh that one rank makes and all get a part of: MPI_Alltoall, MPI_Alltoallv. */
static PetscErrorCode distribute(MPI_Comm comm, const char *partitioner) {
  uint64_t hash = no_bits;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsSetValue(NULL, "-petscpartitioner_type", partitioner));
  for (int round = 0; round < rounds; ++round) {
    DM mesh = NULL;
    Vec coordinates = NULL;
    PetscCall(DMCreate(comm, &mesh));
    PetscCall(DMSetType(mesh, DMPLEX));
    PetscCall(DMSetFromOptions(mesh));
    PetscCall(DMGetCoordinates(mesh, &coordinates));
    PetscCall(with_vector(&hash, coordinates));
    PetscCall(DMDestroy(&mesh));
  }
  print("mesh by %s %016llx\n", partitioner, (unsigned long long)hash);
  PetscFunctionReturn(0);
}

/* A stage of its own, for -log_view, in which `VecScatter` and `SF` are what the exchanges take. */
static PetscErrorCode solve_over(const char *forests, const char *are_persistent) {
  char name[64];
  PetscLogStage stage = 0;
  PetscFunctionBeginUser;
  snprintf(name, sizeof(name), "%s, persistent: %s", forests, are_persistent);
  PetscCall(PetscLogStageRegister(name, &stage));
  PetscCall(PetscLogStagePush(stage));
  PetscCall(PetscOptionsSetValue(NULL, "-sf_type", forests));
  PetscCall(PetscOptionsSetValue(NULL, "-sf_neighbor_persistent", are_persistent));
  print("%s\n", name);
  PetscCall(solve(48, KSPCG, PCJACOBI, 0.0));
  PetscCall(solve(48, KSPGMRES, PCBJACOBI, 0.3));
  PetscCall(solve(32, KSPBICG, PCJACOBI, 0.3)); /* the transposed matrix, too: leaves to roots */
  PetscCall(star_forest());
  PetscCall(PetscOptionsClearValue(NULL, "-sf_type"));
  PetscCall(PetscOptionsClearValue(NULL, "-sf_neighbor_persistent"));
  PetscCall(PetscLogStagePop());
  PetscFunctionReturn(0);
}

static PetscErrorCode run(void) {
  MPI_Comm comm = MPI_COMM_NULL;
  PetscFunctionBeginUser;
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_box_faces", "12,12"));
  PetscCall(PetscOptionsSetValue(NULL, "-dm_plex_simplex", "0"));
  /* PETSc's own duplicate, which its objects share while one of them is there. */
  PetscCall(PetscCommDuplicate(PETSC_COMM_WORLD, &comm, NULL));
  PetscCall(solve_over("basic", "no"));
  PetscCall(solve_over("neighbor", "no"));
#ifdef PETSC_HAVE_MPI_PERSISTENT_NEIGHBORHOOD_COLLECTIVES
  PetscCall(solve_over("neighbor", "yes"));
#endif
  PetscCall(all_to_all(comm)); /* before calls that wait, and after them */
  PetscCall(sort(comm, 3000));
  PetscCall(all_to_all(comm));
  PetscCall(distribute(comm, "simple"));
#ifdef PETSC_HAVE_PTSCOTCH
  PetscCall(distribute(comm, "ptscotch"));
#endif
#ifdef PETSC_HAVE_SUPERLU_DIST
  PetscCall(solve_directly(40));
#endif
  PetscCall(PetscCommDestroy(&comm));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv) {
  if (PetscInitialize(&argc, &argv, NULL, NULL) != 0) return 1;
  if (argc > 1) rounds = atoi(argv[1]);
  if (run() != 0) return 1;
  print_all();
  return PetscFinalize() != 0;
}
