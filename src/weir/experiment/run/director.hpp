#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weir/experiment/config/until.hpp"
#include "weir/experiment/run/flow_traffic.hpp"
#include "weir/experiment/run/reservation_watch.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/metrics/recorder.hpp"
#include "weir/traffic/progress.hpp"
#include "weir/workload/entry.hpp"
#include "weir/workload/players.hpp"

namespace weir {
class StateArchive;
}

namespace weir::experiment {

/// Passes everything on to the recorder, and stops the fabric when sources are due or a workload
/// may go on. Of a divided network it hears late: then DividedDirector does what is due.
class Director final : public fabric::Observer {
 public:
  Director(metrics::Recorder& recorder, FlowTraffic& flows, ReservationWatch& reservations,
           std::vector<traffic::HostSource>& sources, std::vector<workload::Workload> workloads,
           const std::optional<LastMessage>& last);

  void attach(fabric::Fabric& fabric) { fabric_ = &fabric; }
  /// Somebody else does what is due.
  void only_watch() { only_watches_ = true; }

  void on_generated(const fabric::Message& message, Time now) override;
  void on_refused(HostId source, const fabric::MessageRequest& request,
                  std::uint8_t traffic_class) override;
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override;
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override;
  void on_message_complete(const fabric::Message& message, Time now) override;
  void on_lost(const fabric::Packet& packet, const fabric::Message& message, PortId port,
               Time now) override;
  void on_sample(const fabric::Fabric& fabric, Time now) override {
    recorder_.on_sample(fabric, now);
  }
  void on_set_aside(const fabric::SetAsideEvent& event) override { recorder_.on_set_aside(event); }
  [[nodiscard]] bool tells_flows_apart() const override { return recorder_.tells_flows_apart(); }
  [[nodiscard]] fabric::Observer* of_part(std::size_t number, std::size_t parts,
                                          fabric::Observer& in_order) override {
    return recorder_.of_part(number, parts, in_order);
  }

  /// Between two instants: writes down how far all is, of several processes the first one does; or
  /// reads it and adds sources that had begun to the fabric, which is read after that.
  void checkpoint(StateArchive& state);
  /// Does what is due now; false when nothing was.
  bool step();
  /// Starts the sources that are due.
  void start_sources();
  [[nodiscard]] traffic::Progress& progress() { return progress_; }
  [[nodiscard]] workload::Players& players() { return players_; }
  [[nodiscard]] std::optional<LastMessage>& last() { return last_; }
  /// What `until = { delivered = .. }` waits for has arrived.
  [[nodiscard]] bool has_last() const { return last_ && last_->is_over(); }

 private:
  void count(std::uint8_t traffic_class) {
    if (!only_watches_ && last_ && last_->count(traffic_class)) fabric_->stop();
  }

  metrics::Recorder& recorder_;
  FlowTraffic& flows_;
  ReservationWatch& reservations_;
  traffic::Progress progress_;
  workload::Players players_;
  std::optional<LastMessage> last_;
  fabric::Fabric* fabric_ = nullptr;
  std::vector<std::uint64_t> phases_at_starts_;  ///< of flows, each time that sources began
  bool is_due_ = false;
  bool only_watches_ = false;
};

}  // namespace weir::experiment
