#pragma once

#include <memory>

#include "weir/base/ranks.hpp"
#include "weir/base/units.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/run_result.hpp"

namespace weir {
class StateArchive;
}

namespace weir::metrics {

/// Watches one side of a run from outside, sample by sample. What a mechanism knows of itself it
/// tells (Mechanism::read()); a monitor is for what takes a look at the fabric or at packets.
class Monitor {
 public:
  Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  virtual ~Monitor() = default;

  /// `period`: since the sample before.
  virtual void sample(const fabric::Fabric& fabric, Time now, Time period) = 0;
  /// The measuring window begins now; a sample may have seen this moment.
  virtual void open_window(const fabric::Fabric& fabric, Time now) { (void)fabric, (void)now; }
  /// Writes down what it found, after a last sample at the end. The measuring window has begun at
  /// `warm_up`, or at the first sample after it where it was not opened. Called once.
  virtual void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) = 0;

  /// Writes down, or reads back, what it has found so far.
  virtual void checkpoint(StateArchive& state, const fabric::Fabric& fabric) = 0;

  /// A data packet was delivered; only to who watches_deliveries().
  [[nodiscard]] virtual bool watches_deliveries() const { return false; }
  virtual void on_delivered(const fabric::Packet& packet, bool is_victim, Time now) {
    (void)packet, (void)is_victim, (void)now;
  }
  /// Of who watches deliveries: one that hears of those in a part of a divided network, and what
  /// such a one has heard is added to this one before report().
  [[nodiscard]] virtual std::unique_ptr<Monitor> of_part() const { return nullptr; }
  virtual void add(const Monitor& part) { (void)part; }
  /// And what those of other processes have heard.
  virtual void add_other_ranks(Ranks& ranks) { (void)ranks; }
  /// Something happened to a set-aside queue.
  virtual void on_set_aside(const fabric::SetAsideEvent& event) { (void)event; }
};

}  // namespace weir::metrics
