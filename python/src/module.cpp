#include "bindings.hpp"
#include "weir/base/version.hpp"

PYBIND11_MODULE(_weir, module) {
  module.attr("version") = weir::version();
  module.attr("source_experiments") = WEIR_SOURCE_EXPERIMENTS;
  weir::python::add_errors(module);
  weir::python::add_runs(module);
  weir::python::add_claims(module);
  weir::python::add_figures(module);
  weir::python::add_catalogue(module);
  weir::python::add_topology(module);
  weir::python::add_rates(module);
  weir::python::add_patterns(module);
  weir::python::add_simulation(module);
}
