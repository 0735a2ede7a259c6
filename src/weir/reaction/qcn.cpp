#include <algorithm>
#include <cstdint>

#include "weir/base/metric_registry.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/marking/qcn.hpp"
#include "weir/reaction/parameters.hpp"
#include "weir/reaction/staged_rate.hpp"

namespace weir::reaction {

namespace {

struct QcnSettings : StageRules {
  double gain = 1.0 / 128;  ///< of one unit of feedback
  double deepest = 0.5;     ///< most that one message takes from the rate
};

/// Reaction point of quantized congestion notification: a message from a switch (marking.model =
/// "qcn") cuts the rate of the flow in proportion to its feedback.
class Qcn final : public StagedReaction<StagedFlow> {
 public:
  Qcn(const QcnSettings& settings, const fabric::ReactionContext& context)
      : StagedReaction(settings, context), settings_(settings) {}

  void on_control(PortId, const fabric::ControlMessage& message) override {
    const auto feedback = message.as<marking::QcnFeedback>();
    const Time now = clock_.now();
    StagedFlow& state = flow(feedback.flow, now);
    ++messages_;
    feedback_ += feedback.severity;
    cut(state, 1 - std::min(settings_.deepest, settings_.gain * feedback.severity), now);
  }
  void attach(const fabric::FabricView& fabric) override {
    clock_ = fabric.clock;
    auto& point = dynamic_cast<marking::CongestionPoint&>(*fabric.mechanisms.marker);
    point.tell(*this);
  }

  void read(fabric::Readings& readings, Time now) const override {
    PacedReaction::read(readings, now);
    readings.count("qcn_messages", static_cast<double>(messages_));
    readings.mean("qcn_feedback", feedback_, messages_);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint_totals(fabric::TotalState& state) override {
    PacedReaction::checkpoint_totals(state);
    state.sum(messages_, feedback_);
  }
  void checkpoint_message(fabric::NodeState& state, std::uint32_t host,
                          fabric::ControlMessage& message) override {
    auto feedback = message.as<marking::QcnFeedback>();
    state.flow_of(host, feedback.flow);
    state(feedback.severity);
    if (state.is_reading()) message = {*this, feedback};
  }

 private:
  QcnSettings settings_;
  fabric::Clock clock_;
  std::uint64_t messages_ = 0;
  std::uint64_t feedback_ = 0;
};

constexpr const char* kQcnSource = "ieee2010qau";

const MetricTable kQcnMetrics(
    {{"qcn_messages", "", metric_form::kScalar | metric_form::kSeries, kQcnSource,
      "congestion notification messages that sources have received, whole run; series: in the "
      "bin"},
     {"qcn_feedback", "1", metric_form::kScalar | metric_form::kSeries, kQcnSource,
      "quantized feedback, 1 to 63, mean over the messages in the measuring window; series: in the "
      "bin"}},
    "reaction.model = \"qcn\"");

Keys<QcnSettings> qcn_keys() {
  using Q = QcnSettings;
  return Keys<Q>{
      key(&Q::gain, "gain", "share of the rate that one unit of feedback takes (G_d)").range(0, 1),
      key(&Q::deepest, "deepest_cut", "largest share of the rate that one message takes")
          .range(0, 0.999)}
      .with(stage_keys({.period = milliseconds(15),
                        .bytes = Bytes(150'000),
                        .additive = 0.0005,
                        .hyper = 0.005,
                        .least = 0.001,
                        .halves_later = true,
                        .is_hyper_early = true,
                        .shrinks_target = true,
                        .keeps_target = true}));
}

const Registration<fabric::ReactionFactory> kQcn(
    fabric::reaction_registry(),
    {"qcn",
     "a rate for each flow: messages from switches (marking.model = \"qcn\") cut it by as much as "
     "they say, a timer and a byte counter bring it back in stages",
     kQcnSource},
    qcn_keys(), [](const Checked<QcnSettings>& settings, const fabric::ReactionContext& context) {
      if (dynamic_cast<const marking::CongestionPoint*>(context.marker.get()) == nullptr) {
        throw InputError("marking.model",
                         "reaction.model = \"qcn\" reacts to what switches send it, which is "
                         "marking.model = \"qcn\"");
      }
      check_stages(settings);
      return std::make_unique<Qcn>(*settings, context);
    });

}  // namespace

}  // namespace weir::reaction
