#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/marking/telemetry.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/paced_reaction.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

using marking::HopTelemetry;
using marking::PathTelemetry;

struct HpccSettings {
  double target = 0.95;  ///< eta
  int stages = 5;        ///< maxStage
  double least_rate = 0.001;
  double additive = 0;    ///< W_AI, packets
  double start = 0;       ///< W_init, packets: what a link sends in a round trip
  double round_trip = 0;  ///< T, ps
};

/// What the rest follows from.
struct HpccKeys : HpccSettings {
  std::int64_t flows = 10;  ///< N
  std::optional<Time> given_trip;
};

struct HpccFlow : PacedFlow {
  double reference = 0;    ///< W_c
  double utilization = 1;  ///< U; a flow starts as if it had its path alone
  std::int32_t stage = 0;  ///< incStage
  std::uint32_t next_sequence = 0;
  std::uint32_t update_after = 0;  ///< an ACK from this sequence on sets the reference
  PathTelemetry path;              ///< L, of the last ACK
};

/// High precision congestion control: from what switches have written into a packet
/// (marking.model = "telemetry") its source calculates how much of each link on the way is used,
/// and sets its window so that the fullest one is used to `target`.
class Hpcc final : public PacedReaction<HpccFlow> {
 public:
  Hpcc(const HpccSettings& settings, const marking::Telemetry& telemetry,
       const fabric::ReactionContext& context)
      : PacedReaction(initial(settings), context), settings_(settings), telemetry_(telemetry) {}

