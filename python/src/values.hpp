#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "weir/base/config.hpp"
#include "weir/base/units.hpp"

namespace weir::python {

/// What messages call a dict that stands in the place of a file.
inline constexpr const char* kDict = "<experiment>";

/// A value as an experiment file has them, from Python's: also numbers and arrays of numpy, paths,
/// tuples and mappings. Everything in it gets one place. Entries that are None are left out of
/// tables. Throws InputError, which blames `key`, for what no file could hold.
ConfigValue to_config(pybind11::handle value, const SourcePosition& position,
                      const std::string& key);
/// The same for a mapping.
ConfigTable to_table(pybind11::handle mapping, const SourcePosition& position,
                     const std::string& key);

/// dict, list, str, int, float or bool.
pybind11::object to_python(const ConfigValue& value);
pybind11::dict to_python(const ConfigTable& table);

/// A place that has only a name.
SourcePosition place(const char* name);

/// A time from text with a unit ("0.5 ms") or a number of nanoseconds. Throws InputError, which
/// blames `key`.
Time to_time(pybind11::handle value, const std::string& key);

}  // namespace weir::python
