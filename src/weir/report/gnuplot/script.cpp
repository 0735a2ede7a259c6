#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "weir/report/gnuplot/gnuplot.hpp"
#include "weir/report/gnuplot/panel.hpp"

namespace weir::report {

namespace {

std::string terminal(const Layout& layout, const std::string& format) {
  if (format == "png") {
    return fmt::format(
        "pngcairo size {},{} fontscale 1.5 linewidth 2 pointscale 2 background '#ffffff' "
        "noenhanced font 'DejaVu Sans,14'",
        2 * layout.width, 2 * layout.height);
  }
  if (format == "pdf") {
    constexpr double kPixelsPerInch = 880 / 7.16;  // 7.16 in: two columns of a journal's page
    return fmt::format(
        "pdfcairo size {:.3f}in,{:.3f}in noenhanced fontscale 0.4376 linewidth 1.17 pointscale 0.8 "
        "font 'DejaVu Sans,14'",
        layout.width / kPixelsPerInch, layout.height / kPixelsPerInch);
  }
  return fmt::format("svg size {},{} dynamic noenhanced background '#ffffff' font 'DejaVu Sans,14'",
                     layout.width, layout.height);
}

class Script {
 public:
  Script(const Figure& figure, const std::string& format, const std::string& output)
      : figure_(figure), layout_(make_layout(figure)) {
    line("set encoding utf8");
    line("set terminal {}", terminal(layout_, format));
    line("set output {}", in_quotes(output));
  }

  std::string write() {
    const bool has_panels = figure_.panels.size() > 1;
    if (has_panels) line("set multiplot");
    texts();
    for (std::size_t i = 0; i < figure_.panels.size(); ++i) {
      out_ += PanelScript(figure_, layout_, i).write();
      if (!has_panels) continue;
      line("unset label");
      line("unset object");
      line("unset arrow");
    }
    if (has_panels) line("unset multiplot");
    line("set output");
    return std::move(out_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Args>(args)...);
    out_ += '\n';
  }

  /// A place on the canvas.
  [[nodiscard]] std::string at(double x, double y) const {
    return fmt::format("screen {:.4f},screen {:.4f}", x / layout_.width, 1 - y / layout_.height);
  }

  /// The title left above, and under it what the y axis shows: no text stands on its side.
  void texts() {
    if (!figure_.title.empty()) {
      line("set label {} at {} left font 'DejaVu Sans:Bold' textcolor rgb '{}'",
           in_quotes(figure_.title), at(14, layout_.title_y), kInk);
    }
    if (!figure_.y_label.empty()) {
      line("set label {} at {} left textcolor rgb '{}'", in_quotes(figure_.y_label),
           at(14, layout_.y_label_y), kQuiet);
    }
    if (!figure_.x_label.empty()) {
      line("set label {} at {} center textcolor rgb '{}'", in_quotes(figure_.x_label),
           at(layout_.x_label_x, layout_.x_label_y), kQuiet);
    }
    for (const Layout::Name& name : layout_.key) key_entry(name);
  }

  void key_entry(const Layout::Name& name) {
    const double end = name.x + 26;
    if (!name.is_reference && figure_.kind == Figure::Kind::bars) {
      line("set object rectangle from {} to {} fillcolor rgb '{}' fillstyle solid noborder",
           at(name.x + 8, name.y + 6), at(end, name.y - 6), line_color(name.color));
    } else if (name.is_line) {
      line("set arrow from {} to {} nohead linecolor rgb '{}' linewidth 1.2 dashtype 2",
           at(name.x, name.y), at(end, name.y), kQuiet);
    } else if (!name.is_reference) {
      line("set arrow from {} to {} nohead linecolor rgb '{}' linewidth 2.2 dashtype {}",
           at(name.x, name.y), at(end, name.y), line_color(name.color), line_dash(name.color));
    }
    if (!name.is_line && (name.is_reference || has_symbols(figure_))) {
      line("set label '' at {} point pointtype {} pointsize {} linecolor rgb '{}'",
           at(name.x + 13, name.y),
           name.is_reference ? reference_point_type(name.color) : line_symbol(name.color),
           name.is_reference ? 0.9 : 0.7, name.is_reference ? kQuiet : line_color(name.color));
    }
    line("set label {} at {} left textcolor rgb '{}'", in_quotes(name.text), at(end + 6, name.y),
         kInk);
  }

  const Figure& figure_;
  Layout layout_;
  std::string out_;
};

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& format,
                           const std::string& output) {
  return Script(figure, format, output).write();
}

}  // namespace weir::report
