#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/paced_reaction.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

struct SwiftSettings {
  double range_from = 0.1;  ///< windows: the smallest one gets all of flow scaling,
  double range_to = 100;    ///< the largest nothing
  double increase = 1;
  double decrease = 0.8;  ///< beta
  double deepest = 0.5;   ///< max_mdf
  double least = 0.001;   ///< packets
  double most = 256;
  double base = 0;      ///< target delay without hops and flow scaling, ps
  double hop = 0;       ///< what each switch adds to it, ps
  double range = 0;     ///< most that flow scaling adds, ps
  double endpoint = 0;  ///< target of the delay at the destination, ps
  double start = 0;     ///< packets
};

/// What follows from the network where it is not given.
struct SwiftKeys : SwiftSettings {
  std::optional<Time> base_target;
  std::optional<Time> hop_target;
  std::optional<Time> scaling_range;
  std::optional<Time> endpoint_target;
  std::optional<double> start_window;
};

/// What a packet and its ACK carry.
struct SwiftStamp {
  std::int64_t sent = 0;
  std::int64_t arrived = 0;
  std::uint32_t hops = 0;
};

/// A window of its own for the fabric and for the destination; the smaller one rules.
struct SwiftWindow {
  double size = 0;
  std::int64_t cut = INT64_MIN / 4;  ///< the last time
};

struct SwiftFlow : PacedFlow {
  SwiftWindow fabric;
  SwiftWindow endpoint;
  std::int64_t gap = 0;  ///< from the start of a packet to the next one, of windows below one
};

/// Delay-based windows: the delay of each ACK is compared with a target, which grows with the
/// switches on the way and, where many flows share a link, with 1 / sqrt(window). A window below
/// one packet is paced.
class Swift final : public PacedReaction<SwiftFlow> {
 public:
  Swift(const SwiftSettings& settings, const fabric::ReactionContext& context)
      : PacedReaction(initial(settings), context),
        settings_(settings),
        packet_time_(static_cast<double>(packet_time(*context.graph, context.fabric).count)),
        slope_(settings.range /
               (1 / std::sqrt(settings.range_from) - 1 / std::sqrt(settings.range_to))) {}

  void attach(const fabric::FabricView& fabric) override {
    packets_ = fabric.packets;
    slot_ = packets_.reserve<SwiftStamp>();
  }
  /// Sources remember the time; ACKs bring the delay at the destination and the hops.
  [[nodiscard]] fabric::CarriedBytes carried() const override { return {Bytes(0), Bytes(5)}; }
  [[nodiscard]] bool has_windows() const override { return true; }

