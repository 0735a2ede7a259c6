#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/base/catalog.hpp"
#include "weir/fabric/hooks/hooks.hpp"
#include "weir/topology/graph.hpp"
#include "weir/traffic/arrival.hpp"
#include "weir/traffic/model_choice.hpp"
#include "weir/traffic/pattern.hpp"
#include "weir/traffic/size.hpp"

namespace weir::traffic {

/// Most classes of traffic: the class of a packet is one byte.
inline constexpr std::size_t kMaxClasses = 255;

/// What an experiment knows about a class of traffic: hot traffic makes the congestion, cold
/// traffic may suffer from it.
enum class Role : std::uint8_t { none, cold, hot };

/// A time with a load of its own. stop is exclusive.
struct Phase {
  Time start;
  Time stop = Time::max();
  std::optional<double> load;  ///< nothing: that of `arrivals`
};

/// One [[traffic]] table, checked as far as that goes without a network.
struct TrafficEntry {
  std::string name;
  std::string where;  ///< "traffic[0]"
  Role role = Role::none;
  std::uint8_t service_level = 0;
  std::uint16_t connections = 1;    ///< of a source to each destination
  std::int64_t reserve = 0;         ///< bytes per second that each source asks for; 0: none asks
  Settings settings;                ///< traffic_parameters()
  std::optional<Settings> sources;  ///< source_parameters(), where `sources` is a table
  /// All three, or `trace`, or `incast`, or `storage` with the sizes of its I/Os.
  std::optional<ModelChoice<PatternFactory>> destinations;
  std::optional<ModelChoice<ArrivalFactory>> arrivals;
  std::optional<ModelChoice<SizeFactory>> sizes;
  std::optional<Settings> trace;    ///< trace_parameters()
  std::optional<Settings> storage;  ///< storage_parameters()
  std::optional<Settings> incast;   ///< incast_parameters()
  std::vector<Phase> phases;        ///< at least one, ascending, apart
  std::uint64_t messages = std::numeric_limits<std::uint64_t>::max();  ///< at most, per source
  std::uint64_t start_after_packets = 0;
  ConfigTable resolved;  ///< with all defaults filled in; check() accepts it

  /// All messages are there before the run begins.
  [[nodiscard]] bool is_recorded() const { return trace || storage || incast; }

  /// Throws InputError. `where` is the path of the table for messages.
  static TrafficEntry check(const ConfigTable& table, const std::string& where);
};

/// The tables below the key `traffic`: at least one, at most 255, no name twice. A single table may
/// stand without its list.
std::vector<TrafficEntry> check_traffic(const ConfigValue& value);

/// Keys of a [[traffic]] table, of `sources`, of a row of `phases`, of `trace`, of `storage` and of
/// `incast`, for `weir describe`.
const std::vector<Parameter>& traffic_parameters();
const std::vector<Parameter>& source_parameters();
const std::vector<Parameter>& phase_parameters();
const std::vector<Parameter>& trace_parameters();
const std::vector<Parameter>& storage_parameters();
const std::vector<Parameter>& incast_parameters();

/// What traffic is made for.
struct TrafficContext {
  const topology::Graph& graph;  ///< gives the rate of every host's link
  std::uint64_t seed = 1;
  Bytes mtu = Bytes::max();  ///< with `header`: what loads of wire bytes count
  Bytes header = Bytes(0);
  Time end = Time::max();  ///< when the run ends, for traffic that is made beforehand
};

/// A class of traffic as metrics know it. Its index is MessageSource::traffic_class.
struct TrafficClass {
  std::string name;
  Role role = Role::none;
  std::vector<HostId> sources;  ///< that send, ascending
  std::vector<HostId> targets;  ///< the hosts it is aimed at; empty for spread-out patterns
};

/// A source of messages of one host. A host has one for each connection number of each entry that
/// it is a source of.
struct HostSource {
  HostId host;
  std::unique_ptr<fabric::MessageSource> source;
  /// Give it to the fabric when so many data packets have been delivered network-wide; 0: at the
  /// beginning. See Progress.
  std::uint64_t start_after_packets = 0;
};

struct Traffic {
  std::vector<TrafficClass> classes;  ///< one an entry
  std::vector<HostSource> sources;    ///< by entry, then by host
};

/// Loads are fractions of the rate of the source host's own link, by payload or by wire bytes
/// (`load_of`). What a source sends depends on (seed, index of its entry, host) alone. Throws
/// InputError where entries do not fit the network or each other.
Traffic make_sources(const std::vector<TrafficEntry>& entries, const TrafficContext& context);

}  // namespace weir::traffic
