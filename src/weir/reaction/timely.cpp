#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/base/keys.hpp"
#include "weir/base/metric_registry.hpp"
#include "weir/fabric/hooks/views.hpp"
#include "weir/reaction/network_constants.hpp"
#include "weir/reaction/paced_reaction.hpp"
#include "weir/reaction/parameters.hpp"

namespace weir::reaction {

namespace {

/// Times in ps, rates over that of the link.
struct TimelySettings {
  bool is_patched = false;
  bool paces_segments = false;
  Bytes segment = Bytes(16'000);  ///< on the wire
  double additive = 0.001;        ///< delta
  double deepest = 0.5;
  double gain = 0.875;  ///< alpha
  int hyper_after = 5;
  double hyper = 5;  ///< N of hyperactive increase
  double least = 0.001;
  double low = 0;         ///< T_low
  double high = 0;        ///< T_high
  double reference = 0;   ///< RTT_ref of the patch
  double least_trip = 0;  ///< D_minRTT
  double decrease = 0;    ///< beta
  double start = 0;       ///< 0: a share of the link
};

/// What follows from the network or from the variant where it is not given.
struct TimelyKeys : TimelySettings {
  std::optional<Time> least_round_trip;
  std::optional<Time> low_threshold;
  std::optional<Time> high_threshold;
  std::optional<Time> reference_trip;
  std::optional<double> decrease_given;
  std::optional<double> start_rate;
};

/// What a source remembers of a packet.
struct TimelyStamp {
  std::int64_t begun = 0;    ///< start of what is timed: the packet, or its segment
  std::uint32_t timed = 0;   ///< bytes of that, up to the end of the packet
  std::uint32_t length = 0;  ///< bytes of the packet
};

struct TimelyFlow : PacedFlow {
  double round_trip = 0;     ///< the last sample; 0: none yet
  double difference = 0;     ///< moving average of how samples change
  std::int64_t updated = 0;  ///< time of the last sample
  std::int64_t begun = 0;    ///< start of the segment that is being sent
  std::int64_t sent = 0;     ///< bytes of it
  std::int64_t acknowledged = 0;
  std::int32_t falling = 0;  ///< samples with a negative gradient, one after another
  bool has_begun = false;
};

/// TIMELY: one sample of the round-trip time for each segment that is acknowledged, without the
/// time that its bytes take on the link of the source. Far below the thresholds the rate grows, far
/// above it falls; between them it follows the gradient of the samples, or with the patch of
/// zhu2016ecn, section 4.3, the gradient and the distance from a reference.
class Timely final : public PacedReaction<TimelyFlow> {
 public:
  Timely(const TimelySettings& settings, const fabric::ReactionContext& context)
      : PacedReaction({}, context), settings_(settings), active_(context.graph->host_count(), 0) {}

  void attach(const fabric::FabricView& fabric) override {
    packets_ = fabric.packets;
    slot_ = packets_.reserve<TimelyStamp>();
  }

  void on_generated(const fabric::Message& message, Time now) override {
    TimelyFlow& state = flow(message.flow, now);
    if (state.waiting == 0 && state.outstanding == 0) join(state, active_[message.source]++, now);
    PacedReaction::on_generated(message, now);
  }
  void on_ack(const fabric::Packet& ack, Time now) override {
    leave_with_last(ack, now);
    PacedReaction::on_ack(ack, now);
  }
  void on_lost(const fabric::Packet& ack, Time now) override {
    leave_with_last(ack, now);
    PacedReaction::on_lost(ack, now);
  }

  void check(bool is_idle) const override {
    PacedReaction::check(is_idle);
    std::uint64_t counted = 0;
    for (const std::uint32_t flows : active_) counted += flows;
    for_each_flow([&](const TimelyFlow& state) {
      if (state.waiting > 0 || state.outstanding > 0) --counted;
    });
    if (counted == 0) return;
    throw RunError("hosts count other flows than those that have something to send or no ACK");
  }

