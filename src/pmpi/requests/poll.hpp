#pragma once

#include "wire/patience.hpp"

namespace rondo::internal::pmpi {

// How a rank waits for what several sources may bring: it drives all that runs, then spins, yields, and in the end
// naps.
class Poll {
 public:
  Poll();
  void pause();

 private:
  Waiting waiting_;
};

}  // namespace rondo::internal::pmpi
