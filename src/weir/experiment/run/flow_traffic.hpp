#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weir/experiment/run/flow_messages.hpp"
#include "weir/experiment/run/flow_phases.hpp"
#include "weir/experiment/run/flow_protocol.hpp"
#include "weir/experiment/run/flow_set_ups.hpp"
#include "weir/experiment/run/rate_calculation.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/aimed_links.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/routing/explicit_routes.hpp"
#include "weir/traffic/traffic.hpp"

namespace weir::experiment {

/// Data packets of flows, and the links they cross in all.
struct FlowWork {
  double packets = 0;
  double packet_hops = 0;
};

/// The flows of a packet simulation, along the paths that [flow_routing] finds, at the rates that
/// [rates] calculates where [injection] keeps them. Where packets find the paths, [protocol] finds
/// the rates, for each flow as soon as it is set up. Those of [[flow]] tables send endlessly or a
/// given size; those of [[traffic]] with `rate`, which are flows where rates are kept, send what
/// that traffic sends.
///
/// Each flow is a connection, or shares one with others between the same two hosts: these take the
/// path of the first of them and have one source queue, and the injection scheme gets the sum of
/// their rates.
class FlowTraffic {
 public:
  /// Throws InputError with a place in the file. Without flows only checks that nothing needs them.
  FlowTraffic(const Configuration& configuration, std::shared_ptr<const Network> network);

  [[nodiscard]] bool is_empty() const { return flows_.set.flow_count() == 0; }
  /// The network with the paths of the flows.
  [[nodiscard]] std::shared_ptr<const Network> network() const { return network_; }
  /// Adds the classes of the [[flow]]s and a source for each flow, and lets the sources of the
  /// other classes that have rates keep them.
  void add_to(traffic::Traffic& traffic);
  /// Hands the rates to the injection scheme, if it keeps rates; with a protocol, as it finds them.
  /// `fabric` has the network() and must outlive its use.
  void attach(fabric::Fabric& fabric);
  /// Null without a protocol.
  [[nodiscard]] std::shared_ptr<fabric::ControlTraffic> control() const {
    return protocol_ ? protocol_->control() : nullptr;
  }
  /// Null: nobody has to be told what becomes of set-ups.
  [[nodiscard]] flow_routing::FlowWatch* watch() const { return set_ups_.get(); }
  void on_generated(const fabric::Message& message) {
    if (is_of_flow(message)) messages_->on_generated(message);
  }
  void on_message_complete(const fabric::Message& message, Time now) {
    if (!is_of_flow(message)) return;
    messages_->on_complete(message, now);
    if (!phases_at_meetings_ && messages_->ended(message.tag)) end(message.tag, now);
  }
  /// When hot [[flow]]s have which aims; those of later phases from the beginning on.
  [[nodiscard]] std::vector<metrics::HotAim> hot_aims() const;
  /// Messages of the class of [[flow]]s that has place `number` among them; all have a size.
  [[nodiscard]] std::uint64_t messages_of(std::size_t number) const;
  /// Of all [[flow]]s up to `end`, about.
  [[nodiscard]] FlowWork work(Time end) const;

  /// `now`: of a delivery.
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now) {
    if (!is_of_flow(message)) return;
    last_[message.tag] = now;
    in_all_[message.tag] += packet.size;
    if (now >= warm_up_) delivered_[message.tag] += packet.size;
  }

  // --- In a network that is divided: threads tell of what happens in their parts, and between them
  // nobody has more than one thread's numbers of a flow

  /// Before anything happens.
  void divide();
  /// A phase may end, and another one begin then.
  [[nodiscard]] bool has_next_phase() const { return phases_.current() + 1 < phases_.count(); }
  /// Flows whose data another phase waits for; all of them have one message.
  [[nodiscard]] const std::vector<std::uint32_t>& phase() const {
    return phases_.flows(phases_.current());
  }
  [[nodiscard]] HostId destination(std::uint32_t flow) const {
    return flows_.list.flows[flow].destination;
  }
  [[nodiscard]] Bytes size(std::uint32_t flow) const { return flows_.list.sizes[flow]; }
  /// The flow of a message that ends a flow which another phase waits for; nothing: there is none.
  [[nodiscard]] std::optional<std::uint32_t> awaited(const fabric::Message& message) const {
    if (!has_next_phase() || !is_of_flow(message)) return std::nullopt;
    if (phases_.of(message.tag) != phases_.current()) return std::nullopt;
    return message.tag;
  }
  /// All threads stand still, and all data of a flow that another phase waits for is there since
  /// `now`, as no other one's was: that phase may begin.
  void end_awaited(std::uint32_t flow, Time now) { end(flow, now); }

  // --- Checkpoints

  [[nodiscard]] std::size_t phase_number() const { return phases_.current(); }
  /// Before the fabric is made.
  void expect_checkpoint() {
    if (protocol_) protocol_->expect_checkpoint();
  }
  /// Between two instants, after attach(); of several processes the first one writes. When read,
  /// phases are still to begin again, and go_on() comes last.
  void checkpoint(StateArchive& state);
  /// The sources of phases up to this one are added to the fabric, which is read after that.
  void begin_again(std::size_t phase);
  void go_on();
  /// Some of its data has arrived.
  [[nodiscard]] bool has_arrived(std::uint32_t flow) const { return in_all_[flow] > 0; }

