#pragma once

#include <span>
#include <vector>

namespace rondo::internal {

// Numbers sorted into groups 0..groups-1; within a group they keep their order. O(items + groups) to make.
class Groups {
 public:
  template <class GroupOf>
  Groups(std::span<const int> items, int groups, GroupOf &&group_of)
      : items_(items.size()), first_(static_cast<std::size_t>(groups) + 1, 0) {
    for (const int item : items) ++first_[group_of(item) + 1];
    for (std::size_t group = 1; group < first_.size(); ++group) first_[group] += first_[group - 1];
    std::vector<std::size_t> next = first_;
    for (const int item : items) items_[next[group_of(item)]++] = item;
  }

  [[nodiscard]] int groups() const { return static_cast<int>(first_.size()) - 1; }
  [[nodiscard]] std::span<const int> operator[](int group) const {
    const std::size_t first = first_[group];
    return std::span(items_).subspan(first, first_[group + 1] - first);
  }
  // All items, group by group.
  [[nodiscard]] std::span<const int> all() const { return items_; }

 private:
  std::vector<int> items_;
  std::vector<std::size_t> first_;  // of each group in items_, and the end
};

}  // namespace rondo::internal
