// QCN never comes to rest: a queue at its set point that does not change makes no feedback, so that
// rates grow until it does. Period and amplitude of the cycle, against a computation of its own
// that knows of a queue, a rate and the rules only (ieee2010qau, clauses 30.2.1 and 32.15).
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <limits>

#include "reaction/reaction_fixture.hpp"
#include "weir/marking/qcn.hpp"
#include "weir/topology/graph.hpp"

namespace weir::reaction::testing::qcn_limit_cycle_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

// Seconds, bytes, bytes a second. Flows of 10 Gbps meet at a slower link.
constexpr double kLine = 1.25e9;
constexpr double kPacket = 1'500;
constexpr double kSetPoint = 26e3;
constexpr double kWeight = 2;
constexpr double kSample = 150e3;
constexpr double kBytes = 150e3;
constexpr double kTimer = 15e-3;
constexpr double kAdditive = 5e6 / 8;
constexpr double kHyper = 50e6 / 8;
constexpr int kFast = 5;
constexpr double kLeast = 10e6 / 8;

/// What a queue and the rates together were, every 10 us.
struct Trace {
  std::vector<double> queue;
  std::vector<double> rate;  ///< over the slow link
};

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double centre = mean(values);
  double sum = 0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return std::sqrt(sum / static_cast<double>(values.size()));
}

double most(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}

/// Samples from one rise through the mean to the next, where half a deviation each way does not
/// count.
double period(const std::vector<double>& values) {
  const double centre = mean(values);
  const double band = deviation(values) / 2;
  bool is_low = false;
  int rises = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] < centre - band) is_low = true;
    if (!is_low || values[i] < centre + band) continue;
    is_low = false;
    if (rises++ == 0) first = i;
    last = i;
  }
  return static_cast<double>(last - first) / (rises - 1);
}

/// The rules, packet by packet: a source sends at its rate, the link drains the queue, a sample of
/// it comes back after `loop` from when its packet was sent.
class Rules {
 public:
  Rules(std::size_t flows, double link, double loop) : link_(link), loop_(loop), flows_(flows) {
    for (std::size_t f = 0; f < flows; ++f) flows_[f].due = static_cast<double>(f) * 1e-7;
  }

