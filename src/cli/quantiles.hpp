#pragma once

#include <vector>

namespace rondo::internal::cli {

// Five numbers that tell samples; all zero when there are none.
struct Quantiles {
  double least = 0;
  double lower = 0;  // a quarter of the samples is below
  double median = 0;
  double upper = 0;  // a quarter of the samples is above
  double most = 0;
};

// Between two samples, linearly.
Quantiles quantiles(std::vector<double> samples);

}  // namespace rondo::internal::cli
