#include "values.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

namespace weir::python {
namespace {

namespace py = pybind11;

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string type_name(py::handle value) {
  return py::str(py::type::handle_of(value).attr("__name__"));
}

ConfigValue to_number(py::handle value, const SourcePosition& position, const std::string& key) {
  if (PyLong_Check(value.ptr())) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      throw InputError(position, key, "is an integer of more than 64 bits");
    }
    return {static_cast<std::int64_t>(number), position};
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (!std::isfinite(number)) throw InputError(position, key, "must be a finite number");
  return {number, position};
}

ConfigValue to_list(py::handle values, const SourcePosition& position, const std::string& key) {
  ConfigArray list;
  for (const py::handle item : values) {
    list.push_back(to_config(item, position, joined(key, std::to_string(list.size()))));
  }
  return {std::move(list), position};
}

}  // namespace

ConfigTable to_table(py::handle mapping, const SourcePosition& position, const std::string& key) {
  ConfigTable table;
  table.position = position;
  const py::object items = mapping.attr("items")();
  for (const py::handle item : items) {
    const auto pair = py::reinterpret_borrow<py::tuple>(item);
    if (!py::isinstance<py::str>(pair[0])) {
      throw InputError(position, key, "has a key that is no string, but " + type_name(pair[0]));
    }
    if (pair[1].is_none()) continue;
    const std::string name = py::str(pair[0]);
    table.entries().push_back({name, to_config(pair[1], position, joined(key, name)), position});
  }
  return table;
}

ConfigValue to_config(py::handle value, const SourcePosition& position, const std::string& key) {
  if (PyBool_Check(value.ptr())) return {value.ptr() == Py_True, position};
  if (PyLong_Check(value.ptr()) || PyFloat_Check(value.ptr())) {
    return to_number(value, position, key);
  }
  if (PyUnicode_Check(value.ptr())) return {std::string(py::str(value)), position};
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
    return to_list(value, position, key);
  }
  // Arrays and numbers of numpy, series of pandas.
  if (py::hasattr(value, "tolist")) {
    const py::object plain = value.attr("tolist")();
    if (!plain.get_type().is(py::type::handle_of(value))) return to_config(plain, position, key);
  }
  if (py::hasattr(value, "items")) return {to_table(value, position, key), position};
  if (py::hasattr(value, "__fspath__")) {
    return {std::string(py::str(value.attr("__fspath__")())), position};
  }
  if (PyRange_Check(value.ptr())) return to_list(value, position, key);
  throw InputError(position, key, "cannot be of the type " + type_name(value));
}

py::object to_python(const ConfigValue& value) {
  if (value.is_table()) return to_python(value.table());
  if (value.is_array()) {
    py::list list;
    for (const ConfigValue& item : value.array()) list.append(to_python(item));
    return list;
  }
  if (value.is_text()) return py::str(value.text());
  if (value.is_integer()) return py::int_(value.integer());
  if (value.is_real()) return py::float_(std::get<double>(value.data));
  return py::bool_(std::get<bool>(value.data));
}

py::dict to_python(const ConfigTable& table) {
  py::dict dict;
  for (const ConfigEntry& entry : table.entries()) {
    dict[py::str(entry.key)] = to_python(entry.value);
  }
  return dict;
}

SourcePosition place(const char* name) { return {std::make_shared<const std::string>(name), 0, 0}; }

Time to_time(py::handle value, const std::string& key) {
  if (PyUnicode_Check(value.ptr())) {
    try {
      return parse_time(std::string(py::str(value)));
    } catch (const std::invalid_argument& problem) {
      throw InputError(key, problem.what());
    }
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  constexpr double kMost = 9.2e15;  // ns; Time ends a little later
  if (!(number >= 0 && number < kMost)) {
    throw InputError(key, "must be a time with its unit, or nanoseconds from 0 on");
  }
  return Time(std::llround(number * 1e3));
}

}  // namespace weir::python
