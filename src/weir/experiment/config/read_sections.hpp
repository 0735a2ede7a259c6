#pragma once

#include <string>
#include <string_view>

#include "weir/experiment/config/configuration.hpp"
#include "weir/experiment/config/fabric_settings.hpp"

/// Parts of resolve(). Each reads its sections of `table` and puts them with all defaults into
/// `out.resolved`, and throws InputError.
namespace weir::experiment {

/// A section with a default that is not the same for all experiments.
template <class S>
Checked<S> read_with_default(const Keys<S>& all, const ConfigTable& table, std::string_view name,
                             const std::string& key, const std::string& value) {
  ConfigTable keys = section_table(table, name);
  if (!keys.contains(key)) keys.set(key, ConfigValue(value, keys.position));
  return all.check(keys, name);
}

/// `experiment.name`, or that of the file. Checks nothing.
std::string experiment_name(const ConfigTable& table);

void read_experiment_section(const ConfigTable& table, Configuration& out);
void read_workloads(const ConfigTable& table, Configuration& out);
void read_traffic(const ConfigTable& table, TrafficFrom from, Configuration& out);
/// What ends the run is there, and comes: once [experiment], traffic, workloads and flows are read.
void check_ends(const ConfigTable& table, const Configuration& out);
/// Traffic classes have one name each.
void check_class_names(const Configuration& out);
void read_metrics(const ConfigTable& table, Configuration& out);

}  // namespace weir::experiment
