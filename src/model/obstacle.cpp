#include "model/obstacle.hpp"

namespace rondo::internal {

namespace {

int steps_of(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  if (algorithm.outline != nullptr) return static_cast<int>(algorithm.outline(situation.topology, parameters).steps);
  int steps = 0;
  for (const Stage &stage : algorithm.by_segments->stages(situation.topology, parameters)) steps += stage.steps;
  return steps;
}

bool sends_at_start_only(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  if (algorithm.layout == Layout::native) return true;
  return algorithm.layout == Layout::direct && steps_of(algorithm, situation, parameters) <= 1;
}

}  // namespace

std::string obstacle(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  std::string own = algorithm.obstacle(situation, parameters);
  if (!own.empty() || !situation.sends_at_start_only || sends_at_start_only(algorithm, situation, parameters))
    return own;
  return "it sends MPI messages after its start, which need a thread where the program is in a call of its own, and so "
         "MPI_THREAD_MULTIPLE";
}

}  // namespace rondo::internal
