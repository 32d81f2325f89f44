#include "cli/mpi_session.hpp"

#include <cstdlib>
#include <string_view>

#include "cli/interruption.hpp"

namespace rondo::internal::cli {

MpiSession::MpiSession(bool several_threads) {
  const char *progress = std::getenv("RONDO_PROGRESS");
  const bool by_thread = progress != nullptr && std::string_view(progress) == "thread";
  int given = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, several_threads || by_thread ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

MpiSession::~MpiSession() {
  MPI_Finalize();
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

std::string agreed_text(const std::string &mine, MPI_Comm comm) {
  const int rank = rank_in(comm);
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  int speaker = mine.empty() ? ranks : rank;
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, comm);
  if (speaker == ranks) return {};
  std::string text = mine;
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, speaker, comm);
  text.resize(length);
  MPI_Bcast(text.data(), length, MPI_CHAR, speaker, comm);
  return text;
}

double of_slowest(double seconds, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

bool all_asked_to_stop(MPI_Comm comm) {
  int stop = Interruption::asked_for() ? 1 : 0;
  MPI_Bcast(&stop, 1, MPI_INT, 0, comm);
  return stop != 0;
}

bool goes_on_until(double end, MPI_Comm comm) {
  int goes_on = MPI_Wtime() < end && !Interruption::asked_for() ? 1 : 0;
  MPI_Bcast(&goes_on, 1, MPI_INT, 0, comm);
  return goes_on != 0;
}

}  // namespace rondo::internal::cli
