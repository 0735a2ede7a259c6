#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/topology/graph.hpp"

namespace weir::traffic {

/// The names that a list as Slurm writes it stands for, in its order: "n[08-10,12],gpu1" is n08,
/// n09, n10, n12, gpu1. Throws std::invalid_argument with a sentence.
std::vector<std::string> expanded_host_list(std::string_view list);

/// Hosts by name.
class HostNames {
 public:
  explicit HostNames(const topology::Graph& graph);

  /// The host of that name, or the adapters of the node of that name: names that begin with it and
  /// a blank, as in "node001 mlx5_0". Empty: there is none.
  [[nodiscard]] std::vector<HostId> find(const std::string& name) const;
  /// All hosts of a list. Throws std::invalid_argument with a sentence.
  [[nodiscard]] std::vector<HostId> find_all(std::string_view list) const;

 private:
  std::unordered_map<std::string, std::vector<HostId>> hosts_;  ///< by name and by node
  std::vector<std::string> names_;
};

/// Hosts of one job.
struct Job {
  std::string name;
  std::vector<HostId> hosts;  ///< ascending
};

/// Reads lines "NAME HOSTS", hosts as Slurm lists them (squeue -h -o "%i %N"); lines with the same
/// name add up, '#' begins a comment. Throws InputError with file and line, std::runtime_error
/// where it cannot be read.
std::vector<Job> read_jobs(const std::string& path, const topology::Graph& graph);

/// The hosts of the job called `name`, or of all that have two hosts or more (others need no
/// network); ascending. Throws std::invalid_argument with a sentence where there is none.
std::vector<HostId> hosts_of(const std::vector<Job>& jobs, const std::optional<std::string>& name);

}  // namespace weir::traffic
