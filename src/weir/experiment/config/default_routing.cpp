#include "weir/experiment/config/default_routing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weir/experiment/config/fabric_settings.hpp"
#include "weir/experiment/config/keys.hpp"
#include "weir/routing/routing.hpp"
#include "weir/topology/topology.hpp"

namespace weir::experiment {
namespace {

/// The keys without which there is no such routing.
std::vector<std::string> needed_keys(const std::string& name) {
  std::vector<std::string> needed;
  for (const Parameter& one :
       routing::routing_registry().find(name, {}, "routing.model").info.parameters) {
    if (one.is_required) needed.push_back(one.name);
  }
  return needed;
}

bool has_all(const ConfigTable& section, const std::vector<std::string>& keys) {
  return std::all_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return section.contains(key); });
}

}  // namespace

ConfigTable with_routing(const ConfigTable& keys, const std::string& topology) {
  ConfigTable section = section_table(keys, "routing");
  if (section.contains("model")) return keys;
  const std::vector<std::string> natural = topology::natural_routings(topology);
  if (natural.empty()) {
    throw InputError(section.position, "routing.model",
                     fmt::format("is missing: the topology '{}' has no routing of itself (see weir "
                                 "list routing)",
                                 topology));
  }
  const auto fits = std::find_if(natural.begin(), natural.end(), [&](const std::string& name) {
    return has_all(section, needed_keys(name));
  });
  const std::string& name = fits == natural.end() ? natural.back() : *fits;
  section.set("model", ConfigValue(name, section.position));
  ConfigTable filled = keys;
  filled.set("routing", ConfigValue(section, section.position));
  return filled;
}

std::string natural_routing_text(const std::string& topology) {
  std::string text;
  for (const std::string& name : topology::natural_routings(topology)) {
    std::string needed;
    for (const std::string& key : needed_keys(name)) {
      needed += (needed.empty() ? " where there is routing." : " and routing.") + key;
    }
    text += (text.empty() ? "" : ", else ") + name + needed;
  }
  return text.empty() ? "none; each experiment names one"
                      : text + ", unless [routing] names another";
}

}  // namespace weir::experiment
