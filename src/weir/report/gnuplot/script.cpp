#include <fmt/format.h>

#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/gnuplot/sheet.hpp"

namespace weir::report {

namespace {

std::string terminal(const Sheet& sheet, const std::string& format) {
  if (format == "png") {
    return fmt::format(
        "pngcairo size {},{} fontscale 1.5 linewidth 2 pointscale 2.6 background '#ffffff' "
        "noenhanced font 'DejaVu Sans,14'",
        2 * sheet.width, 2 * sheet.height);
  }
  if (format == "pdf") {
    constexpr double kPixelsPerInch = 880 / 7.16;  // 7.16 in: two columns of a journal's page
    return fmt::format(
        "pdfcairo size {:.3f}in,{:.3f}in noenhanced fontscale 0.4376 linewidth 1.17 pointscale 0.8 "
        "font 'DejaVu Sans,14'",
        sheet.width / kPixelsPerInch, sheet.height / kPixelsPerInch);
  }
  return fmt::format("svg size {},{} dynamic noenhanced background '#ffffff' font 'DejaVu Sans,14'",
                     sheet.width, sheet.height);
}

class Script {
 public:
  explicit Script(const Figure& figure) : figure_(figure), sheet_(figure) {}

  std::string write(const std::string& format, const std::string& output) {
    out_.line("set encoding utf8");
    out_.line("set terminal {}", terminal(sheet_, format));
    out_.line("set output {}", in_quotes(output));
    out_.line("set border 1 linecolor rgb '{}' linewidth 1", kQuiet);
    out_.line("set grid ytics linetype 1 linecolor rgb '#e3e3e3' linewidth 0.8");
    out_.line("set tics textcolor rgb '{}'", kQuiet);
    out_.line("set errorbars 0.6 linewidth {} {}", figure_.kind == Figure::Kind::points ? 0.8 : 1.2,
              figure_.kind == Figure::Kind::bars ? "linecolor rgb '#222222'" : "");
    if (figure_.x_log) out_.line("set logscale x");
    if (figure_.y_log) out_.line("set logscale y");
    margins();
    texts();
    key();
    panels();
    out_.line("set output");
    return out_.text();
  }

 private:
  [[nodiscard]] double across(double x) const { return x / sheet_.width; }
  [[nodiscard]] double up(double y) const { return y / sheet_.height; }
  [[nodiscard]] bool is_single() const { return figure_.panels.size() == 1; }

  /// What is not said here, gnuplot measures: numbers along y, a key beside the axes.
  void margins() {
    const double top = 1 - up(sheet_.top + sheet_.above_panel);
    const double right = 1 - across(sheet_.right);
    if (!is_single()) {
      return out_.line(
          "set multiplot layout {},{} margins screen {:.4f},{:.4f},{:.4f},{:.4f} spacing screen "
          "{:.4f},{:.4f}",
          sheet_.rows, sheet_.columns, across(sheet_.left), right, up(sheet_.bottom), top,
          across(sheet_.between), up(sheet_.above_panel + Sheet::kTextRow));
    }
    out_.line("set tmargin at screen {:.4f}", top);
    out_.line("set bmargin at screen {:.4f}", up(sheet_.bottom));
    if (sheet_.names != Names::beside) out_.line("set rmargin at screen {:.4f}", right);
  }

  void text(const std::string& what, double x, double y, const char* look) {
    if (what.empty()) return;
    out_.line("set label {} at screen {:.4f},screen {:.4f} {}", in_quotes(what), across(x), up(y),
              look);
  }

  /// The title left above, and under it what the y axis shows: no text stands on its side.
  void texts() {
    const double title = sheet_.height - 23;
    text(figure_.title, Sheet::kEdge, title,
         "left font 'DejaVu Sans:Bold' textcolor rgb '#222222'");
    text(figure_.y_label, Sheet::kEdge, figure_.title.empty() ? title : title - 27,
         "left textcolor rgb '#666666'");
    if (is_single()) {
      out_.line("set xlabel {} offset 0,0.2 textcolor rgb '{}'", in_quotes(figure_.x_label),
                kQuiet);
    } else {
      text(figure_.x_label, (sheet_.left + sheet_.width - sheet_.right) / 2,
           sheet_.bottom - sheet_.below_groups - 11, "center textcolor rgb '#666666'");
    }
  }

  void key() {
    const std::string place =
        sheet_.names == Names::beside
            ? "outside right center"
            : fmt::format("at screen 0.5,screen {:.4f} center bottom maxrows {}", up(8),
                          std::max<std::size_t>(sheet_.key_rows, 1));
    out_.line("set key {} vertical Left reverse samplen 2 spacing 1.15 textcolor rgb '{}'", place,
              kInk);
  }

  void panels() {
    std::string entries;
    for (const KeyEntry& entry : sheet_.key) {
      entries += fmt::format(", keyentry with {} title {}", entry.style, in_quotes(entry.text));
    }
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
      write_panel(figure_, sheet_, i, i == 0 ? entries : "", out_);
      for (const char* what : {"label", "object", "arrow", "key"}) out_.line("unset {}", what);
    }
    if (!is_single()) out_.line("unset multiplot");
  }

  const Figure& figure_;
  Sheet sheet_;
  Commands out_;
};

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& format,
                           const std::string& output) {
  return Script(figure).write(format, output);
}

}  // namespace weir::report
