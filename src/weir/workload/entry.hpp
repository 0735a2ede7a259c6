#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/topology/graph.hpp"
#include "weir/traffic/traffic.hpp"
#include "weir/workload/players.hpp"
#include "weir/workload/workload.hpp"

namespace weir::workload {

/// What a [[workload]] table says besides its model and the model's own keys.
struct WorkloadSettings : PlayerSettings {
  std::string name;
  traffic::Role role = traffic::Role::none;
  std::optional<std::size_t> ranks;  ///< none: as many as hosts
  ConfigValue mapping{std::string("linear"), {}};
  std::optional<ConfigValue> exclude;  ///< hosts without a rank, as read_host_set() takes them
};
const Keys<WorkloadSettings>& workload_keys();
/// The same as a plain list.
const std::vector<Parameter>& workload_parameters();

/// One [[workload]] table, checked as far as that goes without a network.
struct WorkloadEntry {
  std::string name;
  std::string where;  ///< "workload[0]"
  std::string model_name;
  Checked<WorkloadSettings> settings;
  Settings model;  ///< of the model
  const WorkloadFactory* make = nullptr;
  ConfigTable resolved;  ///< with all defaults filled in; check() accepts it

  /// Throws InputError. `where` is the path of the table for messages.
  static WorkloadEntry check(const ConfigTable& table, const std::string& where);
};

/// The tables below the key `workload`: at least one, no name twice. A single table may stand
/// without its list.
std::vector<WorkloadEntry> check_workloads(const ConfigValue& value);

/// A workload that has its network.
struct Workload {
  std::string name;
  std::shared_ptr<const Schedule> schedule;
  std::vector<HostId> hosts;  ///< of each rank
  PlayerSettings settings;
};

/// Schedules and placements. `first_class`: traffic class of the first one; the others follow.
/// A random placement depends on the seed and the index of the entry alone. Throws InputError.
std::vector<Workload> make_workloads(const std::vector<WorkloadEntry>& entries,
                                     const topology::Graph& graph, std::uint64_t seed,
                                     std::size_t first_class);

}  // namespace weir::workload
