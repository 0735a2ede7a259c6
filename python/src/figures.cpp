#include <pybind11/stl.h>

#include <algorithm>

#include "bindings.hpp"
#include "records.hpp"
#include "values.hpp"
#include "waiting.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/gnuplot/gnuplot.hpp"

namespace weir::python {

namespace py = pybind11;

namespace {

/// Draws the figure of a [[plot]] table into a folder; returns the paths.
std::vector<std::string> draw(const Records& records, const py::dict& plot,
                              const std::string& folder) {
  const report::PlotSpec spec = report::PlotSpec::read(to_table(plot, place("plot"), ""), "plot");
  std::vector<std::string> paths;
  without_lock([&](const std::atomic<bool>&) {
    const report::Figure figure = report::make_figure(spec, records.all());
    paths = report::draw(figure, spec.formats, folder);
  });
  return paths;
}

}  // namespace

void add_figures(py::module_& module) {
  module.def("draw", &draw, py::arg("records"), py::arg("plot"), py::arg("folder"));
}

}  // namespace weir::python
