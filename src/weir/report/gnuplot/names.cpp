#include "weir/report/gnuplot/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <sstream>

#include "weir/report/figure/look.hpp"
#include "weir/report/table/text_table.hpp"

namespace weir::report {

namespace {

constexpr std::size_t kMostBeside = 14;  ///< entries of a key
constexpr double kWidestName = 0.4;      ///< beside the axes, share of all
constexpr double kNameHeight = 18;
constexpr double kMostMoved = kNameHeight / 3;  ///< a name that is farther from its line misleads

/// Of a filled symbol; the hollow one comes before it.
int point_type(Symbol symbol) {
  static constexpr std::array<int, 6> kTypes{7, 5, 9, 13, 11, 15};
  return kTypes.at(static_cast<std::size_t>(symbol));
}

std::string_view color_of(const FigureReference& reference) {
  return reference.color ? line_color(*reference.color).light : kQuiet;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

double text_width(std::string_view text) { return 8.6 * static_cast<double>(display_width(text)); }

std::vector<std::string> lines_of(const std::string& text, double width) {
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.empty() && text_width(lines.back() + " " + word) <= width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

std::string line_style(const Figure& figure, std::size_t color) {
  return fmt::format("linecolor rgb '{}' linewidth 2.2 dashtype {} pointtype {} pointsize {}",
                     line_color(color).light, is_dashed(color) ? 2 : 1,
                     point_type(line_symbol(color)), figure.has_symbols ? 0.7 : 0);
}

std::string point_line_style(const Figure& figure, std::size_t color) {
  return fmt::format("linecolor rgb '{}' linewidth 1.4 dashtype 1 pointtype {} pointsize {}",
                     line_color(color).light, point_type(line_symbol(color)),
                     figure.has_symbols ? 0.9 : 0);
}

std::string whisker_style(std::size_t color) {
  return fmt::format("linecolor rgb '{}' linewidth 0.8 pointtype 7 pointsize 0",
                     line_color(color).light);
}

std::string front_style() {
  return fmt::format("linecolor rgb '{}' linewidth 1.2 dashtype 2", kQuiet);
}

std::string point_style(const FigureReference& reference) {
  return fmt::format("pointtype {} pointsize 0.9 linecolor rgb '{}' linewidth 1.4",
                     point_type(reference_symbol(reference.style)) - 1, color_of(reference));
}

std::string level_style(const FigureReference& reference) {
  return fmt::format("linecolor rgb '{}' linewidth 1.4 dashtype {}", color_of(reference),
                     2 + reference.style % 4);
}

std::vector<double> name_heights(const Figure& figure, double height) {
  if (figure.kind != Figure::Kind::lines || figure.panels.size() > 1) return {};
  const FigurePanel& panel = figure.panels.front();
  std::vector<double> ends;
  for (const FigureLine& line : panel.lines) {
    if (!line.end) return {};
    ends.push_back(*line.end * height);
  }
  for (const FigureReference& reference : panel.references) {
    if (!reference.y) continue;
    ends.push_back(share_of(*reference.y, panel.y_range, figure.y_log) * height);
  }
  std::vector<double> at = ends;
  std::vector<std::size_t> order(at.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return ends[a] < ends[b]; });
  for (int pass = 0; pass < 20; ++pass) {
    for (std::size_t k = 1; k < order.size(); ++k) {
      const double lack = kNameHeight - (at[order[k]] - at[order[k - 1]]);
      if (lack <= 0) continue;
      at[order[k - 1]] -= lack / 2;
      at[order[k]] += lack / 2;
    }
  }
  for (std::size_t k = 0; k < at.size(); ++k) {
    if (std::fabs(at[k] - ends[k]) > kMostMoved) return {};
    at[k] /= height;
  }
  return at;
}

Names place_of_names(const Figure& figure, double width, double height) {
  if (figure.kind == Figure::Kind::points) return Names::below;
  const std::vector<KeyEntry> all = key_entries(figure, Names::below);
  const bool has_room = std::all_of(all.begin(), all.end(), [&](const KeyEntry& entry) {
    return text_width(entry.text) <= kWidestName * width;
  });
  if (has_room && !name_heights(figure, height).empty()) return Names::at_ends;
  const bool is_beside = has_room && figure.panels.size() == 1 && all.size() <= kMostBeside &&
                         figure.kind != Figure::Kind::bars && !figure.is_one_column;
  return is_beside ? Names::beside : Names::below;
}

std::vector<KeyEntry> key_entries(const Figure& figure, Names names,
                                  const std::vector<std::string>& unnamed) {
  std::vector<KeyEntry> entries;
  const auto add = [&](const std::string& text, std::string style) {
    const bool is_known = std::any_of(entries.begin(), entries.end(),
                                      [&](const KeyEntry& entry) { return entry.text == text; });
    if (!is_known) entries.push_back({text, std::move(style)});
  };
  const bool is_bars = figure.kind == Figure::Kind::bars;
  const char* sample = is_bars              ? "boxes fillstyle solid 1 noborder "
                       : figure.has_symbols ? "linespoints "
                                            : "lines ";
  if (figure.kind == Figure::Kind::points) {
    for (std::size_t i = 0; i < figure.names.size(); ++i) {
      if (std::find(unnamed.begin(), unnamed.end(), figure.names[i]) == unnamed.end()) continue;
      add(figure.names[i], "points " + point_line_style(figure, i));
    }
    const bool has_front = std::any_of(figure.panels.begin(), figure.panels.end(),
                                       [](const auto& panel) { return !panel.front.empty(); });
    if (has_front) add("Pareto front", "lines " + front_style());
  }
  for (const std::size_t i : figure.key_order) {
    if (figure.kind == Figure::Kind::points) break;
    const bool is_named = figure.names.size() < 2 || names == Names::at_ends;
    if (!is_named) add(figure.names[i], sample + line_style(figure, i));
  }
  for (const FigurePanel& panel : figure.panels) {
    for (FigureReference reference : panel.references) {
      if (reference.points.empty()) {
        const bool is_named = reference.y && names == Names::at_ends;
        if (!is_named) add(reference.text, "lines " + level_style(reference));
        continue;
      }
      // one entry for all that have the colours of their lines
      if (reference.color)
        reference.text.resize(std::min(reference.text.find(':'), reference.text.size()));
      reference.color.reset();
      add(reference.text, "points " + point_style(reference));
    }
  }
  if (!figure.shade_label.empty() && figure.panels.size() > 1) {
    add(figure.shade_label,
        fmt::format("boxes fillstyle solid 1 noborder linecolor rgb '{}'", kShade));
  }
  return entries;
}

}  // namespace weir::report
