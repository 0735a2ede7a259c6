#pragma once

#include <pybind11/pybind11.h>

namespace weir::python {

// What the module has, a file each. The Python package over it gives it its shape: nothing of
// `weir._weir` is meant for users.

/// Exceptions of the library become those of weir/errors.py.
void add_errors(pybind11::module_& module);
/// Experiments, their runs and what they measured.
void add_runs(pybind11::module_& module);
/// Kinds, models, keys, metrics, sections, works; checks of settings.
void add_catalogue(pybind11::module_& module);
/// Documents, their claims and what they leave open.
void add_claims(pybind11::module_& module);
/// Figures of results.
void add_figures(pybind11::module_& module);
/// Networks and their routes.
void add_topology(pybind11::module_& module);
/// Rates of flows.
void add_rates(pybind11::module_& module);
/// Traffic patterns and random numbers for them, written in Python.
void add_patterns(pybind11::module_& module);
/// Runs that are gone through step by step.
void add_simulation(pybind11::module_& module);

}  // namespace weir::python
