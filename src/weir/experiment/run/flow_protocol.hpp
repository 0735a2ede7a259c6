#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/run/flow_set_ups.hpp"
#include "weir/experiment/run/protocol_calculation.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/rates/fabric_control.hpp"

namespace weir::experiment {

/// The protocol of `[protocol]` in a simulation: its control packets travel beside the data of the
/// flows, and sources send at its rates while they change. Where packets find the paths, each flow
/// (application) starts when its path is set up (all of its paths are); else at its time.
class FlowProtocol final : public SetUpListener {
 public:
  /// `network` has the routes of answers. Throws InputError at a place in the file.
  FlowProtocol(const Configuration& configuration, const Network& network,
               const RoutedFlows& flows);
  ~FlowProtocol() override;

  [[nodiscard]] std::shared_ptr<fabric::ControlTraffic> control() const { return control_; }
  /// When the flow wishes to start.
  [[nodiscard]] Time start_of(std::uint32_t flow) const {
    return starts_[protocol_->party_of(flow)];
  }
  /// Over the line rate, as it was told last.
  [[nodiscard]] double rate(std::uint32_t flow) const { return rates_[flow]; }
  /// From now on the injection scheme gets the rates; at first 0.
  void attach(fabric::Fabric& fabric, Rate line);
  /// Where packets find paths: `listener` is told when a flow wishes to start.
  void on_wish(std::function<void(std::uint32_t)> listener) {
    control_->on_wish(std::move(listener));
  }
  /// A later phase begins at `at`: its flows start then, or after their own starts from then on.
  void begin_phase(const std::vector<std::uint32_t>& flows, Time at);
  void begin(std::uint32_t flow, std::span<const rates::LinkId> path) override;
  void ride(std::uint32_t flow) override;
  void pass(std::uint32_t flow, rates::LinkId link) override { protocol_->ride(flow, link.value); }
  void turn(std::uint32_t flow) override { control_->plan_turn(flow); }
  /// Do the packets that set paths up announce flows?
  [[nodiscard]] bool rides_on_set_up() const { return rides_on_set_up_; }
  /// The data of a flow that ends is there.
  void end(std::uint32_t flow);

  /// Before the fabric is made of a run that goes on from a checkpoint.
  void expect_checkpoint() { control_->drop_plan(); }
  /// After attach().
  void checkpoint(StateArchive& state);
  /// Times and packets, the rates of all flows, and how far those that are there differ from what
  /// `algorithm` calculates for them on the paths of `set`.
  void report(metrics::RunResult& out, const rates::FlowSet& set, const std::string& algorithm,
              Time end) const;

 private:
  void plan(const Configuration& configuration, const ProtocolInput& protocol,
            const FlowList& flows);
  /// Per party, from 0. Throws InputError where a party is in several.
  [[nodiscard]] std::vector<std::size_t> phases_of_parties(const ProtocolInput& protocol,
                                                           const FlowList& flows) const;
  void share_rates(const FlowList& flows);
  void tell(std::uint32_t flow);
  /// All data of a party is there: it ends, or does so as soon as it has started.
  void finish(std::uint32_t party);
  void compare(metrics::RunResult& out, const rates::FlowSet& set,
               const std::string& algorithm) const;

  rates::ControlPlane plane_;
  std::shared_ptr<rates::FabricControl> control_;
  std::unique_ptr<rates::RateProtocol> protocol_;
  std::uint64_t seed_ = 1;
  bool waits_for_paths_ = false;
  bool ends_with_data_ = false;
  bool rides_on_set_up_ = false;
  std::vector<bool> rides_;                ///< per flow: its announcement did
  std::vector<Time> starts_;               ///< per party
  std::vector<std::uint32_t> without_;     ///< per party: flows without path
  std::vector<std::uint32_t> unfinished_;  ///< per party: flows whose data is not all there
  ConnectionList connections_;             ///< flows of one share a rate
  std::vector<double> rates_;              ///< per flow, as told
  std::vector<double> sums_;               ///< per connection
  fabric::Fabric* fabric_ = nullptr;
  double line_ = 0;
  Time began_;
};

}  // namespace weir::experiment
