#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/core.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/fabric/host/hosts.hpp"
#include "weir/fabric/messages_to_hosts.hpp"
#include "weir/fabric/parallel/border.hpp"
#include "weir/fabric/parallel/part_work.hpp"
#include "weir/fabric/switch/switch_model.hpp"

namespace weir::fabric {

class NodeState;
class StateNames;
struct NetworkState;

enum class WhenIdle : std::uint8_t { stop, keep_time };

/// Some nodes of a network with their hosts, switches and links, and the events that happen there:
/// the event loop. Usually the only part, which is the whole network; see Fabric.
class Part {
 public:
  /// `whole`: that it is a part of, for observers. `border`: null for the only part.
  Part(Fabric& whole, const Models& models, const Mechanisms& mechanisms,
       const FabricSettings& settings, Observer& observer, std::unique_ptr<Border> border);

  [[nodiscard]] Core& core() { return core_; }
  [[nodiscard]] const Core& core() const { return core_; }
  [[nodiscard]] Hosts& hosts() { return hosts_; }
  [[nodiscard]] const Hosts& hosts() const { return hosts_; }
  [[nodiscard]] SwitchModel& switches() { return *switches_; }
  [[nodiscard]] const SwitchModel& switches() const { return *switches_; }
  [[nodiscard]] Border* border() { return border_.get(); }
  /// What mechanisms see.
  [[nodiscard]] FabricView view() { return {core_, hosts_, to_hosts_, *switches_}; }
  [[nodiscard]] std::size_t memory() const;

  // --- The only part

  /// Runs all events up to and including `end`. True: it is idle.
  bool run_until(Time end, WhenIdle when_idle);
  /// After the present instant.
  void stop() { stop_ = true; }
  [[nodiscard]] bool is_stopped() const { return stop_; }

  // --- The loop, compiled for what `switches` are (part_loop.hpp)

  template <class Switches>
  bool run_until(Switches& switches, Time end, WhenIdle when_idle);
  template <class Switches>
  void run_before(Switches& switches, std::int64_t end);

  // --- One of several, which run side by side; Fabric looks after samples and checks

  /// Acts on its hosts, and outlives it; null: nobody.
  void set_work(PartWork* work) { work_ = work; }
  /// Takes what another one has sent it.
  void take_in(Part& other);
  /// The same of one in another process, by its number, from what the border has received.
  void take_in(std::uint16_t other);
  /// Runs all events before `end`, and what they set off within their instants.
  void run_before(std::int64_t end);
  /// Runs the events of the instant `at` that are known before it, not what they set off.
  void begin_instant(std::int64_t at);
  /// Runs the rest of the present instant. What its work does then is yet to be arbitrated.
  void finish_instant();
  /// Adds its nodes to a checkpoint, between two instants.
  void write(NetworkState& state);
  /// Begins where a checkpoint was made, before anything else has happened here; `takes_totals`:
  /// what is counted goes on in this part.
  void read(const NetworkState& state, const StateNames& names, bool takes_totals);
  /// When the next sample and check are due, of the only part.
  struct Periodic {
    std::int64_t sample = 0;
    std::int64_t check = 0;
  };
  [[nodiscard]] Periodic periodic() const;
  void resume_periodic(const Periodic& next);
  /// Of its next event, kNever: there is none.
  [[nodiscard]] std::int64_t next_time();
  /// Nothing moves, and nothing is scheduled that moves anything.
  [[nodiscard]] bool is_idle() const;
  /// It is idle, and may be taken for over wherever a step of it ends. What is still to happen in
  /// the background might move something again, or be the last that happens, which must not depend
  /// on steps: with it a run that stops when idle is over at a sample or check.
  [[nodiscard]] bool is_over_at_any_time(WhenIdle when_idle) const {
    return (when_idle == WhenIdle::keep_time || core_.background_events == 0) && is_idle();
  }
  /// During a check: no event is scheduled but those that do not move anything.
  [[nodiscard]] bool has_nothing_to_do() const {
    // The check that is running has left the queue, but is still counted.
    const std::size_t running = periodic_pending_ == 0 ? 0 : 1;
    return core_.events.size() + running == periodic_pending_ + core_.background_events;
  }
  /// What the events of this instant have woken has been arbitrated.
  [[nodiscard]] bool is_settled() const { return is_settled(*switches_); }

 private:
  [[nodiscard]] std::uint32_t node_of(const engine::Event& event) const;
  void checkpoint_node(NodeState& state, const Hosts::Numbers& numbers);
  void checkpoint_events(NodeState& state, std::vector<engine::Event> events);
  void checkpoint_payload(NodeState& state, EventKind kind, std::uint32_t& payload);
  void checkpoint_control(NodeState& state, std::uint32_t& number);
  void checkpoint_message(NodeState& state, std::uint32_t host, ControlMessage& message);
  template <class Switches>
  [[nodiscard]] bool is_settled(const Switches& switches) const {
    return core_.dirty_ports.empty() && !switches.needs_match();
  }
  template <class Switches>
  void dispatch(Switches& switches, const engine::Event& event);
  void dispatch_rare(const engine::Event& event);
  void wake_up(const engine::Event& event);
  template <class Switches>
  void settle(Switches& switches);
  /// What the present instant has made due; false: nothing.
  bool do_due_work();
  /// What its time has made due before `end`, when the events up to then have happened and the next
  /// one comes at `next`; false: nothing.
  bool do_timed_work(std::int64_t next, std::int64_t end);
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
  template <class Switches>
  void prefetch(const Switches& switches) const;
  template <class Switches>
  void prefetch_few(const Switches& switches) const;
  template <class Switches>
  void prefetch_first(const engine::Event& event) const;
  template <class Switches>
  void prefetch_second(const Switches& switches, const engine::Event& event) const;
  template <class Switches>
  void prefetch_third(const Switches& switches, const engine::Event& event) const;
  void prefetch_fourth(const engine::Event& event) const;
  void prefetch_leaving(std::uint32_t port) const;
  template <class Switches>
  void prefetch_dirty(const Switches& switches, std::size_t next) const;
  template <class Switches>
  void prefetch_request(const Switches& switches, std::uint32_t port) const;
  template <class Switches>
  void prefetch_head(const Switches& switches, std::uint32_t port) const;
  /// Null in a plain run, where that is known beforehand.
  template <class Switches>
  [[nodiscard]] const Isolation* isolation_of() const {
    if constexpr (Switches::kIsPlain) {
      return nullptr;
    } else {
      return core_.mechanisms.isolation.get();
    }
  }
  void start_periodic();
  /// Hosts come first among the nodes and have one port each.
  [[nodiscard]] bool is_host_port(std::uint32_t port) const { return port < host_ports_; }

  Fabric& whole_;
  std::unique_ptr<Border> border_;
  Core core_;
  MessagesToHosts to_hosts_;
  std::uint32_t host_ports_;
  bool is_large_;  ///< the state does not fit the nearest caches: prefetching pays
  Hosts hosts_;
  std::unique_ptr<SwitchModel> switches_;
  std::size_t dirty_ahead_;  ///< arbitrations that are as far ahead are fetched
  std::int64_t sample_period_;
  std::int64_t check_period_;
  std::uint32_t periodic_pending_ = 0;  ///< sample and check events in the queue
  std::vector<std::uint32_t> gathered_;
  PartWork* work_ = nullptr;
  bool stop_ = false;
};

}  // namespace weir::fabric
