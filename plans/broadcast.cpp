#include "plans/broadcast.hpp"

#include <algorithm>
#include <optional>

namespace rondo::internal {

namespace {

// Which bundle each rank receives in which step, for one number of ranks. The distances d[0] = 1 < d[1] < ... < d[q -
// 1] are used by turns: with distance d[k] every rank r receives from r - d[k]. Once each distance has had its turn,
// the next turn is the same with bundles that are q further on. So a schedule is a bundle for each distance, counted
// from the first of the turn: the one that the root has sent out with this very turn, and of every other one that the
// root sends out in q steps the one of an earlier turn.
class Pipeline {
 public:
  explicit Pipeline(int ranks) {
    for (int distance = ranks; distance > 1; distance = distance / 2 + distance % 2) distances_.push_back(distance);
    distances_.push_back(1);
    std::reverse(distances_.begin(), distances_.end());
  }

  [[nodiscard]] int turns() const { return static_cast<int>(distances_.size()) - 1; }
  [[nodiscard]] int ranks() const { return distances_.back(); }
  [[nodiscard]] int distance(int turn) const { return distances_[static_cast<std::size_t>(turn)]; }

  // By step, the bundle that a rank receives, or none. The root receives nothing.
  [[nodiscard]] std::vector<std::optional<int>> received(int rank, int bundles) const {
    const int first = first_turn(bundles);
    const std::vector<int> by_turn = bundle_by_turn(rank);
    std::vector<std::optional<int>> all;
    bool has_last = rank == 0;
    for (int step = 0; step < broadcast_steps(ranks(), bundles); ++step) {
      const int at = first + step;
      const int bundle = by_turn[static_cast<std::size_t>(at % turns())] + at / turns() * turns() - first;
      // The schedule goes on without end: what would follow the last bundle is the last once more.
      const bool comes = rank != 0 && bundle >= 0 && !(bundle >= bundles - 1 && has_last);
      all.push_back(comes ? std::optional(std::min(bundle, bundles - 1)) : std::nullopt);
      has_last = has_last || bundle >= bundles - 1;
    }
    return all;
  }

  // The turn of a step. The last step has the last turn.
  [[nodiscard]] int turn(int step, int bundles) const { return (first_turn(bundles) + step) % turns(); }

 private:
  [[nodiscard]] int first_turn(int bundles) const { return (turns() - (bundles - 1) % turns()) % turns(); }

  // The turn in which the root sends what reaches this rank by the fewest hops: the smallest of the distances that lead
  // to it when the largest that fits is taken first.
  [[nodiscard]] int first_hop(int rank) const {
    if (rank == 0) return turns();
    int turn = turns();
    while (rank > 0) {
      --turn;
      if (distance(turn) <= rank) rank -= distance(turn);
    }
    return turn;
  }

  // For each turn the bundle that a rank receives: the turn in which the root sent it out, less turns() for one of the
  // round before.
  [[nodiscard]] std::vector<int> bundle_by_turn(int rank) const;

  std::vector<int> distances_;  // and the number of ranks last
};

// Goes through the ranks that are on the way, going back from the rank itself: a rank whose own first bundle nobody has
// brought yet and from which the turn's distance leads on.
class Search {
 public:
  Search(const Pipeline &pipeline, int rank, int own)
      : pipeline_(pipeline), goal_(pipeline.ranks() + rank), below_(2 * pipeline.ranks()) {
    for (int turn = pipeline.turns(); turn >= 0; --turn) {
      if (turn != own) left_.push_back(turn);
    }
  }

  [[nodiscard]] std::vector<int> found() && {
    go_on_from(0, 0);
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool done() const { return static_cast<int>(found_.size()) == pipeline_.turns(); }
  [[nodiscard]] int reach(int ahead) const {
    return goal_ - pipeline_.distance(static_cast<int>(found_.size()) + ahead);
  }

  // `way`: the rank that the distances taken so far lead to; `from`: the first of the bundles left that may lead on.
  void go_on_from(int way, std::size_t from) {
    for (std::size_t i = from; i < left_.size() && !done();) {
      const int next = way + pipeline_.distance(left_[i]);
      if (next > reach(0) || next >= below_) {
        ++i;
        continue;
      }
      const int bundle = left_[i];
      if (next <= reach(1)) go_on_from(next, i);
      if (done() || way > reach(1)) return;
      below_ = next;
      found_.push_back(bundle);
      const auto taken = std::find(left_.begin(), left_.end(), bundle);
      i = static_cast<std::size_t>(taken - left_.begin());
      left_.erase(taken);
    }
  }

  const Pipeline &pipeline_;
  int goal_;
  int below_;
  std::vector<int> left_;  // bundles that the rank has yet to receive, the latest first
  std::vector<int> found_;
};

std::vector<int> Pipeline::bundle_by_turn(int rank) const {
  const int own = first_hop(rank);
  std::vector<int> bundles = Search(*this, rank, own).found();
  for (int &bundle : bundles) bundle = bundle == turns() ? own : bundle - turns();
  return bundles;
}

void carry(Traffic &traffic, int peer, const std::vector<Block> &bundle) {
  if (bundle.empty()) return;
  traffic.begin_message(peer);
  for (const Block &block : bundle) traffic.carry(block);
}

}  // namespace

int broadcast_steps(int ranks, int bundles) {
  int steps = bundles - 1;
  for (int reached = 1; reached<ranks; reached = reached> ranks / 2 ? ranks : 2 * reached) ++steps;
  return ranks == 1 ? 0 : steps;
}

void add_broadcast(Route &route, const RankRange &ranks, const std::vector<std::vector<Block>> &bundles, int steps) {
  const int last = route.steps() + steps;
  const int count = static_cast<int>(bundles.size());
  if (ranks.holds(route.rank) && ranks.size > 1) {
    const Pipeline pipeline(ranks.size);
    const int own = route.rank - ranks.first;
    const auto receives = pipeline.received(own, count);
    std::vector<std::vector<std::optional<int>>> sends;  // by turn: what the rank at that distance receives
    for (int turn = 0; turn < pipeline.turns(); ++turn) {
      sends.push_back(pipeline.received((own + pipeline.distance(turn)) % ranks.size, count));
    }
    for (int step = 0; step < broadcast_steps(ranks.size, count); ++step) {
      const int turn = pipeline.turn(step, count);
      const int distance = pipeline.distance(turn);
      route.begin_step();
      if (const auto bundle = sends[static_cast<std::size_t>(turn)][static_cast<std::size_t>(step)]) {
        carry(route.sends, ranks.rank((own + distance) % ranks.size), bundles[static_cast<std::size_t>(*bundle)]);
      }
      if (const auto bundle = receives[static_cast<std::size_t>(step)]) {
        carry(route.receives, ranks.rank((own - distance + ranks.size) % ranks.size),
              bundles[static_cast<std::size_t>(*bundle)]);
      }
    }
  }
  while (route.steps() < last) route.begin_step();
}

}  // namespace rondo::internal
