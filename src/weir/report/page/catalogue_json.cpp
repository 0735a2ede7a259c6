#include "weir/report/page/catalogue_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/base/error.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/experiment/config/sections.hpp"
#include "weir/report/figure/figure.hpp"
#include "weir/report/page/bibliography.hpp"
#include "weir/report/table/parameter_text.hpp"
#include "weir/topology/topology.hpp"

namespace weir::report {

using experiment::Section;
using nlohmann::json;

namespace {

constexpr const char* kMetricKind = "metric";
constexpr const char* kSectionKind = "section";
constexpr const char* kTopologyKind = "topology";

json to_json(const Parameter& parameter) {
  json out{{"name", parameter.name}, {"type", type_text(parameter)}, {"meaning", parameter.help}};
  if (parameter.default_text) out["default"] = *parameter.default_text;
  if (parameter.is_required) out["required"] = true;
  if (std::isfinite(parameter.minimum)) out["minimum"] = parameter.minimum;
  if (std::isfinite(parameter.maximum)) out["maximum"] = parameter.maximum;
  if (!parameter.choices.empty()) out["choices"] = parameter.choices;
  return out;
}

json keys_of(const std::vector<Parameter>& parameters) {
  json keys = json::array();
  for (const Parameter& parameter : parameters) keys.push_back(to_json(parameter));
  return keys;
}

json sources_of(const std::string& citation) {
  json sources = json::array();
  for (const CitedPlace& cited : cited_places(citation)) {
    if (cited.work == nullptr) {
      sources.push_back({{"text", cited.place}});
      continue;
    }
    sources.push_back({{"key", cited.work->key},
                       {"authors", cited.work->authors},
                       {"year", cited.work->year},
                       {"place", cited.place}});
  }
  return sources;
}

json to_json(const ModelInfo& model, bool is_metric) {
  json out{
      {"name", model.name}, {"purpose", model.purpose}, {"sources", sources_of(model.citation)}};
  if (!model.plugin.empty()) out["plugin"] = model.plugin;
  if (!is_metric) {
    out["keys"] = keys_of(model.parameters);
    return out;
  }
  const MetricKind& kind = metric_kind(model.name);
  out["unit"] = kind.unit;
  json forms = json::array();
  if ((kind.forms & metric_form::kScalar) != 0) forms.push_back("scalar");
  if ((kind.forms & metric_form::kSeries) != 0) forms.push_back("series");
  if ((kind.forms & metric_form::kHistogram) != 0) forms.push_back("histogram");
  out["forms"] = std::move(forms);
  if (!kind.needs.empty()) out["needs"] = kind.needs;
  return out;
}

json models_of(const CatalogKind& kind) {
  json models = json::array();
  for (const ModelInfo* model : kind.models()) {
    models.push_back(to_json(*model, kind.kind() == kMetricKind));
    if (kind.kind() == kTopologyKind) {
      models.back()["routing"] = topology::natural_routings(model->name);
    }
  }
  return models;
}

std::vector<Parameter> parameters_of(const Section& section) {
  if (section.name == "plot") return PlotSpec::parameters();
  if (section.name == "plot.reference") return PlotSpec::reference_parameters();
  return section.parameters;
}

json to_json(const Section& section) {
  json one{{"name", section.name},
           {"purpose", section.purpose},
           {"keys", keys_of(parameters_of(section))}};
  if (!section.kind.empty()) one["kind"] = section.kind;
  if (!section.default_model.empty()) one["default_model"] = section.default_model;
  if (!section.default_by.empty()) one["default_by"] = section.default_by;
  if (section.is_list) one["list"] = true;
  if (section.is_open) one["open"] = true;
  return one;
}

json sections_json() {
  json sections = json::array();
  for (const Section& section : experiment::sections()) sections.push_back(to_json(section));
  return sections;
}

const CatalogKind* kind_called(const std::string& name) {
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() == name) return kind;
  }
  return nullptr;
}

// --- The schema

/// Kinds of models that stand in a key of a section, in place of a section of their own.
std::string kind_of_key(const std::string& key) {
  if (key == "destinations") return "pattern";
  return key == "arrivals" || key == "sizes" || key == "lengths" ? key : "";
}

/// Numbers, as TOML has them: a whole number may stand for a real one.
json number_schema(const Parameter& parameter, const char* type) {
  json out{{"type", type}};
  if (std::isfinite(parameter.minimum)) out["minimum"] = parameter.minimum;
  if (std::isfinite(parameter.maximum)) out["maximum"] = parameter.maximum;
  return out;
}

