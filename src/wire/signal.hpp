#pragma once

#include <cstdint>

#include "wire/bell.hpp"
#include "wire/flag.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// Tells another rank that its data is there, or has been taken.
struct Signal {
  Flag *flag = nullptr;
  Bell *bell = nullptr;      // of that rank
  std::uint32_t copies = 0;  // of the step's pushes that must be done

  void give(const Start &start) const {
    flag->store(start.number, std::memory_order_release);
    bell->ring();
  }
};

}  // namespace rondo::internal
