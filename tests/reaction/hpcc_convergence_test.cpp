// HPCC when a flow joins others: how soon its queue is gone, and how soon it has as much as they.
// Formulas are derived here from equation 2 and algorithm 1 of li2019hpcc.
#include <gtest/gtest.h>

#include <cmath>

#include "reaction/reaction_fixture.hpp"
#include "weir/reaction/network_constants.hpp"

namespace weir::reaction::testing::hpcc_convergence_test {
namespace {

using namespace fabric;           // NOLINT(google-build-using-namespace)
using namespace fabric::testing;  // NOLINT(google-build-using-namespace)
using fabric::testing::Told;

constexpr double kTarget = 0.95;
constexpr double kPacket = 1'000;
constexpr Time kJoins = milliseconds(1);

/// Every 0.1 us from a moment before a flow joins.
class Joining final : public QueueWatch {
 public:
  Joining(PortId port, FlowPacer& reaction, std::uint32_t flows)
      : QueueWatch(port), reaction_(reaction), flows_(flows) {
    count_from = kJoins;
  }
  void on_delivered(const Packet&, const fabric::Message&, Time, bool) override {}
  void on_sample(const Fabric& fabric, Time now) override {
    QueueWatch::on_sample(fabric, now);
    if (now < count_from) return;
    old.push_back(reaction_.paced(0, now).window);
    joined.push_back(reaction_.paced(flows_ - 1, now).window);
    const Told told(reaction_, now);
    parts.push_back(told["hpcc_utilization"]);
    wholes.push_back(told.whole("hpcc_utilization"));
  }

  std::vector<double> old;     ///< window of one of the flows that were there
  std::vector<double> joined;  ///< of the one that joins
  std::vector<double> parts;   ///< of the mean U that sources calculate
  std::vector<double> wholes;

 private:
  FlowPacer& reaction_;
  std::uint32_t flows_;
};

struct Bottleneck {
  SmallNetwork net;
  std::unique_ptr<Joining> watch;
  std::unique_ptr<Fabric> fabric;
  double trip = 0;     ///< T, in samples
  double product = 0;  ///< bytes that the link sends in T

  explicit Bottleneck(std::uint32_t flows) {
    net = star(flows + 1, gigabits_per_second(100), microseconds(1));
    net.settings.mtu = Bytes(942);
    net.settings.header = Bytes(48);  // and 10 B of telemetry
    net.settings.ack_size = Bytes(54);
    net.settings.acks = AckMode::in_band;
    net.settings.architecture = Architecture::output_queued;
    net.settings.ingress_buffer = Bytes(2'000'000);
    net.settings.sample_period = nanoseconds(100);
    net.mechanisms.marker = make_marker("telemetry", *net.graph);
    const auto reaction = make_pacer("hpcc", net, "flows = " + std::to_string(flows));
    net.mechanisms.reaction = reaction;
    watch = std::make_unique<Joining>(output_to(*net.graph, HostId(flows)), *reaction, flows);
    fabric = net.build(*watch);
    const Time idle =
        idle_round_trip(*net.graph, *make_routing(net.routing, *net.graph), fabric->settings());
    trip = static_cast<double>(idle.count) / 100'000;
    product = static_cast<double>(idle.count) / 80;
    for (std::uint32_t f = 0; f < flows; ++f) {
      const Time start = f + 1 == flows ? kJoins : Time(0);
      fabric->add_source(HostId(f), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                        {start, HostId(flows), Bytes(1'000'000'000)}}));
    }
    fabric->run_until(kJoins + microseconds(500));
  }
  /// The mean U between two times, in round trips after the flow has joined.
  [[nodiscard]] double utilization(double from, double to) const {
    const auto a = static_cast<std::size_t>(from * trip);
    const auto b = static_cast<std::size_t>(to * trip);
    return (watch->parts[b] - watch->parts[a]) / (watch->wholes[b] - watch->wholes[a]);
  }
  [[nodiscard]] double mean_queue(double from, double to) const {
    const auto a = watch->queued.begin() + static_cast<std::ptrdiff_t>(from * trip);
    const auto b = watch->queued.begin() + static_cast<std::ptrdiff_t>(to * trip);
    return std::accumulate(a, b, 0.0) / static_cast<double>(b - a);
  }
};

// The new flow sends what fills the link for T, beside flows that fill it already: all of it waits.
// One T until its first ACKs are back, one until U, an average over T, is that of the queue; then
// windows are so far below what is on its way that nobody sends, and what waits is gone in one T
// more.
TEST(HpccConvergence, TheQueueOfAFlowThatJoinsIsGoneAfterAFewRoundTrips) {
  for (const std::uint32_t flows : {2U, 4U}) {
    const Bottleneck link(flows);
    const std::vector<double>& queued = link.watch->queued;
    const auto peak = std::max_element(queued.begin(), queued.end());
    EXPECT_NEAR(*peak, link.product, 0.1 * link.product);
    EXPECT_NEAR(static_cast<double>(peak - queued.begin()), 1.25 * link.trip, 0.25 * link.trip);
    const auto gone =
        std::find_if(peak, queued.end(), [](double bytes) { return bytes <= kPacket; });
    EXPECT_NEAR(static_cast<double>(gone - queued.begin()), 3.25 * link.trip, 0.75 * link.trip);
    EXPECT_GT(link.utilization(2, 3), 1.3);
    EXPECT_LT(link.utilization(5, 6), 1.0);
    EXPECT_LT(link.mean_queue(5, 10), 4 * kPacket);
    EXPECT_LT(link.mean_queue(20, 100), 2 * kPacket);
  }
}

// Once a round trip each window becomes eta / U of itself and W_AI more. Of all together that is
// S := eta S / U + N W_AI with U = S / product: S = eta product + N W_AI, here the product itself.
// A difference between two windows becomes eta / U = 1 / (1 + N W_AI / (eta product)) of itself. A
// round trip is T, what waits, and half the time between two packets of a flow. Flows see U a few
// thousandths apart, which moves a window of 15 packets by a tenth of what an update does.
TEST(HpccConvergence, WindowsBecomeEqualByAdditiveIncrease) {
  const double flows = 4;
  const Bottleneck link(4);
  const auto difference = [&](std::size_t from) {
    double sum = 0;
    for (std::size_t i = from; i < from + 300; ++i)
      sum += link.watch->joined[i] - link.watch->old[i];
    return sum / 300;
  };
  const double left = difference(4'700);
  EXPECT_LT(std::abs(left), 0.1 * link.product / kPacket / flows);
  const double updates = 1 / std::log(1 + (1 - kTarget) / kTarget);
  // In samples: a byte takes 80 ps, a flow has one packet in N.
  const double wait = (link.mean_queue(15, 35) + flows * kPacket / 2) * 80 / 100'000;
  const double expected = updates * (link.trip + wait);
  const double measured = 1'000 / std::log((difference(500) - left) / (difference(1'500) - left));
  EXPECT_NEAR(measured, expected, 0.15 * expected);
  EXPECT_NEAR(link.utilization(60, 100), 1, 0.01);
}

}  // namespace
}  // namespace weir::reaction::testing::hpcc_convergence_test
