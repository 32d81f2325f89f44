#include "script.hpp"

#include <algorithm>
#include <array>

#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

namespace {

constexpr std::array<const char *, 8> kind_names = {"alltoall",          "alltoallv",          "alltoallw",
                                                    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw",
                                                    "allgather",         "allgatherv"};
constexpr std::array<const char *, 9> what_names = {"init",    "start", "exchange",   "message", "shift",
                                                    "barrier", "sum",   "short life", "farewell"};
constexpr std::array<const char *, places> place_names = {"whole",  "twin", "reversed", "graph",
                                                          "halves", "grid", "between",  "brief"};

class Writer {
 public:
  Writer(std::uint64_t seed, int ranks, const Wishes &wishes) : draw_(mixed(seed, 1)), ranks_(ranks), wishes_(wishes) {}

  Script write() {
    const int plans = wishes_.persistent ? draw_.below(6) : 0;
    const int acts = 10 + draw_.below(50);
    while (static_cast<int>(script_.acts.size()) < acts) add(plans);
    return std::move(script_);
  }

 private:
  void add(int plans) {
    const bool persistent = plans > 0 && !draw_.one_in(3);
    if (persistent) {
      const bool fresh = script_.plans.empty() || (static_cast<int>(script_.plans.size()) < plans && draw_.one_in(4));
      return fresh ? add_init() : add_start();
    }
    if (wishes_.not_persistent && !draw_.one_in(3)) return add_exchange();
    if (brief_lives_ && !wishes_.for_openmpi && draw_.one_in(8)) return say_farewell();
    add_other();
  }

  void add_init() {
    Plan plan;
    plan.layout = layout();
    plan.place = place_for(plan.layout, 4);
    // What Rondo leaves to the MPI library, which mixes up neighbours that come twice, MPICH 4.0 completes again and
    // again.
    if (plan.layout.kind == Kind::neighbor_alltoall) plan.place = Place::grid;
    plan.hints = hints(plan.layout);
    script_.acts.push_back({.what = What::init, .place = plan.place, .plan = static_cast<int>(script_.plans.size())});
    script_.plans.push_back(std::move(plan));
  }

  void add_start() {
    const int plan = draw_.below(static_cast<int>(script_.plans.size()));
    script_.acts.push_back(
        {.what = What::start, .place = script_.plans[static_cast<std::size_t>(plan)].place, .plan = plan});
  }

  // Calls of a kind on a communicator are taken over when they come again, so few kinds and communicators come often.
  void add_exchange() {
    Act act{.what = What::exchange, .layout = layout()};
    if (gathers(act.layout.kind)) act.layout.kind = Kind::alltoallv;
    act.place = place_for(act.layout, favourite_ > 2 ? 2 : 5);
    act.blocks = draw_.one_in(seldom_waits_ ? 4 : 2) || (wishes_.for_openmpi && is_of_neighbors(act.layout.kind));
    script_.acts.push_back(act);
  }

  void add_other() {
    Act act{.what = draw_.pick(std::array{What::message, What::message, What::message, What::message, What::shift,
                                          What::barrier, What::sum, What::short_life})};
    act.place = draw_.pick(std::array{Place::whole, Place::twin, Place::reversed, Place::graph});
    act.blocks = (act.what == What::barrier || act.what == What::sum) && draw_.one_in(2);
    act.from = draw_.below(ranks_);
    act.to = draw_.below(ranks_);
    act.length = draw_.one_in(6) ? draw_.below(100000) : draw_.below(50);
    if (act.what == What::short_life) act.life = short_life();
    script_.acts.push_back(act);
  }

  // Half of them have no calls.
  ShortLife short_life() {
    ShortLife life;
    if (draw_.one_in(2)) return life;
    life.calls = draw_.below(8);
    life.ints = 1 + draw_.below(12);
    life.calls_before_attribute = draw_.below(life.calls + 2) - 1;
    if (!wishes_.for_openmpi) life.calls_before_attribute_of_type = draw_.below(life.calls + 2) - 1;
    life.calls_at_end = draw_.below(5);
    life.another_thread_at_end = wishes_.any_thread && draw_.one_in(2);
    life.new_type_at_end = draw_.one_in(2);
    return life;
  }

