// SPDX-License-Identifier: BSD-3-Clause
#include "contender.hpp"

namespace fft {
namespace {

class Transposing : public Contender {
 public:
  Transposing(const std::string &name, const Problem &problem, int rank, Transform &transform,
              std::unique_ptr<Transpose> transpose)
      : Contender(name), problem_(problem), rank_(rank), transform_(transform), transpose_(std::move(transpose)) {}

  std::span<Element> grid() override { return transform_.grid(); }
  int first_plane() const override { return problem_.x.firsts[rank_]; }
  std::optional<double> forward() override { return transform_.forward(*transpose_); }
  std::optional<double> backward() override { return transform_.backward(*transpose_); }
  SpectrumPart spectrum() const override {
    const auto part = transform_.spectrum();
    return {problem_.y.firsts[rank_], problem_.y.sizes[rank_], {part.begin(), part.end()}};
  }

 private:
  const Problem &problem_;
  int rank_;
  Transform &transform_;
  std::unique_ptr<Transpose> transpose_;
};

}  // namespace

std::unique_ptr<Contender> make_contender(const std::string &name, const Problem &problem, int rank,
                                          Transform &transform, std::unique_ptr<Transpose> transpose) {
  return std::make_unique<Transposing>(name, problem, rank, transform, std::move(transpose));
}

}  // namespace fft
