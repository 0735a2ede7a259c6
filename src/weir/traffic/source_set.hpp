#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weir/traffic/recorded.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::traffic {

/// Who sends, as a table says it: a [[traffic]], or a [[flow]].
struct Senders {
  std::string name;          ///< of its class
  bool is_counted = true;    ///< its hosts are not among the "rest", and `same_as` finds it
  std::uint32_t number = 0;  ///< of the table among those of its kind
  const ConfigValue* value = nullptr;            ///< `sources`; null: its hosts are `known`
  std::string key{};                             ///< of `sources`, dotted
  const Checked<SourceKeys>* table = nullptr;    ///< where the value is a table
  std::function<std::vector<HostId>()> known{};  ///< ascending, none twice
};

/// What `sources` of tables that may mean each other come to. The context must outlive it.
class SourceSets {
 public:
  SourceSets(std::vector<Senders> tables, const TrafficContext& context);

  /// Ascending. Throws InputError for hosts that do not exist, empty choices and tables that mean
  /// each other.
  [[nodiscard]] std::vector<HostId> of(std::size_t table);

 private:
  using Hosts = std::vector<HostId>;

  [[nodiscard]] Hosts compute(const Senders& table);
  [[nodiscard]] Hosts base(const ConfigValue& value, const std::string& key);
  /// Hosts that are sources of no table which says itself what its sources are.
  [[nodiscard]] const Hosts& rest();
  [[nodiscard]] bool means_rest(std::size_t table, std::size_t depth);
  /// All tables of the name that `same_as` says.
  [[nodiscard]] std::vector<std::size_t> called(const Checked<SourceKeys>& keys);
  [[nodiscard]] Hosts from_table(const Senders& table);
  [[nodiscard]] Hosts candidates(const Checked<SourceKeys>& keys);
  void add_others();

  std::vector<Senders> tables_;
  const TrafficContext& context_;
  std::vector<bool> is_open_;  ///< per table: it is being found out
  std::optional<Hosts> rest_;
  bool has_others_ = false;
};

/// The `sources` of [[traffic]] tables.
[[nodiscard]] std::vector<Senders> senders_of(const std::vector<TrafficEntry>& entries,
                                              const TrafficContext& context);

/// The hosts that each entry's `sources` mean. `recorded` has one an entry. Throws InputError.
std::vector<std::vector<HostId>> source_sets(const std::vector<TrafficEntry>& entries,
                                             const std::vector<Recorded>& recorded,
                                             const TrafficContext& context);

}  // namespace weir::traffic
