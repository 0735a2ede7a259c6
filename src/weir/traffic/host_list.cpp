#include "weir/traffic/host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace weir::traffic {
namespace {

std::vector<std::string> host_names(const topology::Graph& graph) {
  std::vector<std::string> names;
  names.reserve(graph.host_count());
  for (std::size_t h = 0; h < graph.host_count(); ++h) names.push_back(graph.name(NodeId(h)));
  return names;
}

HostId host_called(const ConfigValue& value, const topology::Graph& graph, const std::string& key) {
  for (std::size_t h = 0; h < graph.host_count(); ++h) {
    if (graph.name(NodeId(h)) == value.text()) return HostId(h);
  }
  // A full list of a big network's hosts would help nobody.
  const std::string nearest = nearest_name(value.text(), host_names(graph));
  throw InputError(value.position, key,
                   fmt::format("no host is called '{}'{}", value.text(),
                               nearest.empty() ? "" : " (did you mean '" + nearest + "'?)"));
}

}  // namespace

HostId read_host(const ConfigValue& value, const topology::Graph& graph, const std::string& key) {
  if (value.is_text()) return host_called(value, graph, key);
  if (!value.is_integer()) {
    throw InputError(value.position, key,
                     fmt::format("must be a host's number or name, not {}", value.kind_name()));
  }
  const auto last = static_cast<std::int64_t>(graph.host_count()) - 1;
  if (value.integer() < 0 || value.integer() > last) {
    throw InputError(value.position, key,
                     fmt::format("there is no host {}: hosts are 0 to {}", value.integer(), last));
  }
  return HostId(static_cast<std::uint32_t>(value.integer()));
}

std::vector<HostId> read_hosts(const ConfigValue& value, const topology::Graph& graph,
                               const std::string& key) {
  if (!value.is_array()) return {read_host(value, graph, key)};
  std::vector<HostId> hosts;
  std::vector<bool> seen(graph.host_count());
  for (const ConfigValue& element : value.array()) {
    const std::string element_key = fmt::format("{}[{}]", key, hosts.size());
    const HostId host = read_host(element, graph, element_key);
    if (seen[host.index()]) {
      throw InputError(element.position, element_key,
                       fmt::format("host {} is in the list twice", host.value));
    }
    seen[host.index()] = true;
    hosts.push_back(host);
  }
  return hosts;
}

std::vector<HostId> read_host_set(const ConfigValue& value, const topology::Graph& graph,
                                  const std::string& key) {
  std::vector<HostId> hosts = read_hosts(value, graph, key);
  std::sort(hosts.begin(), hosts.end());
  return hosts;
}

std::vector<HostId> all_hosts(const topology::Graph& graph) {
  std::vector<HostId> hosts;
  hosts.reserve(graph.host_count());
  for (std::size_t h = 0; h < graph.host_count(); ++h) hosts.emplace_back(h);
  return hosts;
}

std::vector<HostId> without(const std::vector<HostId>& hosts, const std::vector<HostId>& excluded) {
  std::vector<HostId> rest;
  std::set_difference(hosts.begin(), hosts.end(), excluded.begin(), excluded.end(),
                      std::back_inserter(rest));
  return rest;
}

bool contains(const std::vector<HostId>& hosts, HostId host) {
  return std::binary_search(hosts.begin(), hosts.end(), host);
}

}  // namespace weir::traffic
