#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>

#include "weir/report/gnuplot.hpp"
#include "weir/report/text_table.hpp"

namespace weir::report {

namespace {

constexpr std::array<const char*, 8> kColors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                             "#E69F00", "#56B4E9", "#000000", "#8C8C00"};
constexpr const char* kInk = "#222222";
constexpr const char* kQuiet = "#666666";
constexpr std::size_t kMostDirectLabels = 12;
constexpr double kLabelGap = 0.068;  ///< between names, as a share of the axis

/// As a gnuplot string in single quotes; used with `noenhanced`, so nothing in it is markup.
std::string quote(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

/// Sizes in pixels of the format's own canvas.
struct Canvas {
  double width;
  double height;
  double font;       ///< points as gnuplot counts them
  double character;  ///< about the width of a letter, pixels
  std::string terminal;
};

Canvas canvas_of(const std::string& format) {
  if (format == "png") {
    return {1760, 990, 14, 20.5,
            "pngcairo size 1760,990 fontscale 1.9 linewidth 2 background '#ffffff' noenhanced "
            "font 'DejaVu Sans,14'"};
  }
  if (format == "pdf") {
    return {640, 360, 11, 8, "pdfcairo size 6.4in,3.6in noenhanced font 'DejaVu Sans,9.5'"};
  }
  return {880, 495, 14, 10,
          "svg size 880,495 dynamic noenhanced background '#ffffff' font 'DejaVu Sans,14'"};
}

class Script {
 public:
  Script(const Figure& figure, const std::string& format, const std::string& output)
      : figure_(figure), canvas_(canvas_of(format)) {
    line("set encoding utf8");
    line("set terminal {}", canvas_.terminal);
    line("set output {}", quote(output));
  }

  std::string write() {
    data();
    margins();
    axes();
    texts();
    if (figure_.is_bars) {
      bars();
    } else {
      shade();
      lines();
    }
    line("set output");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
    out_ += '\n';
  }

  [[nodiscard]] double longest_label() const {
    std::size_t longest = 0;
    for (const FigureLine& l : figure_.lines) longest = std::max(longest, display_width(l.label));
    return static_cast<double>(longest);
  }
  [[nodiscard]] bool labels_at_lines() const {
    return !figure_.is_bars && figure_.lines.size() > 1 &&
           figure_.lines.size() <= kMostDirectLabels;
  }
  [[nodiscard]] bool has_key() const { return figure_.lines.size() > 1 && !labels_at_lines(); }

  void data() {
    for (std::size_t i = 0; i < figure_.lines.size(); ++i) {
      line("$line{} << END", i);
      for (const auto& [x, y] : figure_.lines[i].points) {
        if (std::isnan(y)) {
          out_ += "\n";  // a gap
        } else {
          line("{} {}", x, y);
        }
      }
      line("END");
    }
  }

  void margins() {
    left_ = 0.095;
    top_ = figure_.title.empty() ? 0.88 : 0.835;
    bottom_ = figure_.is_bars ? (long_groups() ? 0.26 : 0.12) : 0.155;
    const double names = (longest_label() + 2) * canvas_.character / canvas_.width;
    inside_ = labels_at_lines() ? place_inside() : std::nullopt;
    const bool beside = (labels_at_lines() && !inside_) || has_key();
    right_ = beside ? std::max(0.55, 0.985 - names) : 0.965;
    line("set lmargin at screen {}", left_);
    line("set rmargin at screen {:.4f}", right_);
    line("set tmargin at screen {}", top_);
    line("set bmargin at screen {}", bottom_);
  }

  void axes() {
    line("set border 1 linecolor rgb '{}' linewidth 1", kQuiet);
    line("set grid ytics linetype 1 linecolor rgb '#e3e3e3' linewidth 0.8");
    line("set tics textcolor rgb '{}'", kQuiet);
    line("set ytics scale 0 nomirror");
    line("set xtics scale 0.6 out nomirror");
    line("set xrange [{}:{}]", figure_.x_range.first, figure_.x_range.second);
    line("set yrange [{}:{}]", figure_.y_range.first, figure_.y_range.second);
    line("set format y '%g'");
    line("set xlabel {} textcolor rgb '{}'", quote(figure_.x_label), kQuiet);
    if (has_key()) {
      line(
          "set key at screen 0.99,{} right top spacing 1.15 Left reverse textcolor rgb '{}' "
          "samplen 1.5",
          top_, kInk);
    } else {
      line("unset key");
    }
  }

  /// The title left above, and under it what the y axis shows: no text stands on its side.
  void texts() {
    const double low = figure_.title.empty() ? 0.945 : 0.892;
    if (!figure_.title.empty()) {
      line("set label 1 {} at screen 0.025,0.955 left font ':Bold' textcolor rgb '{}'",
           quote(figure_.title), kInk);
    }
    line("set label 2 {} at screen 0.025,{} left textcolor rgb '{}'", quote(figure_.y_label), low,
         kQuiet);
  }

  void shade() {
    if (!figure_.shade) return;
    const auto [from, to] = *figure_.shade;
    line(
        "set object 1 rectangle from first {},graph 0 to first {},graph 1 behind fillcolor rgb "
        "'#f3f0e8' "
        "fillstyle solid noborder",
        std::max(from, figure_.x_range.first), std::min(to, figure_.x_range.second));
    if (figure_.shade_label.empty()) return;
    const double middle =
        (std::max(from, figure_.x_range.first) + std::min(to, figure_.x_range.second)) / 2;
    line("set label 3 {} at first {},graph {} center textcolor rgb '#8a7f66'",
         quote(figure_.shade_label), middle, is_freer_above(middle) ? 0.955 : 0.045);
  }

  /// Around `x` the lines leave more room under the upper edge than over the lower one.
  [[nodiscard]] bool is_freer_above(double x) const {
    const double reach = (figure_.x_range.second - figure_.x_range.first) / 10;
    double low = 1;
    double high = 0;
    for (const FigureLine& l : figure_.lines) {
      for (const auto& [at, y] : l.points) {
        if (std::isnan(y) || std::fabs(at - x) > reach) continue;
        low = std::min(low, share(y));
        high = std::max(high, share(y));
      }
    }
    return 1 - high > low;
  }

  void lines() {
    if (inside_) {
      inside_labels(*inside_);
    } else if (labels_at_lines()) {
      direct_labels();
    }
    std::string plots;
    for (std::size_t i = 0; i < figure_.lines.size(); ++i) {
      const FigureLine& l = figure_.lines[i];
      const bool few = l.points.size() <= 30;
      plots += fmt::format(
          "{} $line{} using 1:2 with {} linecolor rgb '{}' linewidth 2.2 dashtype {}{} title {}",
          i == 0 ? "plot" : ",", i, few ? "linespoints" : "lines", color(i),
          i < kColors.size() ? 1 : 2, few ? " pointtype 7 pointsize 0.6" : "", quote(l.label));
    }
    line("{}", plots);
  }

  [[nodiscard]] double share(double y) const {
    const auto [low, high] = figure_.y_range;
    return std::clamp((y - low) / (high - low), 0.0, 1.0);
  }

  /// Smallest vertical distance between any two lines over points first .. last, as a share of the
  /// axis.
  [[nodiscard]] double separation(std::size_t first, std::size_t last) const {
    double least = 1;
    for (std::size_t a = 0; a < figure_.lines.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (std::size_t k = first; k <= last; ++k) {
          const double distance =
              share(figure_.lines[a].points[k].second) - share(figure_.lines[b].points[k].second);
          least = std::isnan(distance) ? 0 : std::min(least, std::fabs(distance));
        }
      }
    }
    return least;
  }

  /// Lines that end together but run apart in the middle are named there: index of the middle
  /// point.
  [[nodiscard]] std::optional<std::size_t> place_inside() const {
    const std::size_t n = figure_.lines.front().points.size();
    for (const FigureLine& l : figure_.lines) {
      if (l.points.size() != n) return std::nullopt;
    }
    if (n < 20 || separation(n - 1, n - 1) >= kLabelGap) return std::nullopt;
    const auto names = longest_label() * canvas_.character / (0.85 * canvas_.width);
    const auto half = static_cast<std::size_t>(std::ceil(names / 2 * static_cast<double>(n))) + 1;
    std::optional<std::size_t> best;
    double most = 1.25 * kLabelGap;
    for (std::size_t k = half + n / 12; k + half < n - n / 12; ++k) {
      const double apart = separation(k - half, k + half);
      if (apart <= most + 1e-3) continue;
      most = apart;
      best = k;
    }
    return best;
  }

  void inside_labels(std::size_t at) {
    for (std::size_t i = 0; i < figure_.lines.size(); ++i) {
      const auto& [x, y] = figure_.lines[i].points[at];
      line("set label {} {} at first {},graph {:.4f} center front textcolor rgb '{}'", 10 + i,
           quote(figure_.lines[i].label), x, share(y) + 0.043, color(i));
    }
  }

  /// Height of a line at its right end and on average, as shares of the axis.
  struct Height {
    double end = 0;
    double mean = 0;
  };
  [[nodiscard]] Height height_of(const FigureLine& l) const {
    Height h;
    double count = 0;
    for (const auto& [x, y] : l.points) {
      if (std::isnan(y) || x > figure_.x_range.second) continue;
      h.end = y;
      h.mean += y;
      ++count;
    }
    return {share(h.end), count == 0 ? 0 : share(h.mean / count)};
  }

  /// Names at the ends of the lines, moved apart as far as needed. Lines that end together stand in
  /// the order of their averages.
  void direct_labels() {
    const std::size_t n = figure_.lines.size();
    std::vector<Height> heights;
    for (const FigureLine& l : figure_.lines) heights.push_back(height_of(l));
    const double gap = kLabelGap;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const double ea = std::round(heights[a].end / (gap / 2));
      const double eb = std::round(heights[b].end / (gap / 2));
      return ea != eb ? ea < eb : heights[a].mean < heights[b].mean;
    });
    std::vector<double> at(n);
    for (std::size_t k = 0; k < n; ++k) at[k] = heights[order[k]].end;
    spread(at, gap);
    for (std::size_t k = 0; k < n; ++k) {
      line("set label {} {} at graph 1.014,graph {:.4f} left textcolor rgb '{}'", 10 + k,
           quote(figure_.lines[order[k]].label), at[k], color(order[k]));
    }
  }

  /// Moves rising positions apart to at least `gap`, clusters around their middle, within 0 and 1.
  static void spread(std::vector<double>& at, double gap) {
    for (int pass = 0; pass < 200; ++pass) {
      bool moved = false;
      for (std::size_t k = 0; k + 1 < at.size(); ++k) {
        const double lack = gap - (at[k + 1] - at[k]);
        if (lack <= 1e-6) continue;
        at[k] -= lack / 2;
        at[k + 1] += lack / 2;
        moved = true;
      }
      if (!moved) break;
    }
    if (at.empty()) return;
    const double over = at.back() - 0.99;
    if (over > 0) {
      for (double& y : at) y -= over;
    }
    if (at.front() < 0.01) at.front() = 0.01;
    for (std::size_t k = 1; k < at.size(); ++k) at[k] = std::max(at[k], at[k - 1] + gap * 0.9);
  }

  [[nodiscard]] bool long_groups() const {
    std::size_t letters = 0;
    for (const std::string& group : figure_.bar_groups)
      letters = std::max(letters, display_width(group));
    return static_cast<double>(letters * figure_.bar_groups.size()) * canvas_.character >
           0.85 * canvas_.width;
  }

  void bars() {
    const auto sets = static_cast<double>(figure_.lines.size());
    const double width = 0.72 / sets;
    std::string tics;
    for (std::size_t g = 0; g < figure_.bar_groups.size(); ++g) {
      tics += fmt::format("{}{} {}", g == 0 ? "" : ", ", quote(figure_.bar_groups[g]), g);
    }
    line("set xtics ({}) scale 0{}", tics, long_groups() ? " rotate by -30" : "");
    line("set boxwidth {} absolute", width * 0.92);
    line("set style fill solid 1 noborder");
    std::string plots;
    for (std::size_t i = 0; i < figure_.lines.size(); ++i) {
      const double shift = (static_cast<double>(i) - (sets - 1) / 2) * width;
      plots +=
          fmt::format("{} $line{} using ($1{:+}):2 with boxes linecolor rgb '{}' title {}",
                      i == 0 ? "plot" : ",", i, shift, color(i), quote(figure_.lines[i].label));
      plots += fmt::format(
          ", $line{} using ($1{:+}):2:(sprintf('%.3g',$2)) with labels offset 0,0.7 textcolor rgb "
          "'{}' notitle",
          i, shift, kQuiet);
    }
    line("{}", plots);
  }

  static const char* color(std::size_t i) { return kColors[i % kColors.size()]; }

  const Figure& figure_;
  Canvas canvas_;
  std::string out_;
  std::optional<std::size_t> inside_;  ///< point where lines are named, if not at their ends
  double left_ = 0;
  double right_ = 1;
  double top_ = 1;
  double bottom_ = 0;
};

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& format,
                           const std::string& output) {
  return Script(figure, format, output).write();
}

}  // namespace weir::report
