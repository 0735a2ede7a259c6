#include "weir/base/catalog.hpp"

#include <stdexcept>
#include <utility>

namespace weir {

namespace {

template <class Element, class Convert>
std::vector<Element> converted(const ConfigArray& array, Convert convert) {
  std::vector<Element> elements;
  elements.reserve(array.size());
  for (const ConfigValue& value : array) elements.push_back(convert(value));
  return elements;
}

}  // namespace

const Settings::Entry& Settings::entry(std::string_view name, ParameterType type) const {
  const Entry* found = find(name);
  if (found == nullptr || found->parameter->type != type) {
    throw std::logic_error("settings of '" + where_ + "': no parameter '" + std::string(name) +
                           "' was described with the type that is asked for");
  }
  if (!found->present) {
    throw std::logic_error("settings of '" + where_ + "': optional parameter '" +
                           std::string(name) + "' has no value: ask has() first");
  }
  return *found;
}

const Settings::Entry* Settings::find(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (entry.parameter->name == name) return &entry;
  }
  return nullptr;
}

bool Settings::boolean(std::string_view name) const {
  return std::get<bool>(entry(name, ParameterType::boolean).value.data);
}

std::int64_t Settings::integer(std::string_view name) const {
  return entry(name, ParameterType::integer).value.integer();
}

double Settings::real(std::string_view name) const {
  return std::get<double>(entry(name, ParameterType::real).value.data);
}

double Settings::number(std::string_view name) const {
  const Entry* found = find(name);
  const bool is_integer = found != nullptr && found->parameter->type == ParameterType::integer;
  return is_integer ? static_cast<double>(integer(name)) : real(name);
}

const std::string& Settings::text(std::string_view name) const {
  return entry(name, ParameterType::text).value.text();
}

Time Settings::time(std::string_view name) const {
  return parse_time(entry(name, ParameterType::time).value.text());
}

Bytes Settings::bytes(std::string_view name) const {
  return parse_bytes(entry(name, ParameterType::bytes).value.text());
}

Rate Settings::rate(std::string_view name) const {
  return parse_rate(entry(name, ParameterType::rate).value.text());
}

const std::string& Settings::spelling(std::string_view name) const {
  return entry(name, ParameterType::time).value.text();
}

std::vector<std::int64_t> Settings::integers(std::string_view name) const {
  return converted<std::int64_t>(entry(name, ParameterType::integers).value.array(),
                                 [](const ConfigValue& value) { return value.integer(); });
}

std::vector<double> Settings::reals(std::string_view name) const {
  return converted<double>(entry(name, ParameterType::reals).value.array(),
                           [](const ConfigValue& value) { return std::get<double>(value.data); });
}

std::vector<std::string> Settings::texts(std::string_view name) const {
  return converted<std::string>(entry(name, ParameterType::texts).value.array(),
                                [](const ConfigValue& value) { return value.text(); });
}

std::string Settings::path(std::string_view name) const {
  return entry(name, ParameterType::path).value.text();
}

const ConfigValue& Settings::raw(std::string_view name) const {
  return entry(name, ParameterType::any).value;
}

bool Settings::has(std::string_view name) const {
  const Entry* found = find(name);
  return found != nullptr && found->present;
}

bool Settings::given(std::string_view name) const {
  const Entry* found = find(name);
  return found != nullptr && found->given;
}

std::string Settings::path_to(std::string_view name) const {
  return where_.empty() ? std::string(name) : where_ + "." + std::string(name);
}

const SourcePosition& Settings::position_of(std::string_view name) const {
  const Entry* found = find(name);
  return found != nullptr && found->given ? found->value.position : position_;
}

InputError Settings::error(std::string_view name, std::string_view message) const {
  return {position_of(name), path_to(name), message};
}

ConfigTable Settings::resolved() const {
  ConfigTable table;
  table.position = position_;
  std::vector<ConfigEntry>& all = table.entries();
  all.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    if (entry.present) all.push_back({entry.parameter->name, entry.value});
  }
  return table;
}

Catalog& Catalog::instance() {
  static Catalog catalog;
  return catalog;
}

void Catalog::add(CatalogKind& kind) {
  if (!kinds_.emplace(kind.kind(), &kind).second) {
    throw std::logic_error("two registries of the kind '" + kind.kind() + "'");
  }
}

void Catalog::begin_plugin(std::string file_name) {
  loading_ = std::make_unique<PluginModels>();
  loading_->plugin = std::move(file_name);
}

PluginModels Catalog::end_plugin() {
  PluginModels models = std::move(*loading_);
  loading_.reset();
  return models;
}

std::vector<const CatalogKind*> Catalog::kinds() const {
  std::vector<const CatalogKind*> kinds;
  for (const auto& [name, kind] : kinds_) kinds.push_back(kind);
  return kinds;
}

}  // namespace weir
