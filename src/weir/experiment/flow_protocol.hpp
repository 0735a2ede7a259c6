#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/experiment/protocol_calculation.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"
#include "weir/rates/fabric_control.hpp"

namespace weir::experiment {

/// The protocol of `[protocol]` in a simulation: its control packets travel beside the data of the
/// flows, and sources send at its rates while they change.
class FlowProtocol {
 public:
  /// `network` has the routes of answers. Throws InputError at a place in the file.
  FlowProtocol(const Configuration& configuration, const Network& network,
               const RoutedFlows& flows);
  ~FlowProtocol();

  [[nodiscard]] std::shared_ptr<fabric::ControlTraffic> control() const { return control_; }
  /// From now on the injection scheme gets the rates; at first 0.
  void attach(fabric::Fabric& fabric, Rate line);
  /// The data of a flow that ends is there.
  void end(std::uint32_t flow);
  /// Times and packets, differences from `expected`, the rates of all flows.
  void report(metrics::RunResult& out, const rates::Assignment& expected, Time end) const;

 private:
  void tell(std::uint32_t flow);

  rates::FlowSet set_;
  rates::ControlPlane plane_;
  std::shared_ptr<rates::FabricControl> control_;
  std::unique_ptr<rates::RateProtocol> protocol_;
  bool ends_with_data_ = false;
  std::vector<std::uint32_t> pair_;        ///< per flow: flows of the same hosts share a rate
  std::vector<rates::FlowRequest> hosts_;  ///< per pair
  std::vector<double> rates_;              ///< per flow, as told
  std::vector<double> sums_;               ///< per pair
  std::vector<bool> is_over_;              ///< per flow
  fabric::Fabric* fabric_ = nullptr;
  double line_ = 0;
  Time began_;
};

}  // namespace weir::experiment
