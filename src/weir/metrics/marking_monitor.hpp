#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weir/base/units.hpp"
#include "weir/fabric/packet.hpp"
#include "weir/metrics/monitor.hpp"
#include "weir/metrics/time_series.hpp"
#include "weir/metrics/traffic_class.hpp"

namespace weir::metrics {

struct MarkingMonitorSettings {
  std::vector<TrafficClass> classes;
  bool has_victims = false;
  Time warm_up;
  bool detect_warm_up = false;  ///< shares are then of the bins that begin in the window
  Time bin;
};

/// Congestion marks of a run (ferrer2012, section 4.2): which delivered data packets carry them, by
/// class. When and where switches set them, the marker tells itself.
class MarkingMonitor final : public Monitor {
 public:
  explicit MarkingMonitor(const MarkingMonitorSettings& settings);

  void sample(const fabric::Fabric&, Time, Time) override {}
  [[nodiscard]] bool watches_deliveries() const override { return true; }
  [[nodiscard]] std::unique_ptr<Monitor> of_part() const override {
    return std::make_unique<MarkingMonitor>(settings_);
  }
  void add(const Monitor& part) override;
  void add_other_ranks(Ranks& ranks) override;
  void checkpoint(StateArchive& state, const fabric::Fabric& fabric) override;
  /// Constant time.
  void on_delivered(const fabric::Packet& packet, bool is_victim, Time now) override;
  /// Shares are of the measuring window.
  void report(const fabric::Fabric& fabric, Time warm_up, RunResult& result) override;

 private:
  struct Shares {
    std::int64_t packets = 0;
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t both = 0;

    using PlainState = void;

    void merge(const Shares& other);
  };
  /// Of one class, or of the victims.
  struct Record {
    TimeSeries<Shares> bins;
    Shares window;

    void merge(const Record& other);
    template <class Archive>
    void serialize(Archive& archive) {
      archive(bins, window);
    }
  };
  void report_group(const TrafficGroup& group, Time window, Time end, RunResult& result) const;

  MarkingMonitorSettings settings_;
  TimeBins bins_;
  std::vector<Record> records_;
};

}  // namespace weir::metrics
