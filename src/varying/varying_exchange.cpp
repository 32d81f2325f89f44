#include "varying/varying_exchange.hpp"

#include "varying/direct_exchange.hpp"
#include "varying/routed_exchange.hpp"

namespace rondo::internal {

std::unique_ptr<VaryingExchange> make_varying_exchange(const Route &route, std::span<Link *const> links,
                                                       VaryingMemory &memory, const MessageForm &form) {
  if (is_direct(route, form)) return make_direct_exchange(route, links, memory, form);
  return std::make_unique<RoutedExchange>(route, links, memory, form);
}

}  // namespace rondo::internal
