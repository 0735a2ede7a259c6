// Every kind of network with every routing that fits it, every switch architecture and queueing
// scheme: random traffic until all is delivered, and nothing is left behind.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/small_network.hpp"
#include "weir/routing/channel_dependency.hpp"
#include "weir/routing/fit.hpp"

namespace weir::fabric::testing::combinations_test {
namespace {

struct Network {
  const char* topology;
  const char* settings;
};

class Combinations : public ::testing::TestWithParam<Network> {};

/// 12 messages from every host at random times, of random sizes, to random hosts.
void add_traffic(Fabric& fabric) {
  const auto hosts = static_cast<std::uint32_t>(fabric.graph().host_count());
  for (std::uint32_t h = 0; h < hosts; ++h) {
    RandomStream random(5, h, StreamPurpose::test);
    std::vector<MessageRequest> messages;
    std::int64_t at = 0;
    for (int i = 0; i < 12; ++i) {
      at += static_cast<std::int64_t>(random.below(300'000));
      const auto destination = static_cast<std::uint32_t>(random.below(hosts));
      if (destination == h) continue;
      messages.push_back(
          {Time(at), HostId(destination), Bytes(1 + static_cast<std::int64_t>(random.below(450)))});
    }
    auto source = std::make_unique<ListSource>(std::move(messages));
    source->service_level = static_cast<std::uint8_t>(random.below(16));
    fabric.add_source(HostId(h), std::move(source));
  }
}

void expect_clean(Fabric& fabric) {
  fabric.check();
  EXPECT_EQ(fabric.packets_in_flight(), 0U);
  EXPECT_EQ(fabric.counters().messages_completed, fabric.counters().messages_generated);
  EXPECT_EQ(fabric.counters().acks_delivered, fabric.counters().acks_injected);
  EXPECT_EQ(fabric.core().packets.in_use(), 0U);
  EXPECT_EQ(fabric.backlog(), Bytes(0));
  fabric.for_each_stored([](PortId, const Packet&) { ADD_FAILURE() << "a packet is left"; });
  for (std::uint32_t p = 0; p < fabric.graph().port_count(); ++p) {
    if (!fabric.graph().port(PortId(p)).to.valid()) continue;
    EXPECT_EQ(fabric.port(PortId(p)).queued, 0);
    for (int b = 0; b < fabric.buffer_classes(); ++b) {
      ASSERT_EQ(fabric.stored(PortId(p), b), Bytes(0)) << fabric.graph().name(PortId(p));
      // Credits that are on their way back when the last packet arrives count as well.
      const auto at_end = fabric.core().links.credits_at(p, static_cast<std::uint16_t>(b),
                                                         std::numeric_limits<std::int64_t>::max());
      ASSERT_EQ(at_end, fabric.buffer_capacity().count) << fabric.graph().name(PortId(p));
    }
  }
}

struct Scheme {
  const char* name;
  const char* settings = "";
  bool needs_fixed = false;  ///< routes that are known beforehand
  bool takes_adapted = false;
};

struct Selection {
  const char* name;
  const char* settings = "";
  bool isolates = false;
  bool needs_voq = false;
};

constexpr Selection kSelections[] = {
    {"fixed"},
    {"random"},
    {"most-credits"},
    {"bxi"},
    {"omni-path"},
    {"adaptive-threshold", "threshold = 0.2\nisolation = \"afi\"", true},
    {"arn",
     "isolation = \"afi\"\nhigh = 0.5\nlow = 0.4\nfree = 0.4\npersistence = \"300 ns\"\n"
     "refresh = \"100 ns\"\nswitch_lifetime = \"2 us\"\nhost_lifetime = \"3 us\"\n"
     "least_gap = \"0 ns\"",
     true, true}};

constexpr Scheme kSchemes[] = {{"", "", false, true},
                               {"voqsw"},
                               {"voqsw", "flow_control = \"per-queue\"", true},
                               {"voqnet"},
                               {"dbbm", "queues = 2", false, true},
                               {"flow-hash"},
                               {"service-level"},
                               {"flow2sl", "queues = 2"},
                               {"vftree", "queues = 1"}};

/// "": one class, with virtual output queues where the selection looks at them.
std::string name_of(const Scheme& queueing, const Selection& selection) {
  if (*queueing.name != '\0') return queueing.name;
  return selection.needs_voq ? "voqsw" : "fifo";
}

TEST_P(Combinations, DeliverEverythingAndLeaveNothing) {
  const auto graph = make_topology(GetParam().topology, GetParam().settings,
                                   {gigabits_per_second(8), nanoseconds(5)});
  for (const std::string& name : routing::fitting_routings(*graph)) {
    const auto routing = make_routing(name, *graph);
    for (const Architecture architecture :
         {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
          Architecture::output_queued}) {
      for (const Selection& selection : kSelections) {
        const bool fixed = std::string(selection.name) == "fixed";
        if (selection.needs_voq && architecture == Architecture::output_queued) continue;
        if (!routing::check_dependencies(*graph, *routing, {.all_candidates = !fixed}).ok())
          continue;
        for (const Scheme& queueing : kSchemes) {
          if (queueing.needs_fixed && !fixed) continue;
          if (selection.isolates && !queueing.takes_adapted) continue;
          SCOPED_TRACE(fmt::format("{} {} {} {}", name, static_cast<int>(architecture),
                                   selection.name,
                                   name_of(queueing, selection) + queueing.settings));
          SmallNetwork net;
          Models models{graph, routing, make_selection(selection.name, selection.settings),
                        make_queueing(name_of(queueing, selection), *graph, queueing.settings)};
          net.settings.architecture = architecture;
          net.settings.speedup = 1.5;
          net.settings.voq = selection.needs_voq;
          net.settings.routing_delay = nanoseconds(11);
          net.settings.mtu = Bytes(100);
          net.settings.header = Bytes(8);
          const int classes =
              (models.queueing->classes() + (selection.isolates ? 1 : 0)) * routing->lanes();
          net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(216 * classes);
          net.settings.acks = fixed ? AckMode::in_band : AckMode::ideal;
          Fabric fabric(models, {}, net.settings, net.journal);
          add_traffic(fabric);
          try {
            ASSERT_TRUE(fabric.run_until(milliseconds(10)));
          } catch (const std::exception& error) {
            FAIL() << error.what();
          }
          expect_clean(fabric);
          if (::testing::Test::HasFailure()) return;
          if (!fixed) continue;
          for (const Delivery& d : net.journal.deliveries) ASSERT_TRUE(d.in_order);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Combinations,
    ::testing::Values(Network{"single-switch", "hosts = 5"}, Network{"two-hosts", ""},
                      Network{"line", "switches = 4\nhosts_per_switch = [2]"},
                      Network{"rlft", "ports = 4\nstages = 2"},
                      Network{"k-ary-n-tree", "k = 2\nn = 3"},
                      Network{"pgft", "children = [3, 3]\nparents = [1, 2]\nparallel = [1, 2]"},
                      Network{"modified-k-ary-n-tree", "k = 2\nn = 3"},
                      Network{"bmin-perfect-shuffle", "hosts = 16\nk = 4\nn = 2"},
                      Network{"umin-butterfly", "k = 2\nn = 3"},
                      Network{"mesh", "sizes = [3, 2]\nhosts_per_switch = 2"},
                      Network{"torus", "sizes = [4, 3]"},
                      Network{"dragonfly", "p = 1\na = 3\nh = 1"}));

}  // namespace
}  // namespace weir::fabric::testing::combinations_test