  bool on_received(const fabric::Packet& packet, std::uint32_t, Time now) override {
    SwiftStamp& stamp = packets_.record(slot_, packet);
    stamp.arrived = now.count;
    stamp.hops = packet.hops;
    return true;
  }
  void read(fabric::Readings& readings, Time now) const override {
    PacedReaction::read(readings, now);
    const ExactSum acks = ExactSum(acks_) * kPicosecondsPerSecond;
    readings.mean("swift_delay", delays_, acks);
    readings.mean("swift_target", targets_, acks);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint_totals(fabric::TotalState& state) override {
    PacedReaction::checkpoint_totals(state);
    state.sum(acks_, delays_, targets_);
  }

 private:
  static SwiftFlow initial(const SwiftSettings& settings) {
    SwiftFlow flow;
    flow.window = flow.fabric.size = flow.endpoint.size = settings.start;
    return flow;
  }

  void sent(SwiftFlow& flow, const fabric::Packet& packet, Time now) override {
    packets_.record(slot_, packet).sent = now.count;
    if (flow.gap > 0) flow.due = now.count + flow.gap;
  }

  void acknowledged(SwiftFlow& flow, const fabric::Packet& ack, Time now) override {
    const SwiftStamp& stamp = packets_.record(slot_, ack);
    const auto trip = static_cast<double>(now.count - stamp.sent);
    // Ideal ACKs leave at once.
    const double there =
        ack.injected > stamp.arrived ? static_cast<double>(ack.injected - stamp.arrived) : 0;
    const double target = target_of(flow.fabric.size, stamp.hops);
    ++acks_;
    delays_.add(trip - there);
    targets_.add(target);
    const double before = flow.window;
    move(flow.fabric, trip - there, target, trip, now);
    move(flow.endpoint, there, settings_.endpoint, trip, now);
    flow.window = std::min(flow.fabric.size, flow.endpoint.size);
    if (flow.window < before) count_cut(flow);
    // One packet in trip / window.
    flow.gap = flow.window < 1 ? bounded_wait(trip / flow.window) : 0;
    const double rate = std::min(0.999, packet_time_ * flow.window / trip);
    flow.set_rate(flow.gap > 0 ? rate : 1.0, now.count);
    if (flow.gap > 0) flow.due = flow.last + flow.gap;
    flow.stays = flow.window < settings_.start;
  }

  [[nodiscard]] double target_of(double window, std::uint32_t hops) const {
    const double scaling = slope_ * (1 / std::sqrt(window) - 1 / std::sqrt(settings_.range_to));
    return settings_.base + hops * settings_.hop + std::clamp(scaling, 0.0, settings_.range);
  }

  void move(SwiftWindow& window, double delay, double target, double trip, Time now) const {
    if (delay < target) {
      window.size += window.size >= 1 ? settings_.increase / window.size : settings_.increase;
    } else if (static_cast<double>(now.count - window.cut) >= trip) {
      window.size *=
          std::max(1 - settings_.decrease * (delay - target) / delay, 1 - settings_.deepest);
      window.cut = now.count;
    }
    window.size = std::clamp(window.size, settings_.least, settings_.most);
  }

  SwiftSettings settings_;
  double packet_time_;  ///< ps
  double slope_;        ///< alpha of flow scaling
  fabric::Packets packets_;
  fabric::RecordSlot<SwiftStamp> slot_;
  std::uint64_t acks_ = 0;
  ExactSum delays_;  ///< ps
  ExactSum targets_;
};

constexpr const char* kSwiftSource = "kumar2020swift, section 3";

const MetricTable kSwiftMetrics(
    {{"swift_delay", "s", metric_form::kScalar | metric_form::kSeries, kSwiftSource,
      "delay of a packet and its ACK in the network, mean over the ACKs in the measuring window; "
      "series: in the bin"},
     {"swift_target", "s", metric_form::kScalar | metric_form::kSeries, kSwiftSource,
      "target of this delay, mean over the same ACKs; series: in the bin"}},
    "reaction.model = \"swift\"");

SwiftSettings read_swift(const Checked<SwiftKeys>& keys, const fabric::ReactionContext& context) {
  const NetworkConstants network =
      network_constants(*context.graph, *context.routing, context.fabric);
  const auto packet = static_cast<double>(packet_time(*context.graph, context.fabric).count);
  const auto trip =
      static_cast<double>(idle_round_trip(*context.graph, *context.routing, context.fabric).count);
  SwiftSettings out = *keys;
  const bool stores = context.fabric.switching == fabric::Switching::store_and_forward;
  out.hop = in_picoseconds(keys->hop_target,
                           2 * static_cast<double>(network.hop_time.count) + (stores ? packet : 0));
  // An empty network's, without what hops count, and room for a queue of eight packets.
  out.base =
      in_picoseconds(keys->base_target, std::max(0.0, trip - network.hops * out.hop) + 8 * packet);
  out.range = in_picoseconds(keys->scaling_range, 4 * trip);
  if (out.range_from <= 0 || out.range_from >= out.range_to) {
    throw keys.error(&SwiftKeys::range_from, "must be more than 0 and less than scaling_to");
  }
  out.endpoint = in_picoseconds(keys->endpoint_target, trip);
  if (out.endpoint <= 0) throw keys.error(&SwiftKeys::endpoint_target, "must be more than 0");
  if (out.least <= 0 || out.least > out.most) {
    throw keys.error(&SwiftKeys::least, "must be more than 0, at most most_window");
  }
  out.start =
      std::clamp(keys->start_window.value_or(std::ceil(trip / packet)), out.least, out.most);
  return out;
}

Keys<SwiftKeys> swift_keys() {
  using S = SwiftKeys;
  return {
      key(&S::base_target, "base_target",
          "target delay without switches; default: of an empty network, and a queue of eight "
          "packets"),
      key(&S::hop_target, "hop_target",
          "what each switch on the way adds; default: its delay there and back"),
      key(&S::scaling_range, "scaling_range",
          "most that small windows add to the target; default: four idle round trips"),
      key(&S::range_from, "scaling_from", "window that has all of it").range(0, 1e6),
      key(&S::range_to, "scaling_to", "window from which on it is nothing").range(0, 1e6),
      key(&S::endpoint_target, "endpoint_target",
          "target of the time until a destination sends the ACK; default: an idle round trip"),
      key(&S::increase, "increase", "packets in a round trip below the target").range(0, 1'000),
      key(&S::decrease, "decrease", "share of the relative excess by which a window is cut (beta)")
          .range(0, 1),
      key(&S::deepest, "deepest_cut", "most of a window that one cut takes").range(0, 0.999),
      key(&S::least, "least_window", "smallest window, packets").range(0, 1e6),
      key(&S::most, "most_window", "largest window, packets").range(0, 1e6),
      key(&S::start_window, "start_window",
          "window of a new flow, packets; default: what its link sends in an idle round trip")
          .range(0, 1e6)};
}

const Registration<fabric::ReactionFactory> kSwift(
    fabric::reaction_registry(),
    {"swift",
     "a window for each flow that keeps the delay of its ACKs at a target; below one packet it is "
     "paced",
     kSwiftSource},
    swift_keys(), [](const Checked<SwiftKeys>& keys, const fabric::ReactionContext& context) {
      require_acks(context, "swift", Window::fixed(1));
      return std::make_unique<Swift>(read_swift(keys, context), context);
    });

}  // namespace

}  // namespace weir::reaction
