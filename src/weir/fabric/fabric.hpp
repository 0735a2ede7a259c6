#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/base/ranks.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/part.hpp"

namespace weir::fabric {

class ObserverLog;
class ObserverReplay;
class Peaks;
struct NetworkState;
class Windows;

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

/// The models and mechanisms of one part of a network. Parts share graph, routing and queueing;
/// selection and mechanisms are each part's own.
struct PartModels {
  Models models;
  Mechanisms mechanisms;
  PartWork* work = nullptr;  ///< acts on the hosts of the part, and outlives the fabric
};

/// A network that carries packets: switches and hosts on one graph, driven by events.
///
///   Fabric fabric(models, mechanisms, settings, observer);
///   fabric.add_source(HostId(3), std::move(source));
///   fabric.run_until(milliseconds(5));
///
/// Same models, settings, seed and sources: same trajectory, bit for bit, also where it is divided
/// into parts that run side by side.
/// Throws InputError for settings that cannot work, RunError when an invariant breaks or the
/// network deadlocks.
class Fabric {
 public:
  Fabric(const Models& models, const Mechanisms& mechanisms, const FabricSettings& settings,
         Observer& observer);
  /// Divided: `make(part)` makes what each part has. The observer is told what happens in the order
  /// of time, but up to a window later, and must not act on the fabric; who acts on the whole
  /// network is its overseer. Throws InputError for what does not work in parts.
  /// `ranks`: processes that each have some of the parts, as many parts each as the others, give or
  /// take one. All of them make the same calls; what is asked of the whole network is then known to
  /// all, and what is asked of a port, host or part only where it is.
  Fabric(const std::function<PartModels()>& make, std::shared_ptr<const Territories> territories,
         const FabricSettings& settings, Observer& observer, Overseer* overseer = nullptr,
         Ranks* ranks = nullptr);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  /// Those of hosts in other processes go there.
  void add_source(HostId host, std::unique_ptr<MessageSource> source) {
    if (has(host)) part_of_host(host).hosts().add_source(host, std::move(source));
  }
  /// One that begins with resume().
  void add_source_later(HostId host, std::unique_ptr<MessageSource> source) {
    if (has(host)) part_of_host(host).hosts().add_source_later(host, std::move(source));
  }
  /// Sends a message now.
  void submit(HostId host, const MessageRequest& request, std::uint8_t traffic_class = 0,
              std::uint8_t service_level = 0) {
    if (has(host)) part_of_host(host).hosts().submit(host, request, traffic_class, service_level);
  }

  /// Packets of a connection whose sources keep rates (MessageSource::keeps_rate) leave at this
  /// rate on the wire from now on, 0: not at all. All others wait for the link alone. A connection
  /// gets its first rate while nothing runs. Throws std::logic_error without an injection scheme
  /// that ranks flows. Of several processes all do it, in the same order.
  void set_rate(const ConnectionName& connection, Rate rate);
  void set_rate(HostId source, HostId destination, Rate rate) {
    set_rate({source, destination}, rate);
  }

  /// At `at` the cable of a port goes down, or is up again, in both directions. See
  /// Core::set_link().
  void change_cable(PortId port, Time at, bool is_up);

  /// Runs all events up to and including `end`. Returns true when the network is empty and nothing
  /// is scheduled any more (all sources have ended); the clock then stands at the last event, or at
  /// `end` with WhenIdle::keep_time, where samples go on. What does not keep a network from being
  /// idle may be scheduled yet, such as timers: then the clock stands at the next sample or check,
  /// so that `end` does not decide what has still happened.
  bool run_until(Time end, WhenIdle when_idle = WhenIdle::stop);
  /// Asks run_until() to return after the present instant (an observer may call it).
  void stop();

