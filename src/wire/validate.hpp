#pragma once

#include "exchange/exchange.hpp"
#include "wire/channel.hpp"

namespace rondo {

// rondo_validate=1: holds what every rank sends against what every other receives. Collective. Throws Error
// (mismatch) on all ranks, naming the pair and both sizes, when they differ anywhere: that of the lowest receiver,
// and of its sources the lowest.
void validate(const Exchange &exchange, const Channel &channel);

}  // namespace rondo
