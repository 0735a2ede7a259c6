#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/host/hosts.hpp"
#include "weir/fabric/messages_to_hosts.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

/// What a port has done so far. Times in ps.
struct PortStatistics {
  Time busy;               ///< transmitting, up to now
  Time waiting;            ///< had packets but no credit (as InfiniBand's XmitWait)
  std::int64_t bytes = 0;  ///< on the wire, packets whose transmission has started
  std::int64_t packets = 0;
  std::int64_t queued = 0;  ///< bytes that wait for this output in its switch
  bool blocked = false;     ///< waits for credit now
};

/// Memory of the checks, kept from one to the next.
struct CheckScratch {
  std::vector<std::int64_t> on_wire;  ///< per port: bytes
  std::vector<std::uint8_t> stuck;    ///< per port: suspected of a deadlock
  std::vector<std::uint32_t> reason;  ///< per port: one it waits for
};

/// The settings of a fabric with this scheme and these mechanisms: what they insist on goes before
/// what the settings say.
[[nodiscard]] FabricSettings adapted(FabricSettings settings, const QueueingScheme& scheme,
                                     std::span<Mechanism* const> mechanisms = {});

/// Adds what mechanisms carry to the sizes of data packets and ACKs, in place of what was added
/// before. A fabric does it by itself; it is for who has to know the sizes beforehand.
void carry(FabricSettings& settings, const Mechanisms& mechanisms);

enum class WhenIdle : std::uint8_t { stop, keep_time };

/// A network that carries packets: switches and hosts on one graph, driven by one event queue.
///
///   Fabric fabric(models, mechanisms, settings, observer);
///   fabric.add_source(HostId(3), std::move(source));
///   fabric.run_until(milliseconds(5));
///
/// Same models, settings, seed and sources: same trajectory, bit for bit.
/// Throws InputError for settings that cannot work, RunError when an invariant breaks or the
/// network deadlocks.
class Fabric {
 public:
  Fabric(const Models& models, const Mechanisms& mechanisms, const FabricSettings& settings,
         Observer& observer);

  void add_source(HostId host, std::unique_ptr<MessageSource> source) {
    hosts_.add_source(host, std::move(source));
  }
  /// Sends a message now.
  void submit(HostId host, const MessageRequest& request, std::uint8_t traffic_class = 0,
              std::uint8_t service_level = 0) {
    hosts_.submit(host, request, traffic_class, service_level);
  }

  /// Packets of a connection whose sources keep rates (MessageSource::keeps_rate) leave at this
  /// rate on the wire from now on, 0: not at all. All others wait for the link alone. Throws
  /// std::logic_error without an injection scheme that ranks flows.
  void set_rate(const ConnectionName& connection, Rate rate);
  void set_rate(HostId source, HostId destination, Rate rate) {
    set_rate({source, destination}, rate);
  }

  /// At `at` the cable of a port goes down, or is up again, in both directions. See
  /// Core::set_link().
  void change_cable(PortId port, Time at, bool is_up);

  /// Runs all events up to and including `end`. Returns true when the network is empty and nothing
  /// is scheduled any more (all sources have ended); the clock then stands at the last event, or at
  /// `end` with WhenIdle::keep_time, where samples go on.
  bool run_until(Time end, WhenIdle when_idle = WhenIdle::stop);
  /// Asks run_until() to return after the present instant (an observer may call it).
  void stop() { stop_ = true; }

  [[nodiscard]] Time now() const { return Time(core_.now); }
  [[nodiscard]] const topology::Graph& graph() const { return core_.graph; }
  [[nodiscard]] const FabricSettings& settings() const { return core_.settings; }
  [[nodiscard]] const Counters& counters() const { return core_.counters; }
  /// Heads of queues that others pass again and again, for a note.
  [[nodiscard]] const TurnWatch::Findings& passed_over() const {
    return core_.turn_watch.findings();
  }
  [[nodiscard]] std::string passed_over_note() const { return passed_over().note(core_); }
  [[nodiscard]] std::uint64_t fingerprint() const { return core_.fingerprint.value(); }
  [[nodiscard]] const std::vector<Flow>& flows() const { return hosts_.flows().all(); }
  /// Number of the connection of a message that is under way (RouteQuery::message).
  [[nodiscard]] std::uint16_t connection_of(std::uint32_t message) const {
    return hosts_.flows()[(*core_.messages)[message].flow].connection;
  }
  /// Payload bytes in source queues.
  [[nodiscard]] Bytes backlog() const { return Bytes(hosts_.backlog()); }
  /// Data packets between injection and delivery.
  [[nodiscard]] std::uint64_t packets_in_flight() const {
    return core_.counters.packets_injected - core_.counters.packets_delivered -
           core_.counters.packets_lost;
  }