  void read(fabric::Readings& readings, Time now) const override {
    PacedReaction::read(readings, now);
    readings.mean("timely_rtt", round_trips_, ExactSum(samples_) * kPicosecondsPerSecond);
    readings.mean("timely_gradient", gradients_, samples_);
  }
  [[nodiscard]] std::size_t memory() const override {
    return PacedReaction::memory() + active_.capacity() * sizeof(std::uint32_t);
  }

  [[nodiscard]] bool has_checkpoints() const override { return true; }
  void checkpoint(fabric::NodeState& state) override {
    PacedReaction::checkpoint(state);
    state.of_host(active_);
  }
  void checkpoint_totals(fabric::TotalState& state) override {
    PacedReaction::checkpoint_totals(state);
    state.sum(samples_, round_trips_, gradients_);
  }

 private:
  /// A new flow gets the share of its link that it would have among all of its host.
  void join(TimelyFlow& state, std::uint32_t others, Time now) const {
    if (state.has_begun) return;
    state.has_begun = true;
    state.set_rate(settings_.start > 0 ? settings_.start : 1.0 / (others + 1), now.count);
  }
  void leave_with_last(const fabric::Packet& ack, Time now) {
    const TimelyFlow& state = flow(ack.message, now);
    if (state.waiting == 0 && state.outstanding == 1) --active_[ack.destination];
  }

  void sent(TimelyFlow& flow, const fabric::Packet& packet, Time now) override {
    TimelyStamp& stamp = packets_.record(slot_, packet);
    stamp = {now.count, packet.size, packet.size};
    if (!settings_.paces_segments) return;
    if (flow.sent == 0) flow.begun = now.count;
    flow.sent += packet.size;
    stamp.begun = flow.begun;
    stamp.timed = static_cast<std::uint32_t>(flow.sent);
    // Within a segment at the rate of the link.
    flow.due = now.count;
    if (flow.sent < settings_.segment.count && flow.waiting > 0) return;
    const double time = static_cast<double>(flow.sent) * ps_per_byte(packet.source);
    flow.due = flow.begun + bounded_wait(time / flow.rate);
    flow.sent = 0;
  }

  void acknowledged(TimelyFlow& flow, const fabric::Packet& ack, Time now) override {
    const TimelyStamp& stamp = packets_.record(slot_, ack);
    flow.acknowledged += stamp.length;
    const bool is_last = flow.waiting == 0 && flow.outstanding == 0;
    if (flow.acknowledged < settings_.segment.count && !is_last) return;
    flow.acknowledged = 0;
    const double wire = stamp.timed * ps_per_byte(ack.destination);
    take(flow, static_cast<double>(now.count - stamp.begun) - wire, now);
  }

  void take(TimelyFlow& flow, double round_trip, Time now) {
    const bool is_first = flow.round_trip <= 0;
    const double change = is_first ? 0 : round_trip - flow.round_trip;
    flow.difference += settings_.gain * (change - flow.difference);
    flow.round_trip = round_trip;
    const double gradient = flow.difference / settings_.least_trip;
    flow.falling = gradient < 0 ? std::min(flow.falling + 1, settings_.hyper_after) : 0;
    ++samples_;
    round_trips_.add(round_trip);
    gradients_.add(gradient);
    // Samples that follow each other faster than round trips weigh less.
    const auto passed = static_cast<double>(now.count - flow.updated);
    const double weight = is_first ? 1 : std::min(1.0, passed / settings_.least_trip);
    flow.updated = now.count;
    set(flow, flow.rate + weight * (rate_after(flow, gradient) - flow.rate), now);
  }

