#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/keys.hpp"
#include "weir/topology/graph.hpp"

namespace weir::traffic {

/// A host given by number or by name. Throws InputError at the value's place.
HostId read_host(const ConfigValue& value, const topology::Graph& graph, const std::string& key);

/// A list of hosts, or a single one, in the order given: numbers, names, and names of many as Slurm
/// lists them, "n[01-16,20]", mixed.
std::vector<HostId> read_host_list(const ConfigValue& value, const topology::Graph& graph,
                                   const std::string& key);

/// The same, none twice.
std::vector<HostId> read_hosts(const ConfigValue& value, const topology::Graph& graph,
                               const std::string& key);

/// The same, sorted.
std::vector<HostId> read_host_set(const ConfigValue& value, const topology::Graph& graph,
                                  const std::string& key);
/// Of an optional key; empty when it is absent.
template <class S, class Owner>
std::vector<HostId> read_host_set(const Checked<S>& file, std::optional<ConfigValue> Owner::*member,
                                  const topology::Graph& graph) {
  const std::optional<ConfigValue>& value = (*file).*member;
  if (!value) return {};
  return read_host_set(*value, graph, file.path_to(member));
}

/// All hosts of the graph.
std::vector<HostId> all_hosts(const topology::Graph& graph);

/// `hosts` without `excluded`; both ascending.
std::vector<HostId> without(const std::vector<HostId>& hosts, const std::vector<HostId>& excluded);

/// Is in an ascending list.
bool contains(const std::vector<HostId>& hosts, HostId host);

}  // namespace weir::traffic
