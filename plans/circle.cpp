#include "plans/circle.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

// A member's view of its circle.
class Member {
 public:
  Member(const Circle &circle, int rank)
      : circle_(circle),
        members_(static_cast<int>(circle.members.size())),
        own_(static_cast<int>(std::find(circle.members.begin(), circle.members.end(), rank) - circle.members.begin())) {
  }

  [[nodiscard]] int members() const { return members_; }
  // Places in the circle, going round from this member's own.
  [[nodiscard]] int place(int distance) const { return ((own_ + distance) % members_ + members_) % members_; }

  // `count` bundles from a place on.
  void send(Route &route, int distance, int first, int count) const {
    route.sends.begin_message(circle_.members[place(distance)]);
    carry(route.sends, first, count);
  }
  void receive(Route &route, int distance, int first, int count) const {
    route.receives.begin_message(circle_.members[place(distance)]);
    carry(route.receives, first, count);
  }
  [[nodiscard]] bool holds(int member, int bundle) const {
    const int held = circle_.held.empty() ? 1 : circle_.held[member];
    return (bundle - member + members_) % members_ < held;
  }

 private:
  void carry(Traffic &traffic, int first, int count) const {
    for (int i = 0; i < count; ++i) {
      for (const Block &block : circle_.bundles[(first + i) % members_]) traffic.carry(block);
    }
  }

  const Circle &circle_;
  int members_;
  int own_;
};

void add_ring(Route &route, const Member &member) {
  for (int step = 0; step + 1 < member.members(); ++step) {
    route.begin_step();
    const int onwards = member.place(-step);
    const int coming = member.place(-1 - step);
    if (!member.holds(member.place(1), onwards)) member.send(route, 1, onwards, 1);
    if (!member.holds(member.place(0), coming)) member.receive(route, -1, coming, 1);
  }
}

// Before a step each member has as many bundles as it goes far, from its own on.
void add_dissemination(Route &route, const Member &member, int radix) {
  for (std::int64_t far = 1; far < member.members(); far *= radix) {
    route.begin_step();
    for (std::int64_t times = 1; times < radix && times * far < member.members(); ++times) {
      const int distance = static_cast<int>(times * far);
      const int count = static_cast<int>(std::min<std::int64_t>(far, member.members() - distance));
      member.send(route, -distance, member.place(0), count);
      member.receive(route, distance, member.place(distance), count);
    }
  }
}

}  // namespace

int all_gather_steps(int members, int radix) {
  if (radix <= 1) return std::max(0, members - 1);
  int steps = 0;
  for (std::int64_t far = 1; far < members; far *= radix) ++steps;
  return steps;
}

Stage all_gather_stage(int first, int second, int radix) {
  Stage stage{.steps = all_gather_steps(std::max(first, second), radix)};
  if (radix <= 1) stage.rings = {all_gather_steps(first, radix), all_gather_steps(second, radix)};
  return stage;
}

void add_all_gather(Route &route, const Circle &circle, int radix, int steps) {
  const int last = route.steps() + steps;
  const Member member(circle, route.rank);
  radix <= 1 ? add_ring(route, member) : add_dissemination(route, member, radix);
  while (route.steps() < last) route.begin_step();
}

}  // namespace rondo::internal
