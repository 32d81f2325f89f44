#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/picture.hpp"

namespace rondo::internal::cli {

namespace {

// In pixels.
constexpr int margin = 64;
constexpr int column_width = 190;
constexpr int column_gap = 26;
constexpr int row_height = 34;
constexpr int top = 96;

constexpr std::string_view sent_colour = "#1f5fbf";
constexpr std::string_view received_colour = "#c8501e";
constexpr std::string_view other_colour = "#b9bec6";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return result;
}

int row(int rank) {
  return top + rank * row_height;
}

int column(std::size_t step) {
  return margin + static_cast<int>(step) * column_width;
}

std::string_view colour(const Arrow &arrow, int rank) {
  return arrow.from == rank ? sent_colour : arrow.to == rank ? received_colour : other_colour;
}

std::string marker(std::string_view name, std::string_view fill) {
  return fmt::format(
      "<marker id=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
      "markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"{}\"/></marker>\n",
      name, fill);
}

std::string_view marker_name(std::string_view fill) {
  return fill == sent_colour ? "sent" : fill == received_colour ? "received" : "other";
}

std::string arrow_line(const Arrow &arrow, std::size_t step, std::string_view fill) {
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\" marker-end=\"url(#{})\"/>\n",
      column(step) + 7, row(arrow.from), column(step) + column_width - column_gap - 7, row(arrow.to), fill,
      fill == other_colour ? 0.9 : 1.7, marker_name(fill));
}

// The number of blocks, where the arrows of the rank are apart: what it sends fans out, what it receives in.
std::string arrow_label(const Arrow &arrow, std::size_t step, std::string_view fill) {
  const double part = fill == sent_colour ? 0.74 : 0.26;
  const double x = column(step) + part * (column_width - column_gap);
  const double y = row(arrow.from) + part * (row(arrow.to) - row(arrow.from)) + 4;
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" class=\"blocks\" fill=\"{}\">{}</text>\n", x, y, fill,
                     arrow.blocks);
}

std::string rank_dots(std::size_t step, int ranks) {
  std::string text;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const int x : {column(step), column(step) + column_width - column_gap}) {
      text += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"#30343b\"/>\n", x, row(rank));
    }
  }
  return text;
}

// Pale arrows first, so that those of the rank lie on top.
std::string step_drawing(const Picture &picture, std::size_t step, int rank) {
  std::string text = fmt::format("<text x=\"{}\" y=\"{}\" class=\"head\">step {}</text>\n",
                                 column(step) + (column_width - column_gap) / 2, top - 22, step);
  for (const bool own : {false, true}) {
    for (const Arrow &arrow : picture.steps[step]) {
      const std::string_view fill = colour(arrow, rank);
      if ((fill != other_colour) == own) text += arrow_line(arrow, step, fill);
    }
  }
  for (const Arrow &arrow : picture.steps[step]) {
    const std::string_view fill = colour(arrow, rank);
    if (fill != other_colour) text += arrow_label(arrow, step, fill);
  }
  return text + rank_dots(step, picture.ranks);
}

std::string legend(int rank, int y) {
  return fmt::format(
      "<text x=\"{0}\" y=\"{1}\"><tspan fill=\"{2}\">what rank {4} sends</tspan><tspan dx=\"18\" fill=\"{3}\">what it "
      "receives</tspan><tspan dx=\"18\" fill=\"#6a707a\">the others; numbers are blocks in the "
      "message</tspan></text>\n",
      margin, y, sent_colour, received_colour, rank);
}

}  // namespace

std::string svg_picture(const Picture &picture, int rank) {
  const int steps = static_cast<int>(picture.steps.size());
  const int title_width = static_cast<int>(picture.title.size()) * 9;  // no less than what the letters take
  const int width = margin + std::max({steps * column_width, title_width, 600});
  const int height = row(picture.ranks) + 40;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"DejaVu Sans, Helvetica, sans-serif\" font-size=\"13\">\n"
      "<style>.head{{font-weight:bold;text-anchor:middle}} .rank{{text-anchor:end}} "
      ".blocks{{text-anchor:middle;font-weight:bold;stroke:white;stroke-width:4px;paint-order:stroke}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<defs>\n{2}{3}{4}</defs>\n",
      width, height, marker("sent", sent_colour), marker("received", received_colour), marker("other", other_colour));
  text += fmt::format("<text x=\"{}\" y=\"34\" font-size=\"15\">{}</text>\n", margin, escaped(picture.title));
  for (int other = 0; other < picture.ranks; ++other) {
    text += fmt::format("<text x=\"{}\" y=\"{}\" class=\"rank\" font-weight=\"{}\">{}</text>\n", margin - 12,
                        row(other) + 5, other == rank ? "bold" : "normal", other);
  }
  for (std::size_t step = 0; step < picture.steps.size(); ++step) text += step_drawing(picture, step, rank);
  if (steps == 0) text += fmt::format("<text x=\"{}\" y=\"{}\">no steps</text>\n", margin, row(0) + 5);
  return text + legend(rank, row(picture.ranks) + 16) + "</svg>\n";
}

}  // namespace rondo::internal::cli