json reference_to(const std::string& definition) {
  return {{"$ref", "#/definitions/" + definition}};
}

/// Of a key that names one metric (`any`: or several): the name alone, or with a label.
json metric_schema() {
  json names = json::array();
  std::string pattern;
  for (const ModelInfo* metric : kind_called(kMetricKind)->models()) {
    names.push_back(metric->name);
    pattern += (pattern.empty() ? "^(" : "|") + metric->name;
  }
  json labelled{{"type", "string"}, {"pattern", pattern + ")\\[.*\\]$"}};
  return {{"anyOf", json::array({{{"enum", std::move(names)}}, std::move(labelled)})}};
}

bool names_metrics(const Parameter& parameter) {
  using enum ParameterType;
  if (!parameter.choices.empty()) return false;
  if (parameter.name == "columns") return parameter.type == texts;
  return parameter.name == "metric" && (parameter.type == text || parameter.type == any);
}

/// Of a text, or of each text of a list.
json text_schema(const Parameter& parameter) {
  if (names_metrics(parameter)) return reference_to(kMetricKind);
  if (parameter.choices.empty()) return {{"type", "string"}};
  return {{"enum", parameter.choices}};
}

json type_schema(const Parameter& parameter) {
  switch (parameter.type) {
    case ParameterType::boolean:
      return {{"type", "boolean"}};
    case ParameterType::integer:
      return number_schema(parameter, "integer");
    case ParameterType::real:
      return number_schema(parameter, "number");
    case ParameterType::text:
      return text_schema(parameter);
    case ParameterType::integers:
      return {{"type", "array"}, {"items", number_schema(parameter, "integer")}};
    case ParameterType::reals:
      return {{"type", "array"}, {"items", number_schema(parameter, "number")}};
    case ParameterType::texts:
      return {{"type", "array"}, {"items", text_schema(parameter)}};
    case ParameterType::any:
      if (names_metrics(parameter)) {
        const json one = text_schema(parameter);
        return {{"anyOf", json::array({one, {{"type", "array"}, {"items", one}}})}};
      }
      return json::object();
    default:
      return {{"type", "string"}};  // a quantity with its unit, or a path
  }
}

json key_schema(const Parameter& parameter) {
  json out = type_schema(parameter);
  const std::string kind = kind_of_key(parameter.name);
  if (parameter.type == ParameterType::any && kind_called(kind) != nullptr) {
    out = {{"anyOf", json::array({reference_to(kind), {{"type", "array"}}})}};
  }
  out["description"] = parameter.help + limits_text(parameter);
  return out;
}

json object_schema(const std::vector<Parameter>& parameters) {
  json properties = json::object();
  for (const Parameter& parameter : parameters) {
    properties[parameter.name] = key_schema(parameter);
  }
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// A name alone, a table with a name, or one without, whose name another file gives.
json model_schema(const std::string& kind, const std::vector<Parameter>& more) {
  json names = json::array();
  json variants = json::array();
  std::vector<Parameter> all = more;
  for (const ModelInfo* model : kind_called(kind)->models()) {
    names.push_back(model->name);
    std::vector<Parameter> own = more;
    own.insert(own.end(), model->parameters.begin(), model->parameters.end());
    all.insert(all.end(), model->parameters.begin(), model->parameters.end());
    json variant = object_schema(own);
    variant["description"] = model->purpose;
    variant["properties"]["model"] = {{"const", model->name}, {"description", model->purpose}};
    variant["required"] = json::array({"model"});
    variants.push_back(std::move(variant));
  }
  names.push_back("none");
  json none = object_schema(more);
  none["properties"]["model"] = {{"const", "none"}};
  variants.push_back(std::move(none));
  // Models share names of keys, not always their types.
  json open = object_schema(all);
  for (auto& [name, key] : open["properties"].items()) {
    key = json{{"description", key["description"]}};
  }
  open["not"] = {{"required", json::array({"model"})}};
  variants.push_back(std::move(open));
  variants.push_back({{"enum", std::move(names)}});
  return {{"anyOf", std::move(variants)}};
}

/// Sections below another are keys of it, which may have other forms as well.
void add_inner(const Section& section, json& out) {
  if (!out.contains("properties")) {
    for (json& variant : out["anyOf"]) {
      if (variant.contains("properties")) add_inner(section, variant);
    }
    return;
  }
  for (const Section& inner : experiment::sections()) {
    if (inner.name.rfind(section.name + ".", 0) != 0) continue;
    const std::string key = inner.name.substr(section.name.size() + 1);
    json& place = out["properties"][key];
    const std::string help = place.value("description", inner.purpose);
    json table = object_schema(parameters_of(inner));
    json other{{"type", json::array({"string", "array", "number", "boolean"})}};
    json forms = json::array({table, {{"type", "array"}, {"items", table}}, other});
    place = {{"anyOf", std::move(forms)}, {"description", help}};
  }
}

/// `definitions` gets the entries of a list, which may stand alone as well.
json section_schema(const Section& section, json& definitions) {
  json out;
  if (section.is_open) {
    out = {{"type", "object"}};
  } else if (!section.kind.empty()) {
    out = model_schema(section.kind, section.parameters);
  } else {
    out = object_schema(parameters_of(section));
  }
  if (!section.is_open) add_inner(section, out);
  if (section.name == "case") {
    out["properties"]["set"] = {{"type", "object"},
                                {"description", "keys of the experiment that this case changes"}};
  }
  if (section.is_list) {
    definitions[section.name] = std::move(out);
    const json one = reference_to(section.name);
    out = {{"anyOf", json::array({{{"type", "array"}, {"items", one}}, one})}};
  }
  out["description"] = section.purpose;
  return out;
}

}  // namespace

