#include "weir/traffic/host_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "weir/traffic/host_names.hpp"

namespace weir::traffic {
namespace {

/// Names of a network's hosts, looked up when there is one to find.
class LazyNames {
 public:
  explicit LazyNames(const topology::Graph& graph) : graph_(graph) {}

  /// All that a text means. Throws InputError.
  std::vector<HostId> find(const ConfigValue& value, const std::string& key) {
    if (!names_) names_.emplace(graph_);
    try {
      return names_->find_all(value.text());
    } catch (const std::invalid_argument& problem) {
      throw InputError(value.position, key, problem.what());
    }
  }

 private:
  const topology::Graph& graph_;
  std::optional<HostNames> names_;
};

HostId host_of_number(const ConfigValue& value, const topology::Graph& graph,
                      const std::string& key) {
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

}  // namespace

HostId read_host(const ConfigValue& value, const topology::Graph& graph, const std::string& key) {
  if (!value.is_text()) return host_of_number(value, graph, key);
  const std::vector<HostId> hosts = LazyNames(graph).find(value, key);
  if (hosts.size() == 1) return hosts.front();
  throw InputError(value.position, key,
                   fmt::format("'{}' are {} hosts, where one is meant: '{}' is the first of them",
                               value.text(), hosts.size(), graph.name(graph.node(hosts.front()))));
}

namespace {

/// visit(host, position, key) for each that a value means, in its order.
template <class Visit>
void for_each_host(const ConfigValue& value, const topology::Graph& graph, const std::string& key,
                   Visit visit) {
  LazyNames names(graph);
  const auto look_at = [&](const ConfigValue& one, const std::string& its_key) {
    if (one.is_text()) {
      for (const HostId host : names.find(one, its_key)) visit(host, one.position, its_key);
    } else {
      visit(host_of_number(one, graph, its_key), one.position, its_key);
    }
  };
  if (!value.is_array()) return look_at(value, key);
  for (std::size_t i = 0; i < value.array().size(); ++i)
    look_at(value.array()[i], fmt::format("{}[{}]", key, i));
}

}  // namespace

std::vector<HostId> read_host_list(const ConfigValue& value, const topology::Graph& graph,
                                   const std::string& key) {
  std::vector<HostId> hosts;
  for_each_host(value, graph, key, [&](HostId host, const SourcePosition&, const std::string&) {
    hosts.push_back(host);
  });
  return hosts;
}

std::vector<HostId> read_hosts(const ConfigValue& value, const topology::Graph& graph,
                               const std::string& key) {
  std::vector<HostId> hosts;
  std::vector<bool> seen(graph.host_count());
  for_each_host(value, graph, key,
                [&](HostId host, const SourcePosition& position, const std::string& its_key) {
                  if (seen[host.index()]) {
                    throw InputError(position, its_key,
                                     fmt::format("host {} is in the list twice", host.value));
                  }
                  seen[host.index()] = true;
                  hosts.push_back(host);
                });
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
