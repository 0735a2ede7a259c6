#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>

#include "bindings.hpp"
#include "random.hpp"
#include "values.hpp"
#include "waiting.hpp"
#include "weir/traffic/pattern.hpp"

namespace weir::python {

namespace py = pybind11;
using traffic::Draw;
using traffic::Pattern;
using traffic::PatternContext;

namespace {

/// Called by many runs at a time; takes the interpreter lock for each message.
class PythonPattern final : public Pattern {
 public:
  PythonPattern(std::string name, py::object function, py::dict keys, std::size_t hosts)
      : name_(std::move(name)),
        function_(std::move(function)),
        keys_(std::move(keys)),
        hosts_(hosts) {}
  PythonPattern(const PythonPattern&) = delete;
  PythonPattern& operator=(const PythonPattern&) = delete;
  ~PythonPattern() override {
    const py::gil_scoped_acquire acquired;
    function_.release().dec_ref();
    keys_.release().dec_ref();
  }

  [[nodiscard]] HostId destination(const Draw& draw, RandomStream& random) const override {
    keep_thread_state();
    const py::gil_scoped_acquire acquired;
    const auto lent = std::make_shared<Random>(random);
    const py::object chosen = function_(draw.source.value, hosts_, lent, **keys_);
    lent->end();
    const Py_ssize_t host = PyNumber_AsSsize_t(chosen.ptr(), nullptr);
    if (host == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    const auto index = static_cast<std::size_t>(host);
    if (host >= 0 && index < hosts_ && index != draw.source.index()) return HostId(index);
    throw InputError("destinations",
                     fmt::format("pattern '{}' sends from host {} to {} of {} hosts", name_,
                                 draw.source.value, host, hosts_));
  }

 private:
  std::string name_;
  py::object function_;
  py::dict keys_;
  std::size_t hosts_;
};

/// A key from the default value of an argument.
Parameter parameter_of(const std::string& name, py::handle value) {
  const auto made = [&](ParameterType type, const std::string& text) {
    return Parameter::of(type, name, "argument of the function").by_default(text);
  };
  const std::string text = py::str(value);
  if (PyBool_Check(value.ptr())) {
    return made(ParameterType::boolean, value.ptr() == Py_True ? "true" : "false");
  }
  if (PyLong_Check(value.ptr())) return made(ParameterType::integer, text);
  if (PyFloat_Check(value.ptr())) return made(ParameterType::real, text);
  if (PyUnicode_Check(value.ptr())) return made(ParameterType::text, text);
  throw InputError(name, "must have a default that is bool, int, float or str");
}

py::object value_of(const Settings& settings, const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return py::bool_(settings.boolean(parameter.name));
    case ParameterType::integer:
      return py::int_(settings.integer(parameter.name));
    case ParameterType::real:
      return py::float_(settings.real(parameter.name));
    default:
      return py::str(settings.text(parameter.name));
  }
}

/// What a factory keeps of Python. It stays until the process ends, when there may be no
/// interpreter any more to give it back to.
struct Kept {
  std::string name;
  py::object function;
  std::vector<Parameter> keys;
};

void register_pattern(const std::string& name, const std::string& purpose,
                      const py::object& function, const py::dict& defaults,
                      const std::string& code) {
  if (AtWork::is_some()) {
    throw std::runtime_error("a pattern cannot be registered while runs are at work");
  }
  auto* kept = new Kept{name, function, {}};
  for (const auto& [key, value] : defaults) {
    kept->keys.push_back(parameter_of(py::str(key), value));
  }
  std::vector<Parameter> parameters = kept->keys;
  // So that a run of another function is another run to whoever keeps results.
  parameters.push_back(
      Parameter::of(ParameterType::text, "code", "digest of the function").by_default(code));
  traffic::pattern_registry().replace(
      {{name, purpose, "weir2026, docs/guide/python.md", std::move(parameters)},
       [kept](const Settings& settings, const PatternContext& context) {
         const py::gil_scoped_acquire acquired;
         py::dict keys;
         for (const Parameter& key : kept->keys) {
           keys[py::str(key.name)] = value_of(settings, key);
         }
         return std::make_shared<const PythonPattern>(kept->name, kept->function, keys,
                                                      context.graph.host_count());
       }});
}

bool is_pattern(const std::string& name) {
  for (const ModelInfo* model : traffic::pattern_registry().models()) {
    if (model->name == name) return true;
  }
  return false;
}

}  // namespace

void add_patterns(py::module_& module) {
  add_random(module);
  module.def("is_pattern", &is_pattern, py::arg("name"));
  module.def("register_pattern", &register_pattern, py::arg("name"), py::arg("purpose"),
             py::arg("function"), py::arg("defaults"), py::arg("code"));
}

}  // namespace weir::python
