// Hot loops have a form for runs with nothing in their switches but queues, links and credits, and
// one for switches of at most 64 ports: both do what the general form does.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "random_network.hpp"
#include "support/small_network.hpp"

namespace weir::fabric::testing::plain_run_test {
namespace {

using random_network::any_network;
using random_network::number;
using random_network::one_of;

/// A mechanism that does nothing: a run with it is not plain.
class Bystander : public Marker {};

/// Poisson messages of all sizes, half of them to host 0; every third host of `has_loops` is a
/// closed loop, which makes its next message when there is room.
class Mixed : public MessageSource {
 public:
  Mixed(std::uint32_t host, std::uint32_t hosts, double gap, bool has_loops)
      : random_(7, host, StreamPurpose::test),
        host_(host),
        hosts_(hosts),
        gap_(gap),
        is_loop_(has_loops && host % 3 == 1) {}
  [[nodiscard]] bool closed_loop() const override { return is_loop_; }
  std::optional<MessageRequest> next(Time now) override {
    const double step_in_time = random_.exponential(gap_);
    // A full queue may have held it up.
    at_ = std::max(is_loop_ ? at_ : at_ + step_in_time, static_cast<double>(now.count));
    if (at_ > 4e7) return std::nullopt;
    const auto step = 1 + static_cast<std::uint32_t>(random_.below(hosts_ - 1));
    const bool is_hot = host_ != 0 && random_.unit() < 0.5;
    return MessageRequest{Time(static_cast<std::int64_t>(at_)),
                          HostId(is_hot ? 0 : (host_ + step) % hosts_),
                          Bytes(static_cast<std::int64_t>(1 + random_.below(4'000)))};
  }

 private:
  RandomStream random_;
  std::uint32_t host_;
  std::uint32_t hosts_;
  double gap_;
  bool is_loop_;
  double at_ = 0;
};

struct Outcome {
  bool was_plain = false;
  std::uint64_t fingerprint = 0;
  std::uint64_t events = 0;
  std::uint64_t hops = 0;
  std::uint64_t ties = 0;
  std::uint64_t refused = 0;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>> deliveries;
  std::vector<std::int64_t> waits;  ///< per port
};

Outcome run(SmallNetwork& net, double gap, bool has_loops = false) {
  net.journal = {};
  const auto fabric = net.build();
  const auto hosts = static_cast<std::uint32_t>(net.graph->host_count());
  for (std::uint32_t h = 0; h < hosts; ++h)
    fabric->add_source(HostId(h), std::make_unique<Mixed>(h, hosts, gap, has_loops));
  EXPECT_TRUE(fabric->run_until(milliseconds(50)));
  const Counters& counters = fabric->counters();
  Outcome outcome{fabric->core().is_plain,
                  fabric->fingerprint(),
                  counters.events,
                  counters.packet_hops,
                  counters.ties,
                  counters.messages_refused,
                  {},
                  {}};
  for (const Delivery& d : net.journal.deliveries) {
    outcome.deliveries.emplace_back(d.source.value, d.destination.value, d.sequence,
                                    d.delivered.count);
  }
  std::sort(outcome.deliveries.begin(), outcome.deliveries.end());
  for (std::uint32_t p = 0; p < net.graph->port_count(); ++p)
    outcome.waits.push_back(fabric->port(PortId(p)).waiting.count);
  return outcome;
}

Architecture any_architecture() {
  return one_of({Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
                 Architecture::output_queued});
}

RC_GTEST_PROP(PlainRun, DoesWhatTheGeneralFormDoes, ()) {
  SmallNetwork net;
  const auto sample = any_network();
  net.graph = sample.graph;
  net.routing = sample.routing;
  const int lanes = make_routing(net.routing, *net.graph)->lanes();
  net.settings.architecture = any_architecture();
  net.settings.voq = number(0, 3) != 0;
  net.settings.switching =
      number(0, 1) == 0 ? Switching::cut_through : Switching::store_and_forward;
  net.settings.speedup = one_of({1.0, 1.3, 2.0});
  net.settings.matching_iterations = number(1, 2);
  net.settings.mtu = Bytes(1'000);
  net.settings.ingress_buffer = Bytes(lanes * one_of({1'100, 2'500, 9'000}));
  net.settings.egress_buffer = Bytes(lanes * one_of({1'100, 4'000}));
  net.settings.header = Bytes(one_of({0, 20}));
  net.settings.routing_delay = nanoseconds(one_of({0, 20}));
  net.settings.acks = one_of({AckMode::none, AckMode::in_band});
  net.settings.backlog = one_of({Bytes::max(), Bytes(6'000)});
  net.settings.when_full = one_of({WhenFull::wait, WhenFull::discard});
  const double gap = one_of({3e5, 1e6, 4e6});
  const bool has_loops = number(0, 1) == 1;
  const Outcome plain = run(net, gap, has_loops);
  net.mechanisms.marker = std::make_shared<Bystander>();
  const Outcome general = run(net, gap, has_loops);
  RC_ASSERT(plain.was_plain == (lanes == 1));
  RC_ASSERT(!general.was_plain);
  RC_ASSERT(plain.deliveries == general.deliveries);
  RC_ASSERT(plain.fingerprint == general.fingerprint);
  RC_ASSERT(plain.events == general.events);
  RC_ASSERT(plain.hops == general.hops);
  RC_ASSERT(plain.ties == general.ties);
  RC_ASSERT(plain.refused == general.refused);
  RC_ASSERT(plain.waits == general.waits);
}

/// Three switches in a row with four hosts each, on the lowest ports of as many as are said.
std::shared_ptr<const topology::Graph> row_of_switches(std::size_t ports) {
  const topology::LinkSpec link{gigabits_per_second(8), nanoseconds(30)};
  topology::GraphBuilder builder("row");
  std::vector<SwitchId> switches;
  for (int s = 0; s < 3; ++s) switches.push_back(builder.add_switch(ports));
  for (std::size_t s = 0; s < switches.size(); ++s) {
    for (std::size_t h = 0; h < 4; ++h) builder.connect(builder.add_host(), switches[s], h, link);
    if (s > 0) builder.connect(switches[s - 1], 5, switches[s], 4, link);
  }
  return std::make_shared<topology::Graph>(builder.build());
}

TEST(PlainRun, SwitchesWithMoreThan64PortsDoWhatThoseWithFewerDo) {
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq}) {
    for (const bool is_plain : {true, false}) {
      SmallNetwork net;
      net.routing = "shortest-path";
      net.settings.architecture = architecture;
      net.settings.mtu = Bytes(1'000);
      net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(2'500);
      if (!is_plain) net.mechanisms.marker = std::make_shared<Bystander>();
      net.graph = row_of_switches(8);
      const Outcome few = run(net, 1e6);
      net.graph = row_of_switches(100);
      const Outcome many = run(net, 1e6);
      EXPECT_EQ(few.was_plain, is_plain);
      EXPECT_EQ(few.deliveries, many.deliveries);
      EXPECT_EQ(few.events, many.events);
      EXPECT_GT(few.deliveries.size(), 500U);
    }
  }
}

}  // namespace
}  // namespace weir::fabric::testing::plain_run_test