  // One of the first places, or one of the others.
  Place place_for(const Layout &layout, int first) {
    // Where a rank sends to more than it receives from, MPICH 4.0 itself reads counts past their end in
    // MPI_Neighbor_alltoallw, and Open MPI 4.1 truncates in MPI_Neighbor_alltoall.
    const bool on_grids = wishes_.for_openmpi && layout.kind == Kind::neighbor_alltoall;
    if (on_grids || layout.kind == Kind::neighbor_alltoallw) return Place::grid;
    if (is_of_neighbors(layout.kind)) return draw_.one_in(3) ? Place::grid : Place::graph;
    if (draw_.one_in(8) && !layout.in_place && !gathers(layout.kind)) return Place::between;
    if (draw_.one_in(6) && brief_lives_) return Place::brief;
    return static_cast<Place>(draw_.below(first));
  }

  void say_farewell() {
    brief_lives_ = false;
    script_.acts.push_back({.what = What::farewell, .place = Place::brief});
  }

  Layout layout() {
    Layout layout;
    layout.kind = static_cast<Kind>(draw_.below(wishes_.gathers ? 8 : 6));
    layout.in_place = !wishes_.for_openmpi && !is_of_neighbors(layout.kind) && draw_.one_in(5);
    layout.gaps_sent = draw_.one_in(5);
    layout.gaps_received = layout.in_place ? layout.gaps_sent : draw_.one_in(5);
    layout.absolute = draw_.one_in(8);
    layout.own_types = draw_.one_in(3);
    layout.space = 4 * draw_.below(3);
    layout.empty_one_in = draw_.pick(std::array{0, 0, 4, 2});
    layout.most_pairs = most_pairs();
    layout.seed = draw_.number();
    return layout;
  }

  // Most are small; a program has few that are large, as those take their time.
  int most_pairs() {
    const int pair = 2 * static_cast<int>(sizeof(int));
    const int kind = draw_.below(20);
    int bytes = 64;
    if (kind >= 8) bytes = 4096;
    if (kind >= 14) bytes = 65536;
    if (kind >= 18 && large_left_ > 0) {
      --large_left_;
      bytes = kind == 18 ? 512 << 10 : 4 << 20;
    }
    return std::max(1, std::min(bytes, wishes_.most_bytes) / pair);
  }

  std::map<std::string, std::string> hints(const Layout &layout) {
    std::map<std::string, std::string> hints;
    if (!wishes_.hints) return hints;
    static constexpr std::array of_exchanges = {"",
                                                "",
                                                "native",
                                                "spread_out",
                                                "scattered",
                                                "pairwise",
                                                "tuna",
                                                "two_phase_bruck",
                                                "sloav",
                                                "node_aggregated",
                                                "tuna_explicit"};
    static constexpr std::array of_gathers = {"", "native", "spread_out", "dissemination"};
    std::string algorithm = gathers(layout.kind) ? draw_.pick(of_gathers) : draw_.pick(of_exchanges);
    if (!wishes_.algorithm.empty()) algorithm = wishes_.algorithm;
    // Rondo leaves what it refuses to the MPI library, whose own persistent requests MPICH 4.0 takes for complete ones
    // when they are inactive.
    const bool is_refused = (layout.kind == Kind::alltoallw && layout.in_place) ||
                            (gathers(layout.kind) && (layout.gaps_received || layout.own_types));
    if (is_refused && algorithm == "native") algorithm.clear();
    if (draw_.one_in(4)) hints["rondo_wire"] = draw_.pick(std::array{"packed", "datatype"});
    if (draw_.one_in(4)) hints["rondo_node_size"] = draw_.pick(std::array{"1", "2"});
    if (draw_.one_in(4)) hints["rondo_long_messages"] = draw_.pick(std::array{"rings", "attach"});
    if (wishes_.any_thread && draw_.one_in(8)) hints["rondo_progress"] = "thread";
    // What sends MPI messages after its start is refused where the program has one thread.
    const bool sends_late = !algorithm.empty() && algorithm != "native" && algorithm != "spread_out";
    if (!wishes_.any_thread && sends_late && !hints.empty()) algorithm.clear();
    if (!algorithm.empty()) hints["rondo_algorithm"] = algorithm;
    if (draw_.one_in(10)) {
      hints["rondo_tune"] = "measure";
      hints["rondo_tune_budget"] = "0.001";
    }
    if (algorithm == "native" && draw_.one_in(3)) hints["rondo_native"] = "nonblocking";
    return hints;
  }

