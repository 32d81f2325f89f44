#pragma once

#include <span>
#include <string>

#include "cli/overlap_contest.hpp"

namespace rondo::internal::cli {

// One table for people, of blocks of so many bytes.
std::string overlap_table(std::int64_t bytes, const Between &between, std::span<const Overlap> results);

}  // namespace rondo::internal::cli