  [[nodiscard]] Time now() const { return Time(core().now); }
  /// Nothing that happens at one node acts on another one sooner.
  [[nodiscard]] Time shortest_cable() const { return Time(core().horizon); }
  /// Of a network in parts: what an overseer sees of it is never older.
  [[nodiscard]] Time longest_window() const;
  [[nodiscard]] const topology::Graph& graph() const { return core().graph; }
  [[nodiscard]] const FabricSettings& settings() const { return core().settings; }
  [[nodiscard]] const Counters& counters() const;
  /// Heads of queues that others pass again and again, for a note.
  [[nodiscard]] TurnWatch::Findings passed_over() const;
  [[nodiscard]] std::string passed_over_note() const { return passed_over().note(core()); }
  [[nodiscard]] std::uint64_t fingerprint() const;
  /// In the order in which they began; of a network in parts by their hosts.
  [[nodiscard]] std::vector<Flow> flows() const;
  /// Those known in one part, by their numbers there: that have their source or destination in it.
  /// Numbers that no flow has are of source kNone; what has been received of those that end in
  /// another part is not known here.
  [[nodiscard]] std::vector<Flow> flows_of(std::size_t part) const;
  /// Number of the connection of a message that is under way (RouteQuery::message). Of a network in
  /// one part.
  [[nodiscard]] std::uint16_t connection_of(std::uint32_t message) const {
    return whole().hosts().flows().connection_of((*core().messages)[message].flow);
  }
  /// Payload bytes in source queues.
  [[nodiscard]] Bytes backlog() const;
  /// Data packets between injection and delivery.
  [[nodiscard]] std::uint64_t packets_in_flight() const {
    const Counters& all = counters();
    return all.packets_injected - all.packets_delivered - all.packets_lost;
  }
  /// The same of the parts in this process: injected here less delivered here, modulo 2^64.
  [[nodiscard]] std::uint64_t packets_in_flight_here() const;

  [[nodiscard]] PortStatistics port(PortId id) const;
  /// Packets and bytes on the wire, each counted on every link that it takes.
  struct Sent {
    std::int64_t bytes = 0;
    std::int64_t packets_of_switches = 0;

    Sent& operator+=(const Sent& other);
  };
  [[nodiscard]] Sent sent() const;
  /// Buffer classes (VCs or queues with their own credit) of every ingress buffer.
  [[nodiscard]] int buffer_classes() const { return core().buffers; }
  /// Bytes stored at the ingress side of a port in one class.
  [[nodiscard]] Bytes stored(PortId port, int buffer) const {
    const Core& core = part_of(port).core();
    return Bytes(core.stored[core.buffer_index(port.value, static_cast<std::uint16_t>(buffer))]);
  }
  /// Bytes of one class with split memory, of the whole ingress buffer otherwise.
  [[nodiscard]] Bytes buffer_capacity() const { return Bytes(core().links.capacity()); }
  /// Bytes that wait in all switches together, integrated over time since the start: byte ps modulo
  /// 2^64, see Moment.
  struct Waited {
    std::uint64_t ingress = 0;
    std::uint64_t egress = 0;

    Waited& operator+=(const Waited& other) {
      ingress += other.ingress;
      egress += other.egress;
      return *this;
    }
  };
  [[nodiscard]] Waited waited() const;
  /// Credit the sender at `port` has for one class at the far end, incl. what has arrived by now.
  [[nodiscard]] Bytes credits(PortId port, int buffer) const;
  /// Visits (where, packet) for every data packet and ACK stored in a switch.
  void for_each_stored(const std::function<void(PortId, const Packet&)>& visit) const;
  /// The same in one part.
  void for_each_stored(std::size_t part,
                       const std::function<void(PortId, const Packet&)>& visit) const;

  [[nodiscard]] const SelectionFunction& selection() const { return *core().models.selection; }
  /// Null: nothing is set aside. Of a divided network that of the first part.
  [[nodiscard]] const Isolation* isolation() const { return core().mechanisms.isolation.get(); }
  /// Visits the set-aside queues of all parts.
  void for_each_line(const std::function<void(const SetAsideLine&)>& visit) const;
  /// Null: sources send without asking.
  [[nodiscard]] const Admission* admission() const { return core().mechanisms.admission.get(); }
  /// Null: VLs are not served by lanes.
  [[nodiscard]] const VlSharing* vl_sharing() const { return core().mechanisms.vl_sharing.get(); }
  /// Null: sources do not react.
  [[nodiscard]] const Reaction* reaction() const { return core().mechanisms.reaction.get(); }