  /// Adds calculated rates and those of delivered packets, on the wire, from the warm-up to `end`.
  /// Call it once.
  void report(metrics::RunResult& out, Time end);

 private:
  [[nodiscard]] bool has_written() const { return flows_.list.written > 0; }
  [[nodiscard]] bool has_rated() const { return flows_.list.flows.size() > flows_.list.written; }
  [[nodiscard]] bool is_of_flow(const fabric::Message& message) const {
    return messages_ && messages_->has(message.traffic_class);
  }
  /// When all data of a flow was there; nothing: some is not, or it had none.
  [[nodiscard]] std::optional<Time> ended(std::uint32_t flow) const {
    return in_all_[flow] > 0 ? messages_->ended(flow) : std::nullopt;
  }
  /// All data of a flow is there, and no more comes.
  void end(std::uint32_t flow, Time now);
  void check_traffic(const Configuration& configuration) const;
  void add_written(traffic::Traffic& traffic);
  void add_set_ups(std::size_t first_class);
  void check_packets(const Configuration& configuration) const;
  void calculate(const Configuration& configuration);
  /// What is calculated together: the flows of a phase, in their order.
  struct Calculated {
    rates::FlowSet set;
    std::optional<rates::Assignment> rates;  ///< nothing: of `rates.algorithm` = "none"
  };
  [[nodiscard]] std::vector<Calculated> calculate_phases(const rates::FlowSet& set) const;
  /// The sources of the current phase start.
  void begin_phase();
  /// Takes the sources of a phase that starts at `at`.
  [[nodiscard]] std::vector<traffic::HostSource> take_sources(std::size_t phase, Time at);
  /// Flows of the current phase that are over have ended.
  void end_flows();
  void set_unit(const RateInput& input);
  void share_paths();
  void add_routes();
  void check_paths(const Configuration& configuration) const;
  void check_isolation(const Configuration& configuration) const;
  /// Of the flows of the current phase.
  void set_rates(std::size_t phase) const;
  /// Some hosts have several connections to one other host.
  [[nodiscard]] bool have_numbers() const;
  [[nodiscard]] Time start_of(std::uint32_t flow) const {
    return protocol_ && set_ups_ ? protocol_->start_of(flow) : flows_.list.starts[flow];
  }
  /// The flows on the paths that they have taken, where packets find them.
  [[nodiscard]] rates::FlowSet set_up_flows() const;
  void report_calculated(metrics::RunResult& out, Time end) const;
  void report_completed(metrics::RunResult& out) const;
  void report_phases(metrics::RunResult& out) const;
  /// Of a flow.
  struct Arrived {
    std::int64_t delivered = 0;
    std::int64_t in_all = 0;
    Time last;
  };
  /// What all processes know, when there are several.
  [[nodiscard]] std::vector<Arrived> all_arrived() const;
  void set_arrived(const std::vector<Arrived>& arrived);
  /// Of a network that is divided: no other phase has waited for these flows.
  void end_last_phase();
  void report_connections(metrics::RunResult& out, Time end) const;
  [[nodiscard]] std::vector<double> application_rates(const std::vector<double>& rates) const;

  std::shared_ptr<const Network> network_;
  RoutedFlows flows_;
  ConnectionList connections_;
  std::shared_ptr<routing::ExplicitRoutes> routes_;  ///< null: paths are not known beforehand
  FlowPhases phases_;
  std::unique_ptr<FlowMessages> messages_;  ///< null: there are no flows
  std::vector<traffic::HostSource> later_;  ///< of flows of later phases, in their order
  std::vector<Calculated> calculated_;      ///< per phase; empty: paths are not known beforehand
  std::vector<double> assigned_;            ///< per flow, over the line rate; empty: no rates
  fabric::Fabric* fabric_ = nullptr;
  std::unique_ptr<FlowProtocol> protocol_;
  std::unique_ptr<FlowSetUps> set_ups_;  ///< null: paths are known beforehand
  bool per_message_ = false;             ///< a message is a flow of the flow routing
  std::uint64_t seed_ = 1;
  bool keeps_rates_ = false;
  bool has_endless_ = false;  ///< some [[flow]] has no size
  Rate line_;
  Bytes mtu_;
  Bytes header_;
  Time warm_up_;
  std::int64_t unit_ = 0;  ///< bytes on the wire of weight 1; 0: not the same for all flows
  std::vector<std::int64_t> delivered_;  ///< per flow: bytes on the wire, after the warm-up
  std::vector<std::int64_t> in_all_;     ///< likewise, from the beginning
  std::vector<Time> last_;               ///< per flow: delivery so far
  bool phases_at_meetings_ = false;      ///< the network is divided
  std::size_t added_ = 0;                ///< phases whose sources have been added again
};

}  // namespace weir::experiment