  /// mittal2015timely, algorithm 1; zhu2016ecn, algorithm 2.
  [[nodiscard]] double rate_after(const TimelyFlow& flow, double gradient) const {
    const double round_trip = flow.round_trip;
    if (round_trip < settings_.low) return flow.rate + settings_.additive;
    if (round_trip > settings_.high) {
      return flow.rate * (1 - settings_.decrease * (1 - settings_.high / round_trip));
    }
    if (settings_.is_patched) {
      const double falls = std::clamp(2 * gradient + 0.5, 0.0, 1.0);
      const double error = round_trip / settings_.reference - 1;
      return settings_.additive * (1 - falls) +
             flow.rate * (1 - settings_.decrease * falls * error);
    }
    if (gradient > 0) return flow.rate * (1 - settings_.decrease * gradient);
    const bool is_hyper = flow.falling >= settings_.hyper_after;
    return flow.rate + settings_.additive * (is_hyper ? settings_.hyper : 1);
  }

  void set(TimelyFlow& flow, double rate, Time now) {
    const double least = std::max(settings_.least, flow.rate * (1 - settings_.deepest));
    const double bounded = std::clamp(rate, least, 1.0);
    if (bounded < flow.rate) count_cut(flow);
    flow.set_rate(bounded, now.count);
  }

