#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "weir/base/error.hpp"
#include "weir/rates/fixed_point.hpp"
#include "weir/rates/protocols.hpp"

namespace weir::rates {

void check_weights(const ControlPlane& plane) {
  constexpr double kMost = 1 << 22;
  constexpr double kLeast = 1.0 / (1 << 20);
  constexpr double kLeastShare = 1.0 / (1 << 24);
  std::vector<double> weight(plane.link_count(), 0);
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    if (plane.weight(f) < kLeast) {
      throw InputError(
          fmt::format("flow {} has a weight of {}: {} is the least that SAA-M, which "
                      "calculates in units of 2^-40, can tell apart",
                      f, plane.weight(f), kLeast));
    }
    for (const LinkIndex l : plane.route(f)) {
      weight[l] += plane.weight(f) / plane.link(l).capacity;
      if (weight[l] <= kMost) continue;
      throw InputError(
          fmt::format("weights of more than {} on link {}: SAA-M calculates with 2^-40", kMost, l));
    }
  }
  for (FlowIndex f = 0; f < plane.flow_count(); ++f) {
    double heaviest = 0;
    for (const LinkIndex l : plane.route(f)) heaviest = std::max(heaviest, weight[l]);
    if (plane.weight(f) >= kLeastShare * heaviest) continue;
    throw InputError(
        fmt::format("flow {} has a weight of {} on a link with {} in all: a share below 2^-24 is "
                    "too small for SAA-M, which calculates in units of 2^-40",
                    f, plane.weight(f), heaviest));
  }
}

namespace {

/// Counts the packets after all flows that have started are known to their links, up to the last
/// change of the flow's rate.
class SaaM final : public BoundProtocol<SaaMProtocol<FixedPoint>> {
 public:
  SaaM(const ProtocolContext& context, const SaaMSettings& settings)
      : BoundProtocol(context, settings), before_(context.plane.flow_count(), 0) {}

  void start(std::uint32_t party) override {
    ++started_;
    is_all_in_ = false;
    BoundProtocol::start(party);
  }
  void end(std::uint32_t party) override {
    --started_;
    BoundProtocol::end(party);
  }
  void handle(ControlEvent event, std::uint32_t payload) override {
    BoundProtocol::handle(event, payload);
    if (is_all_in_ || protocol_.announced() < started_) return;
    is_all_in_ = true;
    for (FlowIndex f = 0; f < before_.size(); ++f) before_[f] = carrier_.messages_of(f);
  }
  [[nodiscard]] Time found_at(FlowIndex f) const override { return protocol_.changed_at(f); }
  [[nodiscard]] std::uint32_t messages_of(FlowIndex f) const override {
    const std::uint32_t sent = protocol_.messages_to_rate(f);
    return sent - std::min(sent, before_[f]);
  }
  void checkpoint(StateArchive& state) override {
    BoundProtocol::checkpoint(state);
    state(before_, started_, is_all_in_);
  }

 private:
  std::vector<std::uint32_t> before_;
  std::uint32_t started_ = 0;
  bool is_all_in_ = false;
};

}  // namespace

std::unique_ptr<RateProtocol> make_saa_m(const ProtocolContext& context,
                                         const SaaMSettings& settings) {
  check_weights(context.plane);
  return std::make_unique<SaaM>(context, settings);
}

const Keys<SaaMSettings>& saa_m_keys() {
  using K = SaaMSettings;
  static const Keys<K> keys{
      key(&K::idle_period, "idle_period",
          "time between probes of a flow that has found nothing to do lately"),
      key(&K::quiet_probes, "quiet_probes",
          "probes in a row without effect until a flow probes at idle_period")
          .range(1, 200),
      key(&K::backoff_min, "backoff_min",
          "shortest wait after a failed reservation, in round trips")
          .range(0, 1e6),
      key(&K::backoff_max, "backoff_max",
          "longest wait after the first failed reservation, in round trips; 0: none")
          .range(0, 1e6),
      key(&K::backoff_limit, "backoff_limit",
          "longest wait, up to which every further failure doubles it, in round trips")
          .range(0, 1e6),
      key(&K::attempts, "attempts", "failures in a row until a flow waits for a change")
          .range(1, 250)};
  return keys;
}

SaaMSettings saa_m_settings(const Checked<SaaMSettings>& given, std::uint64_t seed) {
  SaaMSettings out = *given;
  out.seed = seed;
  if (out.idle_period <= Time()) throw given.error(&SaaMSettings::idle_period, "must be positive");
  if (out.backoff_max < out.backoff_min)
    throw given.error(&SaaMSettings::backoff_max, "must not be less than backoff_min");
  return out;
}

namespace {

const Registration<ProtocolModel> kSaaMProtocol(
    protocol_registry(),
    {"saa-m", "SAA, then flows reserve and claim what is left along their paths",
     "zdornov2009, section 4.1.3", saa_m_keys().parameters()},
    {"saa-m", true, false,
     of_settings(saa_m_keys(),
                 [](const Checked<SaaMSettings>& settings, const ProtocolContext& context) {
                   return make_saa_m(context, saa_m_settings(settings, context.seed));
                 })});

}  // namespace
}  // namespace weir::rates
