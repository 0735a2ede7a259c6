#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/base/keys.hpp"
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

/// What a [[traffic]] table and a [[flow]] say of the class of their messages.
struct ClassKeys {
  std::string name;
  Role role = Role::none;
  std::uint8_t service_level = 0;
};

/// What is the same in a [[traffic]] table as in its entry.
struct TrafficBasics : ClassKeys {
  std::uint16_t connections = 1;  ///< of a source to each destination
  bool has_rate = false;          ///< its pairs of hosts are flows with calculated rates
  std::uint64_t messages = std::numeric_limits<std::uint64_t>::max();  ///< at most, per source
  std::uint64_t start_after_packets = 0;
};

/// A [[traffic]] table. Its load is that of `arrivals`.
struct TrafficKeys : TrafficBasics, Phase {
  ConfigValue sources{std::string("all"), {}};
  std::optional<Rate> reserve;
  std::optional<ConfigValue> destinations;
  std::optional<ConfigValue> arrivals;
  std::optional<ConfigValue> sizes;
  std::optional<ConfigValue> phases;
  std::optional<ConfigValue> trace;
  std::optional<ConfigValue> storage;
  std::optional<ConfigValue> incast;
};

/// `sources` where it is a table.
struct SourceKeys {
  enum class Choose : std::uint8_t { spread, random, first, last };

  ConfigValue of{std::string("all"), {}};
  std::optional<std::string> same_as;
  std::optional<std::vector<std::int64_t>> range;
  std::optional<FilePath> jobs;
  std::optional<std::string> job;
  std::optional<ConfigValue> exclude;
  std::optional<std::vector<std::int64_t>> modulo;
  std::optional<double> fraction;
  std::optional<std::int64_t> count;
  Choose choose = Choose::spread;
};

struct TraceKeys {
  FilePath file;
  double compression = 1;
};

struct StorageKeys {
  ConfigValue disks{0.25, {}};
  std::optional<ConfigValue> hosts;
  double load = 0.7;
  bool overload = false;
  double compression = 20;
  double burst = 20;
  double burst_tail = 1.4;
  Time gap = microseconds(200);
  double idle_tail = 1.2;
  double cap = 100;
  ConfigValue sizes;  ///< default: with the keys
  double reads = 0.6;
  Bytes request{64};
  Time service = milliseconds(2);
  double zipf = 0.15;
};

struct IncastKeys {
  std::uint32_t fan_in = 1;
  std::optional<ConfigValue> senders;
  std::optional<ConfigValue> destinations;
  std::optional<Bytes> size;
  std::optional<Bytes> total;
  std::optional<double> load;
  std::optional<Time> interval;
  std::optional<std::vector<std::string>> times;
  bool is_poisson = true;
  Time within;
  bool overload = false;
};

/// One [[traffic]] table, checked as far as that goes without a network.
struct TrafficEntry : TrafficBasics {
  std::string where;         ///< "traffic[0]"
  std::int64_t reserve = 0;  ///< bytes per second that each source asks for; 0: none asks
  Checked<TrafficKeys> keys;
  std::optional<Checked<SourceKeys>> sources;  ///< where `sources` is a table
  /// All three, or `trace`, or `incast`, or `storage` with the sizes of its I/Os.
  std::optional<ModelChoice<PatternFactory>> destinations;
  std::optional<ModelChoice<ArrivalFactory>> arrivals;
  std::optional<ModelChoice<SizeFactory>> sizes;
  std::optional<Checked<TraceKeys>> trace;
  std::optional<Checked<StorageKeys>> storage;
  std::optional<Checked<IncastKeys>> incast;
  std::vector<Phase> phases;  ///< at least one, ascending, apart
  ConfigTable resolved;       ///< with all defaults filled in; check() accepts it

  /// All messages are there before the run begins.
  [[nodiscard]] bool is_recorded() const { return trace || storage || incast; }

  /// Throws InputError. `where` is the path of the table for messages.
  static TrafficEntry check(const ConfigTable& table, const std::string& where);
};

/// The tables below the key `traffic`: at least one, at most 255, no name twice. A single table may
/// stand without its list.
std::vector<TrafficEntry> check_traffic(const ConfigValue& value);

/// `role` of a class, and the range of `service_level`.
Key<ClassKeys> role_key();
Key<ClassKeys> service_level_key(std::string_view help);

/// Of a [[traffic]] table, of `sources`, of a row of `phases`, of `trace`, of `storage` and of
/// `incast`.
const Keys<TrafficKeys>& traffic_keys();
const Keys<SourceKeys>& source_keys();
const Keys<Phase>& phase_keys();
const Keys<TraceKeys>& trace_keys();
const Keys<StorageKeys>& storage_keys();
const Keys<IncastKeys>& incast_keys();

struct Senders;  // source_set.hpp

/// What traffic is made for.
struct TrafficContext {
  const topology::Graph& graph;  ///< gives the rate of every host's link
  std::uint64_t seed = 1;
  Bytes mtu = Bytes::max();  ///< with `header`: what loads of wire bytes count
  Bytes header = Bytes(0);
  Time end = Time::max();  ///< when the run ends, for traffic that is made beforehand
  /// Makes what `sources` of [[traffic]] may mean besides [[traffic]]; null: there is nothing.
  std::function<std::vector<Senders>(const TrafficContext&)> others = nullptr;
};

/// A class of traffic as metrics know it. Its index is MessageSource::traffic_class.
struct TrafficClass {
  std::string name;
  Role role = Role::none;
  std::vector<HostId> sources;  ///< that send, ascending
  std::vector<HostId> targets;  ///< the hosts it is aimed at; empty for spread-out patterns
  /// Which source sends to which target, sorted; empty: each to all.
  std::vector<std::pair<HostId, HostId>> pairs{};

  /// Pairs of a source and another host that is its target, by source.
  [[nodiscard]] std::vector<std::pair<HostId, HostId>> aims() const;
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
