#pragma once

#include <span>
#include <string>
#include <string_view>

namespace rondo::internal {

// " (did you mean 'tuna'?)" where one of the names is so near to the word that it may have been meant; else empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace rondo::internal
