#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "weir/base/ids.hpp"
#include "weir/base/random.hpp"
#include "weir/fabric/hooks/flow_routing.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/flow_routing/flow_tables.hpp"

namespace weir::flow_routing {

struct FlowRouterSettings {
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t cache_size = kUnlimited;  ///< entries of the route cache of each input port
  bool per_message = false;  ///< a flow is a message; else it ends when nothing of it waits
  bool piggy_backs = false;  ///< the last data packet tears down
  bool by_weight = false;    ///< a flow counts as many bytes as wait when it is set up, not one
  Bytes packet_size{40};     ///< of set-up and tear-down packets and answers
  std::uint64_t seed = 0;
};

/// Totals of a run.
struct FlowRoutingCounters {
  std::uint64_t set_ups = 0;     ///< set-up packets sent
  std::uint64_t tear_downs = 0;  ///< tear-down packets sent
  std::uint64_t routed = 0;      ///< decisions of port selectors
  std::uint64_t diverted = 0;    ///< of these, for another than the default port: an entry was made
  std::uint64_t cache_full = 0;  ///< default ports taken because the route cache was full
  std::uint64_t entries = 0;     ///< in route caches now
  std::uint64_t entries_max = 0;    ///< largest number at a time in one route cache
  std::uint64_t control_bytes = 0;  ///< of set-up and tear-down packets and answers, over links
  std::uint64_t completed_set_ups = 0;
  Time set_up_time;  ///< from the first wish to send to the answer, sum
  Time longest_set_up;
};

/// Is told what becomes of flows at their sources.
class FlowWatch {
 public:
  virtual ~FlowWatch() = default;
  /// A message has come to wait at its source.
  virtual void on_generated(const fabric::Message& message) = 0;
  /// A packet is about to leave that looks for a path of the connection; leaves a switch by
  /// a port; is at the destination.
  virtual void on_set_up(std::uint32_t /*connection*/) {}
  virtual void on_hop(std::uint32_t /*connection*/, PortId /*port*/) {}
  virtual void on_arrival(std::uint32_t /*connection*/) {}
  /// The connection is set up along `path`, the transmitting ports from the source's on: for all
  /// its messages that wait, or, where a message is a flow, for the next one.
  virtual void on_path(std::uint32_t connection, std::span<const PortId> path) = 0;
  /// All that waited of the connection has left: it is about to be torn down.
  virtual void on_end(std::uint32_t connection) = 0;
  /// More will come of the connection, although nothing waits: it is not torn down yet.
  [[nodiscard]] virtual bool goes_on(std::uint32_t connection) const = 0;
  /// What is known of the connections that begin at a host, of a network in one part.
  virtual void checkpoint(fabric::NodeState& /*state*/) {}
};

/// Adaptive flow routing by packets (zdornov2009, chapter 3). Each flow is set up by a packet that
/// chooses at every switch the port with the fewest flows; where that is not the default port, the
/// input port's route cache gets an entry, which data packets follow. A full cache makes no entry:
/// the default port is taken. By weight, a flow counts as much as waits at its source. Packets of a
/// connection (fabric::ConnectionName) cannot overtake each other, which on_delivered() asserts.
///
/// What switches have to know of a flow, set-up and tear-down packets carry, which also count the
/// switches and entries that they find or leave. So switches and hosts of a network in parts need
/// nothing of each other; there a flow has the number that it has at its source.
///
/// Memory: 12 bytes a port, 48 a connection, 16 a packet, about 40 a cache entry.
class FlowRouter final : public fabric::FlowRouting {
 public:
  FlowRouter(const FlowRouterSettings& settings, std::shared_ptr<const FlowTables> tables);

  /// Before anything happens; `watch` outlives the use. Null: nobody is told.
  void tell(FlowWatch* watch) { watch_ = watch; }

  void attach(const fabric::FabricView& fabric) override;
  std::uint16_t route(fabric::Packet& packet) override;
  void on_generated(const fabric::Message& message, Time now) override;
  [[nodiscard]] bool may_inject(std::uint32_t flow) const override {
    return connections_[flow].state == State::active;
  }
  bool on_injected(const fabric::Message& message, const fabric::Packet& packet, Time now) override;
  void on_requested(const fabric::Packet& packet) override;
  bool on_return(std::uint32_t flow, fabric::FlowStep step, Time now) override;
  void on_delivered(const fabric::Packet& packet, bool in_order) override;
  void on_control_delivered(const fabric::Packet& packet) override;

  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  void check(bool is_idle) const override;
  [[nodiscard]] Bytes packet_size() const override { return settings_.packet_size; }
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] FlowRoutingCounters counters() const;
  [[nodiscard]] std::size_t memory() const override;