  TimelySettings settings_;
  std::vector<std::uint32_t> active_;  ///< per host: flows with something to send or without ACK
  fabric::Packets packets_;
  fabric::RecordSlot<TimelyStamp> slot_;
  std::uint64_t samples_ = 0;
  ExactSum round_trips_;  ///< ps
  ExactSum gradients_;
};

constexpr const char* kTimelySource = "mittal2015timely, section 4; zhu2016ecn, section 4";

const MetricTable kTimelyMetrics(
    {{"timely_rtt", "s", metric_form::kScalar | metric_form::kSeries, kTimelySource,
      "round-trip time without the time that bytes take on the link of the source, mean over the "
      "samples in the measuring window; series: in the bin"},
     {"timely_gradient", "1", metric_form::kScalar | metric_form::kSeries, kTimelySource,
      "moving average of how this time changes from sample to sample, over the least round trip, "
      "mean over the same samples; series: in the bin"}},
    "reaction.model = \"timely\"");

/// Published for links of 10 Gbps with round trips of 20 us: 50 and 500 us. What is beyond the
/// round trip is a queue, of as many bytes at every rate.
constexpr double kLowQueue = 37'500;
constexpr double kHighQueue = 600'000;

using TimelyFile = Checked<TimelyKeys>;

void read_times(const TimelyFile& file, const fabric::ReactionContext& context,
                TimelySettings& out) {
  const auto blamed = [&](std::optional<Time> TimelyKeys::*first,
                          std::optional<Time> TimelyKeys::*otherwise) {
    return (*file).*first ? first : otherwise;
  };
  using TK = TimelyKeys;
  const Time packet = packet_time(*context.graph, context.fabric);
  const Time trip = idle_round_trip(*context.graph, *context.routing, context.fabric);
  const double byte_time = static_cast<double>(packet.count) /
                           static_cast<double>((context.fabric.mtu + context.fabric.header).count);
  out.least_trip =
      in_picoseconds(file->least_round_trip, static_cast<double>((trip - packet).count));
  if (out.least_trip <= 0) throw file.error(&TK::least_round_trip, "must be more than 0");
  out.low = in_picoseconds(file->low_threshold, out.least_trip + kLowQueue * byte_time);
  out.high = in_picoseconds(file->high_threshold, out.least_trip + kHighQueue * byte_time);
  if (out.low >= out.high) {
    throw file.error(blamed(&TK::low_threshold, &TK::high_threshold),
                     "low_threshold must be less than high_threshold");
  }
  out.reference = in_picoseconds(file->reference_trip, out.low);
  if (out.is_patched && out.reference <= 0) {
    throw file.error(blamed(&TK::reference_trip, &TK::low_threshold),
                     "the patch compares round trips with it: must be more than 0");
  }
}

void check_variant(const TimelyFile& file) {
  const auto refuse = [&](auto member, const char* variant) {
    if (file.is_given(member)) {
      throw file.error(member, std::string("means nothing with variant = \"") + variant + "\"");
    }
  };
  if (!file->is_patched) return refuse(&TimelyKeys::reference_trip, "original");
  refuse(&TimelyKeys::hyper_after, "patched");
  refuse(&TimelyKeys::hyper, "patched");
}

TimelySettings read_timely(const TimelyFile& file, const fabric::ReactionContext& context) {
  check_variant(file);
  TimelySettings out = *file;
  read_times(file, context, out);
  const auto check_positive = [&](auto member, double value) {
    if (value <= 0) throw file.error(member, "must be more than 0");
  };
  check_positive(&TimelyKeys::segment, static_cast<double>(out.segment.count));
  check_positive(&TimelyKeys::least, out.least);
  if (file->start_rate) check_positive(&TimelyKeys::start_rate, *file->start_rate);
  out.decrease = file->decrease_given.value_or(out.is_patched ? 0.008 : 0.8);
  out.start = file->start_rate.value_or(0);
  return out;
}

Keys<TimelyKeys> timely_keys() {
  using TK = TimelyKeys;
  return {
      choice(&TK::is_patched, "variant",
             "between the thresholds: original, the gradient alone; patched, the gradient weighs "
             "an increase against a decrease by the distance from 'reference'",
             {{"original", false}, {"patched", true}}),
      choice(&TK::paces_segments, "pacing",
             "what goes at the rate of the flow: packet, every packet; segment, segments, whose "
             "packets go at the rate of the link",
             {{"packet", false}, {"segment", true}}),
      key(&TK::segment, "segment", "bytes of a flow, on the wire, of which one sample is taken"),
      key(&TK::least_round_trip, "least_round_trip",
          "to which gradients are related (D_minRTT); default: what a sample is in an empty "
          "network, on the longest default route"),
      key(&TK::low_threshold, "low_threshold",
          "below it a rate grows whatever the gradient (T_low); default: least_round_trip and a "
          "queue of 37.5 KB"),
      key(&TK::high_threshold, "high_threshold",
          "above it a rate falls whatever the gradient (T_high); default: least_round_trip and a "
          "queue of 600 KB"),
      key(&TK::reference_trip, "reference",
          "round trip below which the patch raises rates (RTT_ref); default: low_threshold"),
      key(&TK::additive, "additive",
          "what a rate grows by at a sample, over that of the link (delta)")
          .range(0, 1),
      key(&TK::decrease_given, "decrease",
          "share of the gradient, of the excess or of the error by which a rate falls (beta); "
          "default: 0.8, patched 0.008")
          .range(0, 1),
      key(&TK::deepest, "deepest_cut", "most of a rate that one sample takes").range(0, 0.999),
      key(&TK::gain, "gain", "weight of the newest change in its moving average (alpha)")
          .range(0, 1),
      key(&TK::hyper_after, "hyper_after",
          "samples with a negative gradient, one after another, from which on the increase is "
          "hyperactive")
          .range(1, 1'000'000),
      key(&TK::hyper, "hyper_factor", "how much larger it is then (N)").range(1, 1'000),
      key(&TK::start_rate, "start_rate",
          "rate of a new flow, over that of the link; default: one part in as many as the host has "
          "flows that send")
          .range(0, 1),
      key(&TK::least, "least_rate", "lowest rate of a flow, over its link's").range(0, 1)};
}

const Registration<fabric::ReactionFactory> kTimely(
    fabric::reaction_registry(),
    {"timely",
     "a rate for each flow that follows the gradient of its round-trip times, sampled once a "
     "segment",
     kTimelySource},
    timely_keys(), [](const TimelyFile& file, const fabric::ReactionContext& context) {
      require_acks(context, "timely", Window::fixed(1));
      return std::make_unique<Timely>(read_timely(file, context), context);
    });

}  // namespace

}  // namespace weir::reaction
