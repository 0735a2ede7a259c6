#pragma once

#include <string>
#include <vector>

#include "weir/report/figure/figure.hpp"

namespace weir::report {

/// gnuplot's input for a figure as "svg", "png" or "pdf", written to `output`. gnuplot places
/// panels, keys, numbers and texts. What is ours: how much room a figure needs (Sheet), where its
/// names stand (Names), the distance of ticks, and breaks in names under bars, which gnuplot does
/// not know. Colours and symbols are those of look.hpp.
std::string gnuplot_script(const Figure& figure, const std::string& format,
                           const std::string& output);

/// Draws a figure into FOLDER/NAME.FORMAT for each format; "gp" writes the script. Returns the
/// paths. InputError when gnuplot is not there or the folder cannot be written; RunError when
/// gnuplot fails, with what it said.
std::vector<std::string> draw(const Figure& figure, const std::vector<std::string>& formats,
                              const std::string& folder, const std::string& gnuplot = "gnuplot");

}  // namespace weir::report