  Trace run(double from, double to) {
    next_ = from;
    while (now_ < to) step();
    return std::move(trace_);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Flow {
    double rate = kLine;
    double target = kLine;
    double due = 0;
    double expiry = kNever;
    double bytes = 0;
    int byte_stage = 0;
    int time_stage = 0;
  };
  struct Message {
    double at;
    std::size_t flow;
    int severity;
  };

  static void set(Flow& flow, double rate, double now) {
    if (flow.due > now) flow.due = now + (flow.due - now) * flow.rate / rate;
    flow.rate = rate;
  }
  static void increase(Flow& flow, double now) {
    const int both = std::min(flow.byte_stage, flow.time_stage);
    const bool is_first = flow.byte_stage == 1 || flow.time_stage == 1;
    if (is_first && flow.target > 10 * flow.rate) {
      flow.target /= 8;
    } else if (both >= kFast) {
      flow.target += kHyper * (both - kFast + 1);
    } else if (std::max(flow.byte_stage, flow.time_stage) >= kFast) {
      flow.target += kAdditive;
    }
    flow.target = std::min(flow.target, kLine);
    set(flow, (flow.rate + flow.target) / 2, now);
  }
  static void cut(Flow& flow, int severity, double now) {
    if (flow.expiry == kNever || flow.byte_stage > 0) {
      flow.target = flow.rate;
      flow.bytes = kBytes;
    }
    flow.byte_stage = flow.time_stage = 0;
    flow.expiry = now + kTimer;
    set(flow, std::max(kLeast, flow.rate * (1 - severity / 128.0)), now);
  }

  /// The next message, timer or packet.
  void step() {
    const auto sends = std::min_element(flows_.begin(), flows_.end(),
                                        [](const Flow& a, const Flow& b) { return a.due < b.due; });
    const auto expires =
        std::min_element(flows_.begin(), flows_.end(),
                         [](const Flow& a, const Flow& b) { return a.expiry < b.expiry; });
    const double told = messages_.empty() ? kNever : messages_.front().at;
    if (told <= std::min(sends->due, expires->expiry)) {
      cut(flows_[messages_.front().flow], messages_.front().severity, told);
      messages_.pop_front();
    } else if (expires->expiry <= sends->due) {
      const double at = expires->expiry;
      ++expires->time_stage;
      increase(*expires, at);
      expires->expiry = at + (expires->time_stage >= kFast ? kTimer / 2 : kTimer);
    } else {
      send(*sends);
    }
  }
  /// Bytes at the link at `now`, with all of the packet that it is sending.
  [[nodiscard]] double held(double now) const {
    double packets = 0;
    for (auto it = ends_.rbegin(); it != ends_.rend() && *it > now; ++it) ++packets;
    return packets * kPacket;
  }
  /// Without that packet.
  [[nodiscard]] double waiting(double now) const { return std::max(0.0, held(now) - kPacket); }
  /// Up to `now`.
  void write(double now) {
    double sum = 0;
    for (const Flow& flow : flows_) sum += flow.rate;
    for (; next_ < now; next_ += 10e-6) {
      trace_.queue.push_back(waiting(next_));
      trace_.rate.push_back(sum / link_);
    }
  }
  void send(Flow& flow) {
    write(flow.due);
    now_ = flow.due;
    ends_.push_back(std::max(now_, ends_.empty() ? 0 : ends_.back()) + kPacket / link_);
    while (ends_.front() < now_ - 1e-3) ends_.pop_front();
    if (flow.expiry != kNever) flow.bytes -= kPacket;
    for (; flow.expiry != kNever && flow.bytes <= 0;
         flow.bytes += flow.byte_stage >= kFast ? kBytes / 2 : kBytes) {
      ++flow.byte_stage;
      increase(flow, now_);
    }
    flow.due = now_ + kPacket / flow.rate;
    left_ -= kPacket;
    if (left_ > 0) return;
    const double queue = held(now_);
    const double feedback = queue - kSetPoint + kWeight * (queue - before_);
    before_ = queue;
    const double most = kSetPoint * (1 + 2 * kWeight);
    const int severity = feedback <= 0 ? 0 : static_cast<int>(63 * std::min(1.0, feedback / most));
    left_ = kSample / (severity / 8 + 1);
    const auto index = static_cast<std::size_t>(&flow - flows_.data());
    if (severity > 0) messages_.push_back({now_ + loop_, index, severity});
  }

  double link_;
  double loop_;
  std::vector<Flow> flows_;
  std::deque<Message> messages_;
  double now_ = 0;
  std::deque<double> ends_;  ///< of packets at the link
  double before_ = 0;
  double left_ = kSample;
  Trace trace_;
  double next_ = 0;  ///< to be written
};

/// Hosts with 10 Gbps and `delay` to the switch, and one behind a slower link.
std::shared_ptr<const topology::Graph> bottleneck(std::size_t flows, Rate slow, Time delay) {
  topology::GraphBuilder builder("bottleneck");
  const SwitchId middle = builder.add_switch(flows + 1);
  for (std::size_t f = 0; f < flows; ++f)
    builder.connect(builder.add_host(), middle, f, {gigabits_per_second(10), delay});
  builder.connect(builder.add_host(), middle, flows, {slow, nanoseconds(500)});
  return std::make_shared<topology::Graph>(builder.build());
}

class CycleWatch final : public QueueWatch {
 public:
  CycleWatch(PortId port, FlowPacer& reaction, std::size_t flows, double link)
      : QueueWatch(port), reaction_(reaction), flows_(flows), link_(link) {}
  void on_delivered(const Packet&, const fabric::Message&, Time, bool) override {}
  void on_sample(const Fabric& fabric, Time now) override {
    QueueWatch::on_sample(fabric, now);
    if (now < count_from) return;
    double sum = 0;
    for (std::uint32_t f = 0; f < flows_; ++f) sum += reaction_.paced(f, now).rate * kLine;
    rates.push_back(sum / link_);
  }
  std::vector<double> rates;