  [[nodiscard]] PortStatistics port(PortId id) const;
  /// Buffer classes (VCs or queues with their own credit) of every ingress buffer.
  [[nodiscard]] int buffer_classes() const { return core_.buffers; }
  /// Bytes stored at the ingress side of a port in one class.
  [[nodiscard]] Bytes stored(PortId port, int buffer) const {
    return Bytes(core_.stored[core_.buffer_index(port.value, static_cast<std::uint16_t>(buffer))]);
  }
  /// Bytes of one class with split memory, of the whole ingress buffer otherwise.
  [[nodiscard]] Bytes buffer_capacity() const { return Bytes(core_.links.capacity()); }
  /// Bytes that wait in all switches together, integrated over time since the start: byte ps modulo
  /// 2^64, see Moment.
  struct Waited {
    std::uint64_t ingress = 0;
    std::uint64_t egress = 0;
  };
  [[nodiscard]] Waited waited() const;
  /// Credit the sender at `port` has for one class at the far end, incl. what has arrived by now.
  [[nodiscard]] Bytes credits(PortId port, int buffer) const;
  /// Visits (where, packet) for every data packet and ACK stored in a switch.
  void for_each_stored(const std::function<void(PortId, const Packet&)>& visit) const;

  [[nodiscard]] const SelectionFunction& selection() const { return *core_.models.selection; }
  /// Null: nothing is set aside.
  [[nodiscard]] const Isolation* isolation() const { return core_.mechanisms.isolation.get(); }
  /// Null: sources send without asking.
  [[nodiscard]] const Admission* admission() const { return core_.mechanisms.admission.get(); }
  /// Null: VLs are not served by lanes.
  [[nodiscard]] const VlSharing* vl_sharing() const { return core_.mechanisms.vl_sharing.get(); }
  /// Null: sources do not react.
  [[nodiscard]] const Reaction* reaction() const { return core_.mechanisms.reaction.get(); }

  /// Null: nothing is marked.
  [[nodiscard]] const Marker* marker() const { return core_.mechanisms.marker.get(); }

  /// All of these that the run has.
  [[nodiscard]] std::span<Mechanism* const> mechanisms() const { return core_.every_mechanism; }

  /// Checks conservation now. Also done on the way, every check period in which enough has happened
  /// to be worth it, and when the network has run empty.
  void check() const;
  /// Bytes of memory held by the simulation state.
  [[nodiscard]] std::size_t memory() const;
  /// What mechanisms see.
  [[nodiscard]] FabricView view() { return {core_, hosts_, to_hosts_, *switches_}; }
  /// The state behind it, for tests of the fabric itself.
  [[nodiscard]] Core& core() { return core_; }

 private:
  void dispatch(const engine::Event& event);
  void dispatch_rare(const engine::Event& event);
  void settle();
  /// Takes the other events of the kind, instant and entity of `first`: `gathered_` has the
  /// payloads of all of them.
  void gather_instant(const engine::Event& first);
  /// The control messages of one instant at `port`, whose numbers are `gathered_`.
  void hear_controls(PortId port);
  /// How many events before its turn the steps of prefetching see an event; the fourth is for
  /// requests in lists. One event takes about as long as a read of main memory.
  static constexpr std::size_t kFirst = 9;
  static constexpr std::size_t kSecond = 6;
  static constexpr std::size_t kThird = 3;
  static constexpr std::size_t kFourth = 1;
  /// Fetch what events and arbitrations will touch into the cache before their turn comes.
  void prefetch() const;
  void prefetch_first(const engine::Event& event) const;
  void prefetch_second(const engine::Event& event) const;
  void prefetch_third(const engine::Event& event) const;
  void prefetch_fourth(const engine::Event& event) const;
  void prefetch_leaving(std::uint32_t port) const;
  void prefetch_dirty(std::size_t next) const;
  void prefetch_request(std::uint32_t port) const;
  void prefetch_head(std::uint32_t port) const;
  void start_periodic();
  void on_check();
  /// Hosts come first among the nodes and have one port each.
  [[nodiscard]] bool is_host_port(std::uint32_t port) const { return port < host_ports_; }
  [[nodiscard]] bool is_idle() const;

  Core core_;
  MessagesToHosts to_hosts_;
  std::uint32_t host_ports_;
  bool is_large_;  ///< the state does not fit the nearest caches: prefetching pays
  Hosts hosts_;
  std::unique_ptr<SwitchModel> switches_;
  std::size_t dirty_ahead_;  ///< arbitrations that are as far ahead are fetched
  std::int64_t sample_period_;
  std::int64_t check_period_;
  std::uint64_t hops_at_check_ = 0;
  std::uint64_t hops_at_watch_ = 0;
  std::uint64_t hops_at_conservation_ = 0;
  std::uint32_t periodic_pending_ = 0;  ///< sample and check events in the queue
  std::vector<std::uint32_t> gathered_;
  bool stop_ = false;
  mutable CheckScratch scratch_;
};

/// Finds ports that wait for each other for good and throws RunError with the cycle, link by link,
/// or with the starved port. `since`: only ports blocked since then are considered.
void check_progress(const Core& core, const SwitchModel& switches, std::int64_t since,
                    CheckScratch& scratch);
/// Throws RunError that names the port at which everything that stands still waits. Called when
/// packets are in the network, nothing has moved for a check period and nothing is scheduled.
[[noreturn]] void report_starvation(const Core& core, const SwitchModel& switches);
/// Throws RunError when packets, credits or buffer space do not add up.
void check_conservation(const Core& core, const Hosts& hosts, const SwitchModel& switches,
                        CheckScratch& scratch);

}  // namespace weir::fabric
