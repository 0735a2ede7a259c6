#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "isolation/counters_of.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/fabric/fabric.hpp"
#include "weir/fabric/hooks/isolation.hpp"
#include "weir/metrics/recorder.hpp"

namespace weir::experiment {

/// What an isolation mechanism did, by names: sides are "sw1[3] in", "sw1[3] out", "h5 out".
struct SetAsideNote {
  Time at;
  std::string side;
  std::string root;
  std::uint32_t hops = 0;
  fabric::SetAsideEvent::Kind kind = fabric::SetAsideEvent::allocated;
};

/// One case of an experiment in experiments/lippens2010/trees, run until it is drained and watched
/// from within: the congestion trees of the tracker, every event of the isolation mechanism, and
/// its lines at every sample.
class TreeRun final : private fabric::Observer {
 public:
  using Names = std::set<std::string>;
  using Kind = fabric::SetAsideEvent::Kind;

  /// `experiment`: file name without ending.
  TreeRun(const std::string& experiment, const std::string& case_name);

  /// Of the tracker: roots in the samples of [from, to].
  [[nodiscard]] Names roots(Time from, Time to) const;
  /// Sample in which this output is a root for the first time.
  [[nodiscard]] std::optional<Time> first_root(const std::string& root) const;
  /// The tree of this root at the sample `at`; null: none.
  [[nodiscard]] const metrics::TreeRecord* tree(const std::string& root, Time at) const;
  /// Branches of the tree at this distance from the root, at the sample `at`.
  [[nodiscard]] Names branches(const std::string& root, Time at, int depth) const;
  /// Delivered payload of a class as a share of 8 Gbps, over the bins within [from, to].
  [[nodiscard]] double rate(const std::string& traffic, Time from, Time to) const;

  /// Sides with a set-aside queue for `root` in a sample of [from, to], so many links from its
  /// switch.
  [[nodiscard]] Names sides(const std::string& root, Time from, Time to,
                            std::optional<std::uint32_t> hops = {}) const;
  /// Roots for which there is a set-aside queue in [from, to], however short its life was.
  [[nodiscard]] Names line_roots(Time from, Time to) const;
  /// Events of a kind.
  [[nodiscard]] std::vector<SetAsideNote> notes(Kind kind) const;
  /// First of them for this root, at this side ("": at any).
  [[nodiscard]] std::optional<Time> first(Kind kind, const std::string& root,
                                          const std::string& side = "") const;
  [[nodiscard]] std::optional<Time> last(Kind kind, const std::string& root,
                                         const std::string& side) const;

  [[nodiscard]] bool has_isolation() const { return fabric_->isolation() != nullptr; }
  [[nodiscard]] const isolation::SetAsideCounters& counters() const {
    return isolation::counters_of(*fabric_->isolation());
  }
  [[nodiscard]] bool is_drained() const { return is_drained_; }
  [[nodiscard]] const metrics::RunResult& result() const { return result_; }
  [[nodiscard]] const Network& network() const { return *network_; }

 private:
  struct Sample {
    Time at;
    std::vector<fabric::SetAsideLine> lines;
  };

  void build(const Configuration& configuration);
  [[nodiscard]] std::string side_name(fabric::Side side) const;

  void on_generated(const fabric::Message& message, Time now) override {
    recorder_->on_generated(message, now);
  }
  void on_injected(const fabric::Packet& packet, const fabric::Message& message) override {
    recorder_->on_injected(packet, message);
  }
  void on_delivered(const fabric::Packet& packet, const fabric::Message& message, Time now,
                    bool in_order) override {
    recorder_->on_delivered(packet, message, now, in_order);
  }
  void on_message_complete(const fabric::Message& message, Time now) override {
    recorder_->on_message_complete(message, now);
  }
  void on_sample(const fabric::Fabric& fabric, Time now) override;
  void on_set_aside(const fabric::SetAsideEvent& event) override { events_.push_back(event); }

  std::shared_ptr<const Network> network_;
  std::unique_ptr<metrics::Recorder> recorder_;
  std::unique_ptr<fabric::Fabric> fabric_;
  std::vector<fabric::SetAsideEvent> events_;
  std::vector<Sample> samples_;
  metrics::RunResult result_;
  bool is_drained_ = false;
};

inline Time us(double value) { return Time(static_cast<std::int64_t>(value * 1e6)); }

/// Expects a time in us, so much later at most: packets have to come first. They are no fluid,
/// either: two packets and a round trip earlier is as good.
void expect_at(const std::optional<Time>& at, double expected, double later);

/// Every packet was delivered, in order, and nothing is left of any set-aside queue: each that was
/// taken was given back, and at no side was more than one for the same root at a time (C8, C10,
/// C11).
void expect_all_released(const TreeRun& run);

inline std::string case_test_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  std::erase(name, ' ');
  return name;
}

}  // namespace weir::experiment
