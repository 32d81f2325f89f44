#pragma once

// The executor (varying/varying_exchange.hpp) for exchanges in which every block goes straight from its source to where
// it stays: one step, and one block in each message.

#include <memory>
#include <span>

#include "route/route.hpp"
#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/varying_exchange.hpp"

namespace rondo::internal {

// Whether this rank's part of the route is such an exchange.
bool is_direct(const Route &route, const MessageForm &form);

// As make_varying_exchange(), for such a route.
std::unique_ptr<VaryingExchange> make_direct_exchange(const Route &route, std::span<Link *const> links,
                                                      VaryingMemory &memory, const MessageForm &form);

}  // namespace rondo::internal
