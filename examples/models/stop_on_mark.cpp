#include <algorithm>
#include <unordered_map>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/hooks/reaction.hpp"

namespace weir::reaction {

namespace {

struct StopOnMarkSettings {
  Time length = microseconds(10);
};

/// A marked ACK stops its flow for a time; another one meanwhile begins it anew.
class StopOnMark final : public fabric::Reaction {
 public:
  StopOnMark(Time length, std::shared_ptr<const fabric::Marker> marker)
      : length_(length), marker_(std::move(marker)) {}

  Time may_inject(const fabric::Message& message, Time now) override {
    const auto stopped = until_.find(message.flow);
    return stopped == until_.end() ? now : std::max(now, stopped->second);
  }
  void on_injected(const fabric::Message&, const fabric::Packet&, Time) override {}
  void on_ack(const fabric::Packet& ack, Time now) override {
    if (marker_->classify(ack.flags) != fabric::FlowHeat::hot) return;
    until_[ack.message] = now + length_;  // of an ACK: its flow
    ++stops_;
  }
  void read(fabric::Readings& readings, Time) const override {
    readings.count("stops_on_mark", static_cast<double>(stops_));
  }

 private:
  Time length_;
  std::shared_ptr<const fabric::Marker> marker_;
  std::unordered_map<std::uint32_t, Time> until_;  ///< by flow
  std::uint64_t stops_ = 0;
};

const MetricTable kStopOnMarkMetrics(
    {{"stops_on_mark", "", metric_form::kScalar | metric_form::kSeries, "A. N. Author 2026",
      "times that a marked ACK stopped its flow, whole run; series: in the bin"}},
    "reaction.model = \"stop-on-mark\"");

const Registration<fabric::ReactionFactory> kStopOnMark(
    fabric::reaction_registry(),
    {"stop-on-mark", "a marked ACK stops its flow for a time", "A. N. Author 2026, section 3"},
    Keys<StopOnMarkSettings>{
        key(&StopOnMarkSettings::length, "length", "how long a flow is stopped")},
    [](const Checked<StopOnMarkSettings>& settings, const fabric::ReactionContext& context) {
      if (context.marker == nullptr) {
        throw InputError("reaction.model", "'stop-on-mark' needs a marking.model: who marks?");
      }
      return std::make_unique<StopOnMark>(settings->length, context.marker);
    });

}  // namespace

}  // namespace weir::reaction
