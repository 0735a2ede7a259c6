#include "weir/workload/mapping.hpp"

#include <fmt/format.h>

#include <numeric>

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

std::vector<std::uint32_t> shuffled(std::size_t hosts, const PlacementSeed& seed) {
  std::vector<std::uint32_t> order(hosts);
  std::iota(order.begin(), order.end(), 0U);
  RandomStream random(seed.seed, kFirstEntity + seed.entry, StreamPurpose::placement);
  for (std::size_t i = hosts; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
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
  if (mapping.is_array()) return;
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

std::vector<HostId> place_ranks(const Checked<WorkloadSettings>& settings, std::size_t ranks,
                                const topology::Graph& graph, const PlacementSeed& seed) {
  const ConfigValue& mapping = settings->mapping;
  if (mapping.is_array()) return listed(settings, ranks, graph);
  const std::size_t count = graph.host_count();
  if (mapping.text() == "linear" && ranks > count) {
    throw settings.error(&WorkloadSettings::ranks,
                         fmt::format("{} ranks are more than the network has hosts, {}; mapping = "
                                     "\"round-robin\" puts several ranks on a host",
                                     ranks, count));
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  if (mapping.text() == "random") order = shuffled(count, seed);
  std::vector<HostId> hosts;
  for (std::size_t r = 0; r < ranks; ++r) hosts.emplace_back(order[r % count]);
  return hosts;
}

}  // namespace weir::workload
