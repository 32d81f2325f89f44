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

// Samples without those that lie more than one and a half times the distance of the quartiles outside them: Tukey's
// filter, as in Träff 2014, section 4.
std::vector<double> without_outliers(const std::vector<double> &samples);

struct Interval {
  double low = 0;
  double high = 0;
};

// Where the median of what was sampled lies with 95 % confidence, whatever its distribution: between two of the
// samples, by the binomial distribution of the number of samples below it, taken as a normal one. All samples where
// they are fewer than six, which are too few. There is at least one.
Interval median_interval(std::vector<double> samples);

}  // namespace rondo::internal::cli
