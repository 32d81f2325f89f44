#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "wire/agreement.hpp"

namespace rondo::internal {

// The phases of one init, which fails on all ranks or on none. What a rank does by itself it does in `alone`; before
// anything collective, all ranks come to `agree`. A rank that fails goes to that agreement at once, with its fault, and
// the others meet it there after whatever they do until then. That agreement is one without values, since all
// ranks must bring as many of them: before one with values all agree that they are well, or bring their faults to it.
class Phases {
 public:
  explicit Phases(Agreement &agreement) : agreement_(agreement) {}

  // Gives what work() gives. What it throws all ranks throw: this one here, as agree() does where there is a fault, the
  // others where they agree next.
  template <class Work>
  std::invoke_result_t<Work> alone(Work &&work) const {
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      if (const auto fault = fault_of(work)) agreement_.agree({}, fault);
    } else {
      return value_of(work);
    }
  }

  // The same for work that gives or throws the same on all ranks, unless one runs out of memory. So an Error of it
  // needs no telling: each rank throws its own, once all have agreed that none ran out of memory.
  template <class Work>
  std::invoke_result_t<Work> alike(Work &&work) const {
    std::optional<Error> refusal;
    auto value = alone([&]() -> std::optional<std::invoke_result_t<Work>> {
      try {
        return work();
      } catch (Error &error) {
        refusal = std::move(error);
        return std::nullopt;
      }
    });
    if (refusal) {
      agree();
      throw *std::move(refusal);
    }
    return *std::move(value);
  }

  // Collective. Returns when all ranks have come through their phases so far; throws the fault of the lowest that has
  // not.
  void agree() const { agreement_.agree({}, std::nullopt); }

 private:
  template <class Work>
  std::invoke_result_t<Work> value_of(Work &&work) const {
    std::optional<std::invoke_result_t<Work>> value;
    if (const auto fault = fault_of([&] { value.emplace(work()); })) agreement_.agree({}, fault);
    return *std::move(value);
  }

  Agreement &agreement_;
};

}  // namespace rondo::internal