  /// Null: nothing is marked.
  [[nodiscard]] const Marker* marker() const { return core().mechanisms.marker.get(); }

  /// All of these that the run has; of a divided network those of the first part.
  [[nodiscard]] std::span<Mechanism* const> mechanisms() const { return core().every_mechanism; }
  /// What they say of themselves, for the user.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// Mechanism number i of mechanisms() in every part.
  [[nodiscard]] std::vector<const Mechanism*> instances(std::size_t i) const;

  /// Between two calls of run_until(): writes all of its state down, of several processes the first
  /// one does; or reads that of a network with the same models and settings, which may have been
  /// divided otherwise, and goes on from there. Nothing has happened here by then; sources have
  /// been added `later`.
  void checkpoint(StateArchive& state);
  /// What keeps the run from having checkpoints, and the key that has chosen it; empty: nothing.
  [[nodiscard]] std::string no_checkpoints() const;
  /// Checks conservation now. Also done on the way, every check period in which enough has happened
  /// to be worth it, and when the network has run empty.
  void check() const;
  /// What dividing the network has cost so far (Windows::Statistics), of all processes; nothing of
  /// a network in one part.
  struct Division {
    std::uint64_t parts = 1;
    std::uint64_t meetings = 0;
    std::uint64_t busiest_events = 0;
    std::uint64_t packets_across = 0;  ///< borders between parts
    std::uint64_t feedback_across = 0;
    std::uint64_t others_across = 0;
  };
  [[nodiscard]] Division division() const;
  /// CPU time so far of threads other than the caller's, in this process.
  [[nodiscard]] double cpu_seconds_of_helpers() const;
  /// Bytes of memory held by the simulation state.
  [[nodiscard]] std::size_t memory() const;
  /// What mechanisms see, in the first part.
  [[nodiscard]] FabricView view() { return parts_.front()->view(); }
  /// The state behind it, for tests of the fabric itself; of the first part.
  [[nodiscard]] Core& core() { return parts_.front()->core(); }
  /// Those in this process, numbered from 0 on.
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] const Part& part(std::size_t number) const { return *parts_[number]; }
  [[nodiscard]] std::size_t number_of_part(HostId host) const {
    return territories_ ? territories_->of_node[host.index()] - first_part_ : 0;
  }
  [[nodiscard]] bool is_in(std::size_t part, HostId host) const {
    return has(host) && number_of_part(host) == part;
  }
  /// That a port, or the node of a host, is in.
  [[nodiscard]] const Part& part_of(PortId port) const {
    return territories_ ? *parts_[territories_->of_port[port.index()] - first_part_]
                        : *parts_.front();
  }