std::string catalogue_json() {
  json models = json::object();
  for (const CatalogKind* kind : Catalog::instance().kinds()) {
    if (kind->kind() != kMetricKind) models[kind->kind()] = models_of(*kind);
  }
  const json out{{"sections", sections_json()},
                 {"models", std::move(models)},
                 {"metrics", models_of(*kind_called(kMetricKind))}};
  return out.dump(2) + "\n";
}

std::string catalogue_json(const std::string& kind) {
  if (kind == kSectionKind) return sections_json().dump(2) + "\n";
  const CatalogKind* found = kind_called(kind);
  if (found != nullptr) return models_of(*found).dump(2) + "\n";
  std::vector<std::string> names{kSectionKind};
  for (const CatalogKind* one : Catalog::instance().kinds()) names.push_back(one->kind());
  throw InputError("no kind of models is called '" + kind + "'" + suggestion(kind, names));
}

std::string description_json(const std::string& kind, const std::string& name) {
  json found = json::array();
  const auto take = [&](const std::string& of_kind, const json& list) {
    if (!kind.empty() && kind != of_kind) return;
    for (json one : list) {
      if (one["name"] != name) continue;
      // A section may have the kind of its models.
      if (one.contains("kind")) one["models"] = one["kind"];
      one["kind"] = of_kind;
      found.push_back(std::move(one));
    }
  };
  take(kSectionKind, sections_json());
  for (const CatalogKind* one : Catalog::instance().kinds()) take(one->kind(), models_of(*one));
  return found.empty() ? "" : found.dump(2) + "\n";
}

std::string experiment_schema() {
  json properties = json::object();
  json definitions = json::object();
  for (const char* kind : {"pattern", "arrivals", "sizes", "lengths"}) {
    definitions[kind] = model_schema(kind, {});
  }
  definitions[kMetricKind] = metric_schema();
  for (const Section& section : experiment::sections()) {
    if (section.name.find('.') != std::string::npos) continue;
    properties[section.name] = section_schema(section, definitions);
  }
  const json text{{"type", "string"}};
  properties["include"] = {{"anyOf", json::array({text, {{"type", "array"}, {"items", text}}})},
                           {"description", "files that this one lays its keys over"}};
  json plugin{{"type", "object"},
              {"properties", {{"file", text}, {"content", text}}},
              {"required", json::array({"file"})},
              {"additionalProperties", false}};
  plugin = {{"anyOf", json::array({text, std::move(plugin)})}};
  properties["plugins"] = {
      {"anyOf", json::array({plugin, {{"type", "array"}, {"items", plugin}}})},
      {"description", "shared libraries with models of their own, loaded before keys are checked"}};
  const json out{
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", "weir experiment"},
      {"description", "An experiment file of weir, or a part of one that others include."},
      {"type", "object"},
      {"properties", std::move(properties)},
      {"additionalProperties", false},
      {"definitions", std::move(definitions)}};
  return out.dump(1) + "\n";
}

}  // namespace weir::report
