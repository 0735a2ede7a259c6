#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "weir/base/config.hpp"

namespace weir::python {

/// An experiment from a path or a mapping, with what it includes. Throws InputError.
ConfigTable read(pybind11::handle experiment);
/// The same with values laid over it.
ConfigTable read(pybind11::handle experiment, const pybind11::dict& values);

/// Values by dotted key, each as a table to lay over an experiment. Throws InputError.
std::vector<ConfigTable> overrides(const pybind11::dict& values);

}  // namespace weir::python