  /// The other processes that have parts of the network; null: all are here.
  [[nodiscard]] Ranks* ranks() const { return ranks_; }
  /// It is in this process.
  [[nodiscard]] bool has(PortId port) const {
    return ranks_ == nullptr || is_here(territories_->of_port[port.index()]);
  }
  [[nodiscard]] bool has(HostId host) const {
    return ranks_ == nullptr || host.index() >= core().host_count ||
           is_here(territories_->of_node[host.index()]);
  }
  /// Number of the process that a host is in.
  [[nodiscard]] std::size_t rank_of(HostId host) const;
  /// Ports of one part, ascending.
  [[nodiscard]] std::span<const std::uint32_t> ports_of(std::size_t part) const;
  /// Fills in what other processes know: `of_ports` has a plain value for each port, of which those
  /// of ports here are right.
  template <class Plain>
  void share(std::vector<Plain>& of_ports) const {
    if (ranks_ == nullptr) return;
    const std::vector<std::uint32_t> here = ports_here();
    Ranks::Parcel mine(here.size() * sizeof(Plain));
    for (std::size_t i = 0; i < here.size(); ++i)
      std::memcpy(&mine[i * sizeof(Plain)], &of_ports[here[i]], sizeof(Plain));
    const auto all = ranks_->gather(mine);
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      if (rank == ranks_->rank()) continue;
      std::size_t at = 0;
      for (const std::uint32_t port : ports_of_rank(rank))
        of_ports[port] = take_value<Plain>(all[rank], at);
    }
  }
  /// Calls `look(part)` for every part: side by side, by the threads of the parts, during samples
  /// and checks, else one after the other. It reads of the fabric what is in its part.
  void side_by_side(const std::function<void(std::size_t)>& look) const;

  /// Time between two looks at whether all is well.
  [[nodiscard]] static Time check_period(const FabricSettings& settings);
  /// One of them, for the event loop.
  void on_check(Time now);

 private:
  /// What is under way, of all parts.
  struct Work {
    std::uint64_t packets = 0;
    std::uint64_t things = 0;     ///< that conservation looks at
    std::uint64_t unsettled = 0;  ///< parts in which something has yet to be arbitrated
    std::uint64_t busy = 0;       ///< parts with events that may move something

    Work& operator+=(const Work& other);
  };

  [[nodiscard]] const Core& core() const { return parts_.front()->core(); }
  [[nodiscard]] Work work_here() const;
  [[nodiscard]] NetworkState written_down();
  void resume(const NetworkState& state);
  [[nodiscard]] Part::Periodic periodic() const;
  void change_link(PortId sender, std::int64_t at, bool is_up);
  /// A network in one part. Throws std::logic_error for others.
  [[nodiscard]] const Part& whole() const;
  [[nodiscard]] Part& part_of_host(HostId host);
  void refuse_what_does_not_work_in_parts() const;
  /// Instances of mechanisms, and what they measure together.
  void introduce_parts();
  void refuse_failures_in_parts() const;
  [[nodiscard]] std::vector<std::string> notes_of(std::size_t mechanism) const;
  void refuse_what_does_not_work_in_ranks() const;
  /// Numbers among all parts of those of one process: the first one, and the one after the last.
  [[nodiscard]] std::pair<std::size_t, std::size_t> parts_of_rank(std::size_t rank) const;
  [[nodiscard]] std::vector<std::uint32_t> ports_of_rank(std::size_t rank) const;
  [[nodiscard]] std::vector<std::uint32_t> ports_here() const {
    return ports_of_rank(ranks_->rank());
  }
  [[nodiscard]] bool is_here(std::size_t part) const { return part - first_part_ < parts_.size(); }

  Ranks* ranks_ = nullptr;
  std::size_t first_part_ = 0;  ///< number of the first one here among all
  std::vector<std::unique_ptr<Part>> parts_;
  std::shared_ptr<const Territories> territories_;  ///< null: one part
  std::vector<std::unique_ptr<ObserverLog>> logs_;  ///< per part, of several
  /// Per part: who measures and who acts there, where both are told at once.
  std::vector<std::unique_ptr<Observer>> pairs_;
  /// Connections of hosts in other processes that have rates.
  std::set<std::tuple<HostId, HostId, std::uint16_t>> rated_elsewhere_;
  std::vector<std::uint32_t> all_ports_;  ///< of a network in one part
  std::unique_ptr<ObserverReplay> replay_;
  std::unique_ptr<Peaks> peaks_;      ///< null: one part
  std::unique_ptr<Windows> windows_;  ///< null: one part
  std::uint64_t hops_at_check_ = 0;
  std::uint64_t hops_at_watch_ = 0;
  std::uint64_t hops_at_conservation_ = 0;
  mutable Counters counters_;  ///< of all parts
  mutable CheckScratch scratch_;
};

/// Finds ports that wait for each other for good and throws RunError with the cycle, link by link,
/// or with the starved port. `since`: only ports blocked since then are considered.
void check_progress(const Fabric& fabric, std::int64_t since, CheckScratch& scratch);
/// Throws RunError that names the port at which everything that stands still waits. Called when
/// packets are in the network, nothing has moved for a check period and nothing is scheduled.
[[noreturn]] void report_starvation(const Fabric& fabric);
/// Throws RunError when packets, credits or buffer space do not add up.
void check_conservation(const Fabric& fabric, CheckScratch& scratch);

}  // namespace weir::fabric
