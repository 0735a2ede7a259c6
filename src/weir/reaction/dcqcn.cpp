#include <cmath>
#include <cstdint>
#include <vector>

#include "weir/base/metric_registry.hpp"
#include "weir/marking/switch_marker.hpp"
#include "weir/reaction/parameters.hpp"
#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction {

namespace {

struct DcqcnSettings : StageRules {
  double gain = 1.0 / 256;                   ///< g
  Time alpha_timer = microseconds(55);       ///< K
  Time notification_gap = microseconds(50);  ///< N
};

struct DcqcnFlow : StagedFlow {
  double alpha = 1;
  std::int64_t decayed = 0;  ///< alpha is of this time
};

/// Data center quantized congestion notification. A destination that receives marked packets of a
/// flow sends a notification (CNP), at most one in `notification_gap`; where every packet has an
/// ACK, it is a bit of that. It cuts the rate of the flow by half of alpha, an average of how often
/// notifications come: each raises it, each `alpha_timer` without one lowers it.
class Dcqcn final : public StagedReaction<DcqcnFlow> {
 public:
  Dcqcn(const DcqcnSettings& settings, const fabric::ReactionContext& context)
      : StagedReaction(settings, context), settings_(settings) {}

  bool on_received(const fabric::Packet& packet, std::uint32_t index, Time now) override {
    if ((packet.flags & fabric::packet_flag::kMarks) == 0) return true;
    if (index >= notified_.size()) notified_.resize(index + index / 2 + 64, kNever);
    if (now.count < notified_[index]) return false;
    notified_[index] = now.count + settings_.notification_gap.count;
    return true;
  }

  void read(fabric::Readings& readings, Time now) const override {
    PacedReaction::read(readings, now);
    readings.count("dcqcn_notifications", static_cast<double>(notifications_));
    readings.mean("dcqcn_alpha", alphas_, notifications_);
  }
  [[nodiscard]] std::size_t memory() const override {
    return PacedReaction::memory() + notified_.capacity() * sizeof(std::int64_t);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    PacedReaction::checkpoint(state);
    state.of_flows_to(notified_, kNever);
  }
  void checkpoint_totals(fabric::TotalState& state) override {
    PacedReaction::checkpoint_totals(state);
    state.sum(notifications_, alphas_);
  }

 private:
  static constexpr std::int64_t kNever = INT64_MIN;

  void acknowledged(DcqcnFlow& flow, const fabric::Packet& notification, Time now) override {
    // Of the last packet of a flow that was set up comes an answer, marked or not.
    if ((notification.flags & fabric::packet_flag::kMarks) == 0) return;
    if (flow.stays) decay(flow, now);
    flow.stays = true;
    ++notifications_;
    alphas_.add(flow.alpha);
    cut(flow, 1 - flow.alpha / 2, now);
    flow.alpha = (1 - settings_.gain) * flow.alpha + settings_.gain;
    flow.decayed = now.count;
  }

  void decay(DcqcnFlow& flow, Time now) const {
    const std::int64_t times = (now.count - flow.decayed) / settings_.alpha_timer.count;
    flow.alpha *= std::pow(1 - settings_.gain, static_cast<double>(times));
  }

  DcqcnSettings settings_;
  std::vector<std::int64_t> notified_;  ///< per flow, at its destination: the next not before
  std::uint64_t notifications_ = 0;
  ExactSum alphas_;
};

constexpr const char* kDcqcnSource = "zhu2015dcqcn";

const MetricTable kDcqcnMetrics(
    {{"dcqcn_notifications", "", metric_form::kScalar | metric_form::kSeries, kDcqcnSource,
      "notifications (CNPs) that sources have received, whole run; series: in the bin"},
     {"dcqcn_alpha", "1", metric_form::kScalar | metric_form::kSeries, kDcqcnSource,
      "alpha, twice the share of its rate that a flow gives up, mean over the notifications in the "
      "measuring window; series: in the bin"}},
    "reaction.model = \"dcqcn\"");

Keys<DcqcnSettings> dcqcn_keys() {
  using D = DcqcnSettings;
  return Keys<D>{
      key(&D::notification_gap, "notification_gap",
          "a destination sends no notification to a flow within this time after one (N)"),
      key(&D::gain, "gain", "weight of the newest notification in alpha (g)").range(0, 1),
      key(&D::alpha_timer, "alpha_timer", "time without notification after which alpha falls (K)")}
      .with(stage_keys({.period = microseconds(55),
                        .bytes = Bytes(10'000'000),
                        .additive = 0.001,
                        .hyper = 0.01,
                        .least = 0.001}));
}

const Registration<fabric::ReactionFactory> kDcqcn(
    fabric::reaction_registry(),
    {"dcqcn",
     "a rate for each flow: a notification cuts it by a share that follows how often they come, a "
     "timer and a byte counter bring it back in stages",
     kDcqcnSource},
    dcqcn_keys(),
    [](const Checked<DcqcnSettings>& settings, const fabric::ReactionContext& context) {
      if (context.fabric.acks == fabric::AckMode::none) {
        throw InputError("host.acks",
                         "reaction.model = \"dcqcn\" reacts to notifications of marked packets; "
                         "take \"becn\", or \"in-band\" or \"ideal\", whose ACKs bring them");
      }
      if (!context.marker) {
        throw InputError("marking.model",
                         "reaction.model = \"dcqcn\" reacts to marks, but nothing marks; take "
                         "\"red\"");
      }
      const auto* marker = dynamic_cast<const marking::SwitchMarker*>(context.marker.get());
      if (marker != nullptr && (marker->name() == "qcn" || marker->name() == "telemetry")) {
        throw InputError("marking.model", "reaction.model = \"dcqcn\" reacts to marks, of which " +
                                              marker->name() + " sets none; take \"red\"");
      }
      check_stages(settings);
      if (settings->alpha_timer.count < 1)
        throw settings.error(&DcqcnSettings::alpha_timer, "must be more than 0");
      return std::make_unique<Dcqcn>(*settings, context);
    });

}  // namespace

}  // namespace weir::reaction