 private:
  FlowPacer& reaction_;
  std::size_t flows_;
  double link_;
};

Trace simulate(std::size_t flows, Rate slow, Time delay, Architecture architecture) {
  SmallNetwork net;
  net.graph = bottleneck(flows, slow, delay);
  net.routing = "shortest-path";
  net.settings.mtu = Bytes(1'482);
  net.settings.header = Bytes(18);
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.settings.architecture = architecture;
  net.settings.speedup = 4;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2'000'000);
  net.settings.sample_period = microseconds(10);
  net.mechanisms.marker = make_marker("qcn", *net.graph, "jitter = 0.0");
  const auto reaction = make_pacer("qcn", net);
  net.mechanisms.reaction = reaction;
  CycleWatch watch(output_to(*net.graph, HostId(flows)), *reaction, flows,
                   static_cast<double>(slow.count) / 8);
  watch.count_from = milliseconds(100);
  const auto fabric = net.build(watch);
  send_to_last(*fabric, flows + 1, Bytes(148'200));
  fabric->run_until(milliseconds(300));
  return {watch.queued, watch.rates};
}

/// Both, with what a message needs: the header of a packet there, 64 B back.
struct Both {
  Trace simulated;
  Trace computed;

  Both(std::size_t flows, int slow, Time delay, Architecture architecture)
      : simulated(simulate(flows, gigabits_per_second(slow), delay, architecture)) {
    const double loop = 2e-12 * static_cast<double>(delay.count) + (18 + 64) / kLine;
    computed = Rules(flows, slow * 1.25e8, loop).run(0.1, 0.3);
  }
  void expect_rates(double tolerance) const {
    const double time = period(computed.rate);
    EXPECT_NEAR(period(simulated.rate), time, tolerance * time);
    const double swing = deviation(computed.rate);
    EXPECT_NEAR(deviation(simulated.rate), swing, tolerance * swing);
    EXPECT_NEAR(mean(simulated.rate), mean(computed.rate), 0.001);
  }
};

// A message cuts the rate by 1/128; it comes back in four or five samples of 150 KB (0.7 ms at
// 8 Gbps), in which the queue changes by a packet.
TEST(QcnLimitCycle, OneFlowNearby) {
  const Both both(1, 8, microseconds(1), Architecture::output_queued);
  both.expect_rates(0.02);
  EXPECT_NEAR(10e-6 * period(both.simulated.rate), 4.7 * kSample / 1e9, 0.05e-3);
  EXPECT_NEAR(most(both.simulated.rate), most(both.computed.rate), 1e-4);
  EXPECT_NEAR(mean(both.simulated.queue), mean(both.computed.queue), kPacket);
}

// Messages are 0.3 ms old: the rate grows far beyond the link before it falls, the queue fills to
// 30 KB and runs empty.
TEST(QcnLimitCycle, OneFlowFarAway) {
  const Both both(1, 8, microseconds(150), Architecture::output_queued);
  both.expect_rates(0.03);
  const double swing = deviation(both.computed.queue);
  EXPECT_GT(swing, 5 * kPacket);
  EXPECT_NEAR(deviation(both.simulated.queue), swing, 0.03 * swing);
  EXPECT_NEAR(most(both.simulated.queue), most(both.computed.queue), kPacket);
  EXPECT_NEAR(period(both.simulated.queue), period(both.computed.queue),
              0.03 * period(both.computed.queue));
}

// Whose packet is sampled depends on nanoseconds, so that only means agree.
TEST(QcnLimitCycle, TwoFlows) {
  const Both both(2, 10, microseconds(100), Architecture::output_queued);
  both.expect_rates(0.1);
  const double swing = deviation(both.computed.queue);
  EXPECT_NEAR(deviation(both.simulated.queue), swing, 0.2 * swing);
  EXPECT_NEAR(mean(both.simulated.queue), mean(both.computed.queue), 0.3 * kPacket);
}

// What other switches call the queue differs by the packet that is on its way through.
TEST(QcnLimitCycle, SixFlowsInOtherSwitches) {
  for (const Architecture architecture : {Architecture::cioq, Architecture::input_queued}) {
    const Both both(6, 10, microseconds(1), architecture);
    const double swing = deviation(both.computed.queue);
    EXPECT_NEAR(deviation(both.simulated.queue), swing, 0.15 * swing);
    EXPECT_NEAR(mean(both.simulated.queue), mean(both.computed.queue), kPacket);
    EXPECT_LT(most(both.simulated.queue), most(both.computed.queue) + 3 * kPacket);
  }
}

}  // namespace
}  // namespace weir::reaction::testing::qcn_limit_cycle_test
