#include <pybind11/stl.h>

#include <cmath>

#include "bindings.hpp"
#include "values.hpp"
#include "weir/base/catalog.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/experiment/config/plugins.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/report/page/bibliography.hpp"

namespace weir::python {

namespace py = pybind11;

namespace {

const char* type_name(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "bool";
    case ParameterType::integer:
      return "int";
    case ParameterType::real:
      return "float";
    case ParameterType::text:
      return "text";
    case ParameterType::time:
      return "time";
    case ParameterType::bytes:
      return "bytes";
    case ParameterType::rate:
      return "rate";
    case ParameterType::integers:
      return "ints";
    case ParameterType::reals:
      return "floats";
    case ParameterType::texts:
      return "texts";
    case ParameterType::path:
      return "path";
    case ParameterType::any:
      break;
  }
  return "any";
}

py::list keys_of(const std::vector<Parameter>& parameters) {
  py::list keys;
  for (const Parameter& parameter : parameters) {
    const auto limit = [](double value) -> py::object {
      return std::isfinite(value) ? py::object(py::float_(value)) : py::none();
    };
    py::dict key;
    key["name"] = parameter.name;
    key["type"] = type_name(parameter.type);
    key["help"] = parameter.help;
    key["default"] = py::cast(parameter.default_text);
    key["is_required"] = parameter.is_required;
    key["minimum"] = limit(parameter.minimum);
    key["maximum"] = limit(parameter.maximum);
    key["choices"] = py::cast(parameter.choices);
    keys.append(key);
  }
  return keys;
}

py::dict model_of(const ModelInfo& info) {
  py::dict model;
  model["name"] = info.name;
  model["purpose"] = info.purpose;
  model["citation"] = info.citation;
  model["keys"] = keys_of(info.parameters);
  return model;
}

py::dict kinds() {
  py::dict kinds;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == "metric") continue;
    py::list models;
    for (const ModelInfo* info : kind->models()) models.append(model_of(*info));
    kinds[py::str(kind->kind())] = models;
  }
  return kinds;
}

py::list metrics() {
  py::list metrics;
  for (const ModelInfo* info : metric_registry().models()) {
    const MetricKind& kind = metric_kind(info->name);
    py::list forms;
    if ((kind.forms & metric_form::kScalar) != 0) forms.append("scalar");
    if ((kind.forms & metric_form::kSeries) != 0) forms.append("series");
    if ((kind.forms & metric_form::kHistogram) != 0) forms.append("histogram");
    py::dict metric;
    metric["name"] = info->name;
    metric["meaning"] = info->purpose;
    metric["citation"] = info->citation;
    metric["unit"] = kind.unit;
    metric["forms"] = forms;
    metric["needs"] = kind.needs;
    metrics.append(metric);
  }
  return metrics;
}

py::list sections() {
  py::list sections;
  for (const experiment::Section& one : experiment::sections()) {
    py::dict section;
    section["name"] = one.name;
    section["purpose"] = one.purpose;
    section["kind"] = one.kind;
    section["default_model"] = one.default_model;
    section["keys"] = keys_of(one.parameters);
    section["is_list"] = one.is_list;
    section["is_open"] = one.is_open;
    sections.append(section);
  }
  return sections;
}

py::list works() {
  py::list works;
  for (const report::Work& one : report::bibliography()) {
    py::dict work;
    work["key"] = one.key;
    work["authors"] = one.authors;
    work["year"] = one.year;
    work["title"] = one.title;
    work["venue"] = one.venue;
    work["address"] = one.address;
    work["bibtex"] = one.bibtex;
    works.append(work);
  }
  return works;
}

const std::vector<Parameter>* parameters_of_section(const std::string& name) {
  for (const experiment::Section& one : experiment::sections()) {
    if (one.name == name) return &one.parameters;
  }
  return nullptr;
}

/// Checks values against the keys of a model and those that its section adds.
void check_model(const std::string& kind, const std::string& name, const py::dict& values) {
  std::vector<Parameter> parameters;
  for (const CatalogKind* each : Catalog::instance().kinds()) {
    if (each->kind() != kind) continue;
    for (const ModelInfo* info : each->models()) {
      if (info->name == name) parameters = info->parameters;
    }
  }
  if (const auto* more = parameters_of_section(kind)) {
    parameters.insert(parameters.end(), more->begin(), more->end());
  }
  (void)Settings::check(to_table(values, {}, kind), parameters, kind);
}

void check_section(const std::string& name, const py::dict& values) {
  const experiment::Section& section = experiment::section(name);
  (void)Settings::check(to_table(values, {}, name), section.parameters, name);
}

/// (kind, name) of its models.
std::vector<std::pair<std::string, std::string>> load_plugin(const std::string& path) {
  experiment::load_plugin_for_all(path, "path");
  const experiment::Plugin& plugin = experiment::load_plugin(path, {}, "path");
  std::vector<std::pair<std::string, std::string>> models;
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    for (const ModelInfo* model : kind->models()) {
      if (model->plugin == plugin.name) models.emplace_back(kind->kind(), model->name);
    }
  }
  return models;
}

}  // namespace

void add_catalogue(py::module_& module) {
  module.def("kinds", &kinds);
  module.def("metrics", &metrics);
  module.def("sections", &sections);
  module.def("works", &works);
  module.def("load_plugin", &load_plugin, py::arg("path"));
  module.def("check_model", &check_model, py::arg("kind"), py::arg("name"), py::arg("values"));
  module.def("check_section", &check_section, py::arg("name"), py::arg("values"));
  module.def(
      "suggestion",
      [](const std::string& wrong, const std::vector<std::string>& known) {
        return suggestion(wrong, known);
      },
      py::arg("wrong"), py::arg("known"));
}

}  // namespace weir::python
