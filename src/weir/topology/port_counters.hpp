#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/topology/graph.hpp"
#include "weir/topology/import_text.hpp"

namespace weir::topology {

/// A counter of a port as it was read: the one of 32 bits and the extended one of 64, which are
/// reset apart.
struct CounterReading {
  std::optional<std::uint64_t> plain;
  std::optional<std::uint64_t> extended;
};

/// Counters of one port. It is known by a LID of its node, or by the GUID of node or port.
struct PortReading {
  std::size_t line = 0;
  std::uint16_t lid = 0;   ///< 0: known by GUID
  std::uint64_t guid = 0;  ///< 0: known by LID
  std::uint16_t port = 0;
  CounterReading sent;    ///< PortXmitData, in words of 4 bytes
  CounterReading waited;  ///< PortXmitWait, in ticks
};

/// What perfquery or ibqueryerrors printed of many ports.
struct CounterSnapshot {
  TextPlace place;
  std::vector<PortReading> ports;
  /// Nodes that ibqueryerrors looked at where it listed all ports that waited: those that are not
  /// listed did not wait. 0: that cannot be told.
  std::size_t nodes_without_more = 0;
};

/// Reads outputs of perfquery, plain and extended (-x), of many ports one after another, and of
/// ibqueryerrors, also with --counters, --data and -r (format as of infiniband-diags 44). Throws
/// InputError "file:line: ..." for anything else, for counters of all ports of a node together and
/// for what is cut off.
CounterSnapshot parse_port_counters(std::string_view text, const std::string& file);

/// What became of a counter over an interval.
enum class CounterState : std::uint8_t {
  counted,
  missing,    ///< not in the file, or not kept by the device
  saturated,  ///< it stands at its highest value, where it stays until it is reset
  reset,      ///< it is lower than before
};

/// "counted", "missing", "saturated", "reset".
std::string_view to_string(CounterState state);

struct LinkCount {
  CounterState state = CounterState::missing;
  std::uint64_t count = 0;  ///< when counted
};

inline constexpr double kBytesPerWord = 4;

/// What the transmitter of a link did.
struct LinkCounters {
  LinkCount words;  ///< sent, of 4 bytes
  LinkCount ticks;  ///< in which it had data to send and sent none: a tick is the device's
};

/// Files with counters of a subnet, and what is known of them.
struct CounterFiles {
  std::string after;             ///< empty: none
  std::string before;            ///< empty: counters stand for the time since they were reset
  std::optional<Time> interval;  ///< between the two
  std::optional<Time> tick;      ///< of PortXmitWait
};

/// Counters of a subnet's links over an interval.
struct SubnetCounters {
  std::vector<LinkCounters> links;  ///< per PortId
  std::vector<std::string> notes;   ///< what could not be used, in whole sentences
};

/// Finds the ports in `graph` and subtracts. `before` may be nullptr. Throws InputError when the
/// graph was not read from ibnetdiscover, and "file:line: ..." for ports that it does not have and
/// counters that stand there twice.
SubnetCounters count_links(const Graph& graph, const CounterSnapshot& after,
                           const CounterSnapshot* before);

/// The same from files.
SubnetCounters read_counters(const Graph& graph, const CounterFiles& files);

}  // namespace weir::topology
