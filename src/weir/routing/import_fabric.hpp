#pragma once

#include <string>

namespace weir::routing {

/// The [topology] and [routing] sections of an experiment on a real fabric, as TOML, with a comment
/// that counts its hosts, switches, links and link speeds. `topology_file` is the output of
/// ibnetdiscover, `lft_file` that of dump_lfts, or empty for up-down routing instead. The files are
/// named relative to `base`, the folder that the experiment file will be in, where both are on one
/// file system tree. Reads and checks both files first: throws InputError as their models do.
std::string fabric_experiment(const std::string& topology_file, const std::string& lft_file,
                              const std::string& base);

/// The same of an edge list, with up-down routing.
std::string edge_list_experiment(const std::string& file, const std::string& base);

}  // namespace weir::routing
