// SPDX-License-Identifier: BSD-3-Clause
#include "contender.hpp"

#include "transform.hpp"

namespace fft {
namespace {

class Transposing : public Contender {
 public:
  Transposing(const std::string &name, const Problem &problem, int rank, std::unique_ptr<Transpose> transpose)
      : Contender(name), problem_(problem), rank_(rank), transform_(problem, rank, std::move(transpose)) {}

  std::span<Element> grid() override { return transform_.grid(); }
  int first_plane() const override { return problem_.x.firsts[rank_]; }
  std::optional<double> forward() override { return transform_.forward(); }
  std::optional<double> backward() override { return transform_.backward(); }
  SpectrumPart spectrum() const override {
    const auto part = transform_.spectrum();
    return {problem_.y.firsts[rank_], problem_.y.sizes[rank_], {part.begin(), part.end()}};
  }

 private:
  const Problem &problem_;
  int rank_;
  Transform transform_;
};

}  // namespace

std::unique_ptr<Contender> make_contender(const std::string &name, const Problem &problem, int rank,
                                          std::unique_ptr<Transpose> transpose) {
  return std::make_unique<Transposing>(name, problem, rank, std::move(transpose));
}

}  // namespace fft
