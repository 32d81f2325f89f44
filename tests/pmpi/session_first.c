/* A thread calls on the communicator of a session while the main thread is in MPI_Init_thread: which of the calls come
 * after it differs between ranks. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { most_ranks = 8, calls = 20000 };

static MPI_Comm of_session;
static int rank, ranks, wrong;

static void *call_again_and_again(void *nothing) {
  int out[most_ranks], in[most_ranks];
  for (int call = 0; call < calls; ++call) {
    for (int i = 0; i < ranks; ++i) out[i] = call + 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, of_session);
    for (int i = 0; i < ranks; ++i) wrong += in[i] != call + 10 * i + rank;
  }
  return nothing;
}

int main(int argc, char **argv) {
  MPI_Info info;
  MPI_Session session;
  MPI_Group group;
  pthread_t thread;
  int level = 0;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "MPI_THREAD_MULTIPLE");
  MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rondo", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &of_session);
  MPI_Comm_rank(of_session, &rank);
  MPI_Comm_size(of_session, &ranks);
  pthread_create(&thread, NULL, call_again_and_again, NULL);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_join(thread, NULL);
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &wrong, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("session first: %d wrong\n", wrong);
  MPI_Comm_free(&of_session);
  MPI_Group_free(&group);
  MPI_Info_free(&info);
  MPI_Finalize();
  MPI_Session_finalize(&session);
  return 0;
}
