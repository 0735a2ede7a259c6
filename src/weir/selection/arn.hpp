#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "weir/fabric/hooks/selection.hpp"
#include "weir/selection/congestion_detector.hpp"
#include "weir/selection/notification_table.hpp"

namespace weir::selection {

/// What hosts consume, where diverted packets are isolated.
enum class HostMarks : std::uint8_t {
  none,
  own_link,          ///< what is about their own link's far end
  adapted_roots_too  ///< and about roots further up, if they are of adapted ones
};

/// Keys of adaptive routing notifications.
struct ArnSettings : DetectorSettings {
  bool isolates = false;
  bool keeps_adapted_roots = true;  ///< a root whose responsible packet is adapted gets an entry
  HostMarks host_marks = HostMarks::own_link;
  Time switch_lifetime = milliseconds(3);
  Time host_lifetime = milliseconds(10);
  Time failure_lifetime = milliseconds(1000);  ///< of entries about links that are down
  Time least_gap = microseconds(10);  ///< between notifications of one entry through one port
  Bytes bytes{64};                    ///< of a notification on the wire
  std::size_t most_entries = 0;       ///< in a switch's table; 0: no limit
};

/// Totals of a run, of notifications and roots.
struct NotificationCounters {
  std::uint64_t roots = 0;  ///< declared
  std::uint64_t roots_now = 0;
  std::uint64_t roots_max = 0;  ///< at a time
  double root_time = 0;         ///< integral of roots_now over time, ps
  std::uint64_t sent = 0;       ///< over links
  std::uint64_t bytes_sent = 0;
  std::uint64_t entries_made = 0;  ///< in switches
  std::uint64_t consumed = 0;      ///< of these, those for which another output was taken
  std::uint64_t host_entries_made = 0;
  std::uint64_t evicted = 0;  ///< entries that made room for others
};

/// Entries in notification tables, now.
struct NotificationLoad {
  std::uint64_t entries = 0;   ///< in switches
  std::uint64_t consumed = 0;  ///< of these
  std::uint64_t most = 0;      ///< at one switch
  std::uint64_t host_entries = 0;
};

/// Adaptive routing notifications (rocher2021, sections 3.3 and 3.5). A switch that
/// holds an output for the root of a congestion tree remembers who is responsible, and answers
/// packets of that flow with a notification to where they came from. The one it concerns diverts
/// the flow; others pass it on, in turn when its packets come by.
///
/// Where all switches have stages, a notification is for one stage: the switch's own when it is
/// about an output up, the one below when it is about an output down, hosts being stage 0.
/// Elsewhere it is for the first switch that has another output for the packet at hand.
///
/// A link that is down has the same effect as a root at its output, at once and for every packet
/// that would take it; packets that are diverted for that reason are not adapted.
class Arn final : public fabric::SelectionFunction, private CongestionDetector::Listener {
 public:
  explicit Arn(const ArnSettings& settings);

  [[nodiscard]] fabric::Selected select(fabric::SelectionView& view) override;
  [[nodiscard]] bool follows_default() const override { return true; }
  [[nodiscard]] bool isolates() const override { return settings_.isolates; }
  [[nodiscard]] bool watches_queues() const override { return true; }
  void attach(const fabric::FabricView& fabric) override;
  void on_queued(std::uint32_t port, std::uint16_t out, std::uint16_t buffer) override {
    detector_.on_queued(port, out, buffer);
  }
  void on_removed(std::uint32_t port, std::uint16_t out, std::uint16_t buffer) override {
    detector_.on_removed(port, out, buffer);
  }
  void on_control(PortId port, const fabric::ControlMessage& message) override;
  void on_timer(std::uint32_t port, std::uint32_t what) override { detector_.on_timer(port, what); }
  [[nodiscard]] bool adapts_at_host(std::uint32_t host, std::uint32_t destination,
                                    std::uint16_t scheme_class) override;
  void check(bool) const override { detector_.check(); }
  [[nodiscard]] bool works_in_parts() const override { return true; }
  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override;
  void checkpoint_totals(fabric::TotalState& state) override;
  /// A switch does not notify through a cable whose other direction is down, which its far end may
  /// alone know.
  [[nodiscard]] bool bears_failures_in_parts() const override { return false; }
  void read(fabric::Readings& readings, Time now) const override;
  [[nodiscard]] NotificationCounters counters() const;
  [[nodiscard]] NotificationLoad load() const;
  [[nodiscard]] std::size_t memory() const override;

  [[nodiscard]] const CongestionDetector& detector() const { return detector_; }
  /// What a node (hosts come first, then switches) knows.
  [[nodiscard]] const NotificationTable& table(NodeId node) const { return tables_[node.index()]; }

 private:
  void on_root(std::uint32_t port, const fabric::Packet& packet, std::uint32_t id) override;
  void on_root_refreshed(std::uint32_t port, std::uint32_t id) override;

  /// What a switch has to know when the link of a packet's default output is down.
  void learn_failure(const fabric::SelectionView& view, std::uint16_t scheme_class);
  /// The link of that output works (again).
  void forget_failure(NotificationTable& table, std::uint32_t port, std::uint32_t destination,
                      std::uint16_t scheme_class);
  /// Another one where the link of the output that packets take instead is down.
  void replace_failed_alternative(std::uint32_t node, NotificationTable::Entry& entry,
                                  fabric::SelectionView& view);
  [[nodiscard]] std::uint8_t info_of(std::uint32_t port) const;
  /// The notification is meant for the stage of that switch.
  [[nodiscard]] bool is_for(std::uint32_t node, const Notification& about) const;
  [[nodiscard]] bool has_failed(const NotificationTable& table, std::uint32_t destination,
                                std::uint16_t port) const;
  void process(std::uint32_t node, const Notification& about);
  void consume_at_host(std::uint32_t host, const Notification& about);
  /// Takes, of `allowed`, the output with most credit that the entry is not about; nothing happens
  /// where there is none.
  void try_consume(std::uint32_t node, NotificationTable::Entry& entry,
                   std::span<const routing::Candidate> allowed);
  void notify(std::uint32_t in_port, NotificationTable::Entry& entry);
  [[nodiscard]] bool is_up(std::uint32_t port) const;

  ArnSettings settings_;
  CongestionDetector detector_;
  fabric::Clock clock_;
  fabric::Ports ports_;
  fabric::OutputLinks links_;
  fabric::Buffers buffers_;
  fabric::ControlMessages messages_;
  fabric::SelectionCalls calls_;
  const topology::Graph* graph_ = nullptr;
  const routing::RoutingFunction* routing_ = nullptr;
  bool has_stages_ = false;
  std::vector<NotificationTable> tables_;  ///< per node
  std::vector<RandomStream> random_;       ///< per switch, for ties
  routing::CandidateList candidates_;
  routing::CandidateList others_;
  NotificationCounters counters_;
};

}  // namespace weir::selection
