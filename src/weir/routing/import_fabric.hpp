#pragma once

#include <optional>
#include <string>

namespace weir::routing {

/// What was dumped of an InfiniBand subnet; all but the topology may be empty.
struct SubnetFiles {
  std::string topology;              ///< output of ibnetdiscover
  std::string tables;                ///< of dump_lfts; empty: up-down routing instead
  std::string paths;                 ///< path records; empty: all on one lane
  std::string sl2vl;                 ///< SL2VL tables; empty: the VL is the service level
  std::string arbitration;           ///< VL arbitration tables; empty: none
  std::optional<int> missing_level;  ///< service level of pairs without a path record
};

/// The sections of an experiment on a real fabric, as TOML: [topology], [routing] and, with VL
/// arbitration tables, what else they need. Comments before them count its hosts, switches, links
/// and link speeds, tell the lanes, and say whether the routes can deadlock. The files are named
/// relative to `base`, the folder that the experiment file will be in, where both are on one file
/// system tree. Reads and checks all files first: throws InputError as their models do.
std::string fabric_experiment(const SubnetFiles& files, const std::string& base);

/// The same of an edge list, with up-down routing.
std::string edge_list_experiment(const std::string& file, const std::string& base);

}  // namespace weir::routing