  Draw draw_;
  int ranks_;
  const Wishes &wishes_;
  int favourite_ = draw_.below(5);
  const bool seldom_waits_ = draw_.one_in(3);
  int large_left_ = 2;
  bool brief_lives_ = true;
  Script script_;
};

int edge_count(std::uint64_t seed, int from, int to, bool twice) {
  const int of_three = static_cast<int>(mixed(seed, 2, from, to) % 4);
  return of_three < 3 ? (of_three + 1) / 2 : (twice ? 2 : 1);
}

}  // namespace

const char *name_of(Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

bool gathers(Kind kind) {
  return kind == Kind::allgather || kind == Kind::allgatherv;
}

bool is_of_neighbors(Kind kind) {
  return kind == Kind::neighbor_alltoall || kind == Kind::neighbor_alltoallv || kind == Kind::neighbor_alltoallw;
}

bool is_even(Kind kind) {
  return kind == Kind::alltoall || kind == Kind::neighbor_alltoall || kind == Kind::allgather;
}

const char *name_of(What what) {
  return what_names[static_cast<std::size_t>(what)];
}

int Layout::pairs(int from, int to) const {
  if (is_even(kind)) return most_pairs;
  if (kind == Kind::allgatherv) to = 0;
  if (in_place && from > to) std::swap(from, to);
  const std::uint64_t hash = mixed(seed, from, to);
  if (empty_one_in > 0 && hash % static_cast<std::uint64_t>(empty_one_in) == 0) return 0;
  return static_cast<int>((hash >> 8) % static_cast<std::uint64_t>(most_pairs + 1));
}

Layout Layout::of_rank(int rank) const {
  Layout own = *this;
  if (!own_types) return own;
  const std::uint64_t drawn = mixed(seed, 4, rank);
  own.gaps_sent = drawn % 2 == 0;
  own.gaps_received = in_place ? own.gaps_sent : drawn / 2 % 2 == 0;
  own.absolute = drawn / 4 % 4 == 0;
  return own;
}

Script write_script(std::uint64_t seed, int ranks, const Wishes &wishes) {
  return Writer(seed, ranks, wishes).write();
}

std::string to_string(const Script &script, int number) {
  const Act &act = script.acts[static_cast<std::size_t>(number)];
  std::string text = std::to_string(number) + ": " + (act.blocks ? "blocking " : "") + name_of(act.what);
  const Layout *layout = act.what == What::exchange ? &act.layout : nullptr;
  if (act.plan >= 0) {
    const Plan &plan = script.plans[static_cast<std::size_t>(act.plan)];
    layout = &plan.layout;
    text += " of plan " + std::to_string(act.plan);
    for (const auto &[key, value] : plan.hints) text += " " + key + "=" + value;
  }
  if (layout != nullptr) {
    text +=
        std::string(" ") + name_of(layout->kind) + " of up to " + std::to_string(8L * layout->most_pairs) + " bytes";
    if (layout->in_place) text += " in place";
    if (layout->own_types) text += ", types of each rank's own";
    if (!layout->own_types && layout->absolute) text += ", from MPI_BOTTOM";
    if (!layout->own_types && layout->gaps_sent) text += ", gaps where sent";
    if (!layout->own_types && layout->gaps_received) text += ", gaps where received";
  }
  if (act.what == What::message) text += " from " + std::to_string(act.from) + " to " + std::to_string(act.to);
  if (act.what == What::message) text += " of " + std::to_string(act.length) + " ints";
  return text + " on " + place_names[static_cast<std::size_t>(act.place)];
}

std::vector<int> destinations_of(std::uint64_t seed, int rank, int ranks, bool twice) {
  std::vector<int> found;
  for (int k = 0; k < ranks; ++k) {
    const int to = (rank + k) % ranks;
    found.insert(found.end(), static_cast<std::size_t>(edge_count(seed, rank, to, twice)), to);
  }
  return found;
}

std::vector<int> sources_of(std::uint64_t seed, int rank, int ranks, bool twice) {
  std::vector<int> found;
  for (int from = 0; from < ranks; ++from) {
    found.insert(found.end(), static_cast<std::size_t>(edge_count(seed, from, rank, twice)), from);
  }
  return found;
}

}  // namespace rondo::random_programs