  [[nodiscard]] bool has_windows() const override { return true; }
  void read(fabric::Readings& readings, Time now) const override {
    PacedReaction::read(readings, now);
    readings.mean("hpcc_utilization", utilizations_, acks_);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint_totals(fabric::TotalState& state) override {
    PacedReaction::checkpoint_totals(state);
    state.sum(acks_, utilizations_);
  }

 private:
  static HpccFlow initial(const HpccSettings& settings) {
    HpccFlow flow;
    flow.window = flow.reference = settings.start;
    return flow;
  }

  /// A packet may go beyond the window, or windows between one packet and two would be one.
  [[nodiscard]] bool is_window_full(const HpccFlow& flow) const override {
    return flow.outstanding >= flow.window;
  }
  void sent(HpccFlow& flow, const fabric::Packet& packet, Time) override {
    flow.next_sequence = packet.sequence + 1;
  }

  void acknowledged(HpccFlow& flow, const fabric::Packet& ack, Time now) override {
    const PathTelemetry& path = telemetry_.of(ack);
    if (is_same_path(flow.path, path)) {
      // It was overtaken by one that knew more.
      if (path.hop[0].time <= flow.path.hop[0].time) return;
      measure(flow, path);
      const double before = flow.rate;
      set_window(flow, ack.sequence >= flow.update_after, now);
      if (flow.rate < before) count_cut(flow);
    }
    flow.path = path;
  }

  /// What two packets say can be compared.
  static bool is_same_path(const PathTelemetry& one, const PathTelemetry& other) {
    return one.hops == other.hops &&
           std::equal(
               one.hop.begin(), one.hop.begin() + one.hops, other.hop.begin(),
               [](const HopTelemetry& a, const HopTelemetry& b) { return a.port == b.port; });
  }

  /// Equation 2 and lines 1 to 9 of algorithm 1.
  void measure(HpccFlow& flow, const PathTelemetry& path) {
    double most = 0;
    double span = settings_.round_trip;
    for (std::uint32_t i = 0; i < path.hops; ++i) {
      const HopTelemetry& now = path.hop[i];
      const HopTelemetry& before = flow.path.hop[i];
      const auto passed = static_cast<double>(now.time - before.time);
      if (passed <= 0) continue;
      const auto sent = static_cast<double>(now.bytes_sent - before.bytes_sent);
      const double queue = std::min(now.queued, before.queued);
      const double byte_time = now.ps_per_byte;
      const double used = queue * byte_time / settings_.round_trip + sent * byte_time / passed;
      if (used <= most) continue;
      most = used;
      span = passed;
    }
    const double weight = std::min(span, settings_.round_trip) / settings_.round_trip;
    flow.utilization += weight * (most - flow.utilization);
    ++acks_;
    utilizations_.add(flow.utilization);
  }

  /// Lines 10 to 27 of algorithm 1.
  void set_window(HpccFlow& flow, bool sets_reference, Time now) {
    const double over = flow.utilization / settings_.target;
    double window = flow.reference + settings_.additive;
    if (over >= 1 || flow.stage >= settings_.stages) {
      window = flow.reference / over + settings_.additive;
      if (sets_reference) flow.stage = 0;
    } else if (sets_reference) {
      ++flow.stage;
    }
    window = std::clamp(window, settings_.start * settings_.least_rate, settings_.start);
    if (sets_reference) {
      flow.reference = window;
      flow.update_after = flow.next_sequence;
    }
    flow.window = window;
    flow.set_rate(window / settings_.start, now.count);
  }

  HpccSettings settings_;
  const marking::Telemetry& telemetry_;
  std::uint64_t acks_ = 0;
  ExactSum utilizations_;
};

constexpr const char* kHpccSource = "li2019hpcc, section 3";

const MetricTable kHpccMetrics(
    {{"hpcc_utilization", "1", metric_form::kScalar | metric_form::kSeries, kHpccSource,
      "how much of the fullest link on its way a source thinks is used, mean over the ACKs in the "
      "measuring window; series: in the bin"}},
    "reaction.model = \"hpcc\"");

HpccSettings read_hpcc(const Checked<HpccKeys>& keys, const fabric::ReactionContext& context) {
  fabric::FabricSettings fabric = context.fabric;
  const fabric::CarriedBytes carried = context.marker->carried();
  fabric.header += carried.data;
  fabric.ack_size += carried.ack;
  if (keys->target <= 0) throw keys.error(&HpccKeys::target, "must be more than 0");
  if (keys->least_rate <= 0) throw keys.error(&HpccKeys::least_rate, "must be more than 0");
  const Time trip = keys->given_trip ? *keys->given_trip
                                     : idle_round_trip(*context.graph, *context.routing, fabric);
  if (trip.count <= 0) throw keys.error(&HpccKeys::given_trip, "must be more than 0");
  HpccSettings out = *keys;
  out.round_trip = static_cast<double>(trip.count);
  out.start = std::max(
      1.0, out.round_trip / static_cast<double>(packet_time(*context.graph, fabric).count));
  out.additive = out.start * (1 - out.target) / static_cast<double>(keys->flows);
  return out;
}

Keys<HpccKeys> hpcc_keys() {
  using H = HpccKeys;
  return {key(&H::target, "target", "share of the fullest link that is used (eta)").range(0, 1),
          key(&H::stages, "stages",
              "round trips of additive increase before the window is set by the utilization again "
              "(maxStage)")
              .range(0, 1'000),
          key(&H::flows, "flows",
              "flows that one link is expected to have: all of them together grow by what the "
              "target leaves (N)")
              .range(1, 1'000'000),
          key(&H::given_trip, "round_trip",
              "of the largest packet and its ACK in an empty network (T); default: on the longest "
              "default route"),
          key(&H::least_rate, "least_rate", "lowest rate of a flow, over its link's").range(0, 1)};
}

const Registration<fabric::ReactionFactory> kHpcc(
    fabric::reaction_registry(),
    {"hpcc",
     "a window and a rate for each flow, from what switches say of the links on the way "
     "(marking.model = \"telemetry\")",
     kHpccSource},
    hpcc_keys(), [](const Checked<HpccKeys>& keys, const fabric::ReactionContext& context) {
      const auto* telemetry = dynamic_cast<const marking::Telemetry*>(context.marker.get());
      if (telemetry == nullptr) {
        throw InputError("marking.model",
                         "reaction.model = \"hpcc\" reads what switches write into packets, "
                         "which is marking.model = \"telemetry\"");
      }
      require_acks(context, "hpcc", Window::fixed(1));
      return std::make_unique<Hpcc>(read_hpcc(keys, context), *telemetry, context);
    });

}  // namespace

}  // namespace weir::reaction
