#include "weir/workload/mapping.hpp"

#include <fmt/format.h>

#include <utility>

#include "weir/base/random.hpp"
#include "weir/traffic/host_list.hpp"

namespace weir::workload {
namespace {

const std::vector<std::string>& mapping_names() {
  static const std::vector<std::string> names{"linear", "round-robin", "random"};
  return names;
}

/// Traffic entries use the entities below.
constexpr std::uint32_t kFirstEntity = 255U << 24U;

void shuffle(std::vector<HostId>& hosts, const PlacementSeed& seed) {
  RandomStream random(seed.seed, kFirstEntity + seed.entry, StreamPurpose::placement);
  for (std::size_t i = hosts.size(); i > 1; --i) std::swap(hosts[i - 1], hosts[random.below(i)]);
}

std::vector<HostId> listed(const Checked<WorkloadSettings>& settings, std::size_t ranks,
                           const topology::Graph& graph) {
  std::vector<HostId> hosts = traffic::read_host_list(settings->mapping, graph,
                                                      settings.name_of(&WorkloadSettings::mapping));
  if (hosts.size() != ranks) {
    throw settings.error(&WorkloadSettings::mapping,
                         fmt::format("is a list of {} hosts for {} ranks", hosts.size(), ranks));
  }
  return hosts;
}

}  // namespace

void check_mapping(const Checked<WorkloadSettings>& settings) {
  const ConfigValue& mapping = settings->mapping;
  if (mapping.is_array()) {
    if (!settings->exclude) return;
    throw settings.error(&WorkloadSettings::exclude,
                         "does not go with a list as mapping, which says where every rank is");
  }
  if (!mapping.is_text()) {
    throw settings.error(&WorkloadSettings::mapping,
                         "must be linear, round-robin, random or a list of hosts");
  }
  for (const std::string& name : mapping_names()) {
    if (mapping.text() == name) return;
  }
  throw settings.error(
      &WorkloadSettings::mapping,
      fmt::format("'{}' is none{}", mapping.text(), suggestion(mapping.text(), mapping_names())));
}

std::vector<HostId> excluded_hosts(const Checked<WorkloadSettings>& settings,
                                   const topology::Graph& graph) {
  std::vector<HostId> excluded =
      traffic::read_host_set(settings, &WorkloadSettings::exclude, graph);
  if (excluded.size() == graph.host_count()) {
    throw settings.error(&WorkloadSettings::exclude, "leaves no host for the ranks");
  }
  return excluded;
}

std::vector<HostId> place_ranks(const Checked<WorkloadSettings>& settings, std::size_t ranks,
                                const topology::Graph& graph, const PlacementSeed& seed) {
  const ConfigValue& mapping = settings->mapping;
  if (mapping.is_array()) return listed(settings, ranks, graph);
  std::vector<HostId> places = traffic::all_hosts(graph);
  if (mapping.text() == "random") shuffle(places, seed);
  // After the shuffle, so that the others keep their places.
  const std::vector<HostId> excluded = excluded_hosts(settings, graph);
  std::erase_if(places, [&](HostId host) { return traffic::contains(excluded, host); });
  if (mapping.text() == "linear" && ranks > places.size()) {
    throw settings.error(&WorkloadSettings::ranks,
                         fmt::format("{} ranks are more than the network has hosts for them, {}; "
                                     "mapping = \"round-robin\" puts several ranks on a host",
                                     ranks, places.size()));
  }
  std::vector<HostId> hosts;
  hosts.reserve(ranks);
  for (std::size_t r = 0; r < ranks; ++r) hosts.push_back(places[r % places.size()]);
  return hosts;
}

}  // namespace weir::workload