  /// Flows that leave by a port; by weight, the sum of theirs.
  [[nodiscard]] std::uint64_t load(PortId port) const { return load_[port.index()]; }
  /// Entries in the route cache of an input port.
  [[nodiscard]] std::uint32_t entries(PortId port) const { return entries_[port.index()]; }

 private:
  /// Of the current flow of a connection, at its source.
  enum class State : std::uint8_t { idle, set_up, active, drain, tear_down };
  struct Connection {
    Time asked;                       ///< when the flow wished to send
    std::uint64_t waiting_bytes = 0;  ///< of these messages
    std::uint64_t weight = 1;         ///< what the flow adds to loads
    std::uint32_t waiting = 0;        ///< messages not yet sent completely
    std::uint32_t hops = 0;           ///< switches whose loads count the flow, known to its source
    std::uint32_t entries = 0;        ///< likewise: those that it has in route caches
    State state = State::idle;
    std::uint8_t service_level = 0;
    std::uint8_t traffic_class = 0;
    bool operator==(const Connection&) const = default;
  };

  /// Carried by packets that set a flow up or tear it down, and by their answers.
  struct Stamp {
    std::uint64_t weight = 0;
    std::uint32_t hops = 0;     ///< switches whose loads count the flow
    std::uint32_t entries = 0;  ///< that it has in route caches
  };
  /// Of an entry in the route cache of a port.
  struct EntryKey {
    std::uint32_t in_port = 0;
    std::uint32_t source = 0;  ///< host, whose part of the network numbers its flows
    std::uint32_t flow = 0;
    auto operator<=>(const EntryKey&) const = default;
  };
  struct EntryHash {
    std::size_t operator()(const EntryKey& key) const {
      const std::uint64_t place = std::uint64_t{key.in_port} << 32 | key.flow;
      return std::hash<std::uint64_t>()(place * 0x9e3779b97f4a7c15ULL + key.source);
    }
  };
  [[nodiscard]] Stamp& stamp(const fabric::Packet& packet) const {
    return packets_.record(stamp_, packet);
  }
  void write(Stamp& stamp, const Connection& connection) const {
    stamp = {connection.weight, connection.hops, connection.entries};
  }
  [[nodiscard]] std::uint32_t port_of(const fabric::Packet& packet, std::uint16_t out) const;
  std::uint16_t set_up(fabric::Packet& packet);
  std::uint16_t follow(std::uint32_t flow, const fabric::Packet& packet, bool tears_down);
  void add_to_path(std::uint32_t flow, const fabric::Packet& packet, PortId port, bool is_first);
  void begin(std::uint32_t flow, Connection& connection, Time now);
  bool finish(std::uint32_t flow, Connection& connection, Time now);
  void checkpoint_caches(fabric::NodeState& state);

  FlowRouterSettings settings_;
  std::shared_ptr<const FlowTables> tables_;
  fabric::Ports ports_;
  fabric::Packets packets_;
  fabric::HostServices* hosts_ = nullptr;
  std::vector<RandomStream> random_;    ///< per switch
  std::vector<std::uint64_t> load_;     ///< per transmitting port
  std::vector<std::uint32_t> entries_;  ///< per receiving port
  std::uint64_t counted_ = 0;           ///< sum of what flows have added, over all switches
  fabric::RecordSlot<Stamp> stamp_{};
  std::unordered_map<EntryKey, std::uint16_t, EntryHash> caches_;  ///< local output
  std::vector<Connection> connections_;                            ///< per flow of the flow table
  FlowWatch* watch_ = nullptr;
  std::vector<std::vector<PortId>> paths_;  ///< per flow of the flow table; empty without watch
  FlowRoutingCounters counters_;
  std::vector<EntryKey> by_port_;  ///< of all caches, while a checkpoint is written
};

}  // namespace weir::flow_routing
