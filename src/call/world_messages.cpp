#include "call/world_messages.hpp"

#include <numeric>

#include "wire/channel.hpp"
#include "wire/known_groups.hpp"

namespace rondo::internal::call {

// Never destroyed, as MPI_Finalize may come after main().
WorldMessages &WorldMessages::of_process() {
  static auto *const messages = new WorldMessages;
  return *messages;
}

void WorldMessages::open(MPI_Comm all) {
  all_ = OwnedComm(all);
  largest_tag_ = largest_tag(all);
}

void WorldMessages::close() {
  all_.free();
}

WorldRanks WorldMessages::ranks_of(MPI_Comm comm) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  auto of_world = std::make_shared<std::vector<int>>(ranks.size());
  const OwnedGroup group(comm);
  const OwnedGroup world(MPI_COMM_WORLD);
  check_mpi(MPI_Group_translate_ranks(group.get(), size, ranks.data(), world.get(), of_world->data()),
            "MPI_Group_translate_ranks");
  return *of_world == ranks ? nullptr : of_world;
}

int WorldMessages::take(std::int64_t tag) {
  if (tag > largest_tag_) {
    throw Error(Fault::comm, "there is no tag left for a further communicator of ranks of MPI_COMM_WORLD");
  }
  next_tag_ = tag + 1;
  return static_cast<int>(tag);
}

}  // namespace rondo::internal::call
