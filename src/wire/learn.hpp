#pragma once

#include <vector>

#include "schedule/sizes.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// The size collective: learns the sizes of all blocks that pass through this rank, by sending counts along the
// route (schedule/sizes.hpp). Making one takes all the memory that it needs, so that running it can only fail with
// MPI: ranks agree in between.
class SizeLearner {
 public:
  SizeLearner(const Route &route, const ForwardingTable &forwarding, const Exchange &exchange);

  // To be called once. Collective over the channel. Throws Error (mismatch) when a block that ends here has another
  // size than this rank's receive counts say.
  Sizes run(const Channel &channel);

 private:
  void run_step(int step, const Channel &channel);

  const Route &route_;
  const ForwardingTable &forwarding_;
  const Exchange &exchange_;
  Sizes sizes_;
  // The announcements, each message's at the place of its first entry.
  std::vector<std::int64_t> out_;
  std::vector<std::int64_t> in_;
  std::vector<MPI_Request> requests_;
};

}  // namespace rondo::internal
