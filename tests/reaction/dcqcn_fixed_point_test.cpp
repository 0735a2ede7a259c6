// DCQCN at rest, from its rules alone: flows share a link evenly, and the marking probability p at
// which a flow gains between two notifications what it loses at one says how long the queue is.
#include <gtest/gtest.h>

#include <cmath>

#include "fabric/test_network.hpp"

namespace weir::reaction::testing::dcqcn_fixed_point_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)

// Packets of 1,000 B at 40 Gbps; times in seconds, rates in packets a second.
constexpr double kLink = 5e6;
constexpr double kGap = 50e-6;    // N
constexpr double kTimer = 55e-6;  // T, and K
constexpr double kAdditive = 5'000;
constexpr int kFast = 5;

/// What a flow of this rate gains from one notification to the next. The next one comes a gap and
/// an exponential time of mean 1 / (p rate) after the last, so that n = floor(time / timer) stages
/// pass with P(n >= k) = r^(k - gap / timer), r = exp(-p rate timer). Stage 5 and later ones move
/// the target by kAdditive; each stage halves the distance. The byte counter, 10,000 packets, does
/// not expire. alpha rises by g (1 - alpha) at a notification and falls by g alpha n before it.
double gain(double rate, double p) {
  const double r = std::exp(-p * rate * kTimer);
  const auto at_least = [&](int k) { return k == 0 ? 1 : std::pow(r, k - kGap / kTimer); };
  double stages = 0;
  double halvings = 0;  // mean of 2^-n
  double targets = 0;   // mean increase of the target, over kAdditive
  double lag = 0;       // how much of it is not in the rate yet
  for (int n = 0; n < 2'000; ++n) {
    const double here = at_least(n) - at_least(n + 1);
    stages += here * n;
    halvings += here * std::exp2(-n);
    if (n < kFast) continue;
    targets += here * (n - kFast + 1);
    lag += here * (1 - std::exp2(kFast - 1 - n));
  }
  const double alpha = 1 / (1 + stages);
  return kAdditive * (targets - lag) - alpha / 2 * rate * halvings;
}

double queue_at_rest(double rate) {
  double low = 1e-6;
  double high = 0.5;
  for (int i = 0; i < 200; ++i) {
    const double middle = std::sqrt(low * high);
    (gain(rate, middle) > 0 ? low : high) = middle;
  }
  return 5'000 + low / 0.01 * 195'000;
}

class Queue final : public fabric::testing::Recorder {
 public:
  explicit Queue(PortId port) : port_(port) {}
  void on_sample(const Fabric& fabric, Time now) override {
    if (now < count_from) return;
    sum += static_cast<double>(fabric.port(port_).queued);
    ++samples;
  }
  double sum = 0;
  int samples = 0;

 private:
  PortId port_;
};

// With more flows the queue swings between empty and full, and its mean says nothing.
TEST(DcqcnFixedPoint, TheQueueIsWhereCutsAndIncreasesBalance) {
  for (const std::uint32_t flows : {2U, 4U}) {
    TestNetwork net;
    net.graph = make_topology("single-switch", "hosts = " + std::to_string(flows + 1),
                              {gigabits_per_second(40), nanoseconds(500)});
    net.routing = "shortest-path";
    net.settings.mtu = Bytes(952);
    net.settings.header = Bytes(48);
    net.settings.ack_size = Bytes(64);
    net.settings.acks = AckMode::becn;
    net.settings.source_queues = SourceQueueKind::per_destination;
    net.settings.architecture = Architecture::output_queued;
    net.settings.egress_buffer = Bytes(2'000'000);
    net.settings.sample_period = microseconds(2);
    const auto& red = marker_registry().find("red", {}, "marking");
    net.mechanisms.marker =
        red.make(settings_of(red.info,
                             "low_bytes = \"5 KB\"\nhigh_bytes = \"200 KB\"\nprobability = 0.01\n"
                             "weight = 1.0\nspread = \"independent\""),
                 *net.graph);
    const auto& model = reaction_registry().find("dcqcn", {}, "model");
    net.mechanisms.reaction = model.make(
        settings_of(model.info, ""),
        {net.graph, make_routing(net.routing, *net.graph), net.mechanisms.marker, net.settings});
    Queue queue{net.graph->port(net.graph->host_port(HostId(flows))).to};
    queue.count_from = milliseconds(50);
    Models models{net.graph, make_routing(net.routing, *net.graph), make_selection("fixed"),
                  make_queueing("voqsw", *net.graph)};
    Fabric fabric(models, net.mechanisms, net.settings, queue);
    for (std::uint32_t h = 0; h < flows; ++h) {
      fabric.add_source(HostId(h), std::make_unique<SaturatedSource>(
                                       std::vector<HostId>{HostId(flows)}, Bytes(95'200)));
    }
    fabric.run_until(milliseconds(150));
    const double expected = queue_at_rest(kLink / flows);
    EXPECT_NEAR(queue.sum / queue.samples, expected, 0.08 * expected) << flows;
    for (std::uint32_t h = 0; h < flows; ++h) {
      const double share = static_cast<double>(queue.bytes_from[h]) / (5e9 * 0.1);
      EXPECT_NEAR(share, 1.0 / flows, 0.1 / flows) << h << " of " << flows;
    }
  }
}

}  // namespace
}  // namespace weir::reaction::testing::dcqcn_fixed_point_test
