// How long a message takes alone: by hand, against the simulation of one message, and as a bound of
// what messages take together.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "random_network.hpp"
#include "support/small_network.hpp"
#include "weir/fabric/message_timing.hpp"
#include "weir/routing/trace.hpp"

namespace weir::fabric::testing::message_timing_test {
namespace {

using random_network::number;
using random_network::one_of;

/// A line of switches with links of the given rates in bits per second, from host 0 to host 1.
topology::Graph line(const std::vector<Rate>& rates) {
  topology::GraphBuilder builder("line");
  const HostId a = builder.add_host();
  const HostId b = builder.add_host();
  std::vector<SwitchId> switches;
  for (std::size_t s = 0; s + 1 < rates.size(); ++s) switches.push_back(builder.add_switch(2));
  constexpr std::int64_t kDelays[] = {3, 11, 5, 2};  // ns
  const auto spec = [&](std::size_t link) {
    return topology::LinkSpec{rates[link], nanoseconds(kDelays[link % 4])};
  };
  builder.connect(a, switches.front(), 0, spec(0));
  for (std::size_t s = 0; s + 1 < switches.size(); ++s) {
    builder.connect(switches[s], 1, switches[s + 1], 0, spec(s + 1));
  }
  builder.connect(b, switches.back(), 1, spec(rates.size() - 1));
  return builder.build();
}

topology::Graph uneven_line() {
  return line({gigabits_per_second(40), gigabits_per_second(8), gigabits_per_second(80),
               gigabits_per_second(16)});
}

FabricSettings basic(Switching switching) {
  FabricSettings settings;
  settings.switching = switching;
  settings.routing_delay = nanoseconds(5);
  settings.crossbar_delay = nanoseconds(7);
  settings.mtu = Bytes(1'000);
  return settings;
}

MessageTiming timing_of(const topology::Graph& graph, const std::string& routing, HostId from,
                        HostId to, const FabricSettings& settings) {
  return {graph, routing::trace(graph, *make_routing(routing, graph), from, to), settings};
}

// Packets of 1000, 1000 and 500 B. Cut-through: they start on the four links at 0, 200, 400; 15,
// 1015, 2015; 938, 1938, 2488; 955, 1955, 2505 ns; the last takes 250 + 2 ns. Store-and-forward: 0,
// 200, 400; 215, 1215, 2215; 1238, 2238, 2738; 1355, 2355, 2855 ns.
TEST(MessageTiming, ThreePacketsOverUnevenLinksByHand) {
  const topology::Graph graph = uneven_line();
  const auto time = [&](Switching switching) {
    return timing_of(graph, "shortest-path", HostId(0), HostId(1), basic(switching))
        .time(Bytes(2'500));
  };
  EXPECT_EQ(time(Switching::cut_through), nanoseconds(2'757));
  EXPECT_EQ(time(Switching::store_and_forward), nanoseconds(3'107));
}

// The ideal is that of the network without mechanisms: what they add to packets is their cost.
TEST(MessageTiming, LeavesOutWhatMechanismsCarry) {
  const topology::Graph graph = uneven_line();
  FabricSettings plain = basic(Switching::cut_through);
  plain.header = Bytes(20);
  FabricSettings carrying = plain;
  carrying.carried_data = Bytes(42);
  carrying.header = Bytes(62);
  const auto time = [&](const FabricSettings& settings) {
    return timing_of(graph, "shortest-path", HostId(0), HostId(1), settings).time(Bytes(9'999));
  };
  EXPECT_EQ(time(carrying), time(plain));
  FabricSettings longer = plain;
  longer.header = Bytes(62);
  EXPECT_GT(time(longer), time(plain));
}

TEST(MessageTiming, IsUnknownWithoutARoute) {
  EXPECT_FALSE(MessageTiming().is_known());
  const topology::Graph graph = uneven_line();
  routing::Route lost;
  lost.channels.push_back({graph.host_port(HostId(0)), 0});
  lost.end = routing::RouteEnd::loop;
  EXPECT_FALSE(MessageTiming(graph, lost, FabricSettings()).is_known());
}

/// Remembers how long messages took.
class Completions : public Observer {
 public:
  struct One {
    HostId source;
    HostId destination;
    Bytes bytes;
    Time time;
  };
  void on_message_complete(const Message& m, Time now) override {
    all.push_back(
        {HostId(m.source), HostId(m.destination), Bytes(m.bytes), now - Time(m.generated)});
  }
  std::vector<One> all;
};

Models models_of(const std::shared_ptr<const topology::Graph>& graph, const std::string& routing,
                 const FabricSettings& settings) {
  return {graph, make_routing(routing, *graph), make_selection("fixed"),
          make_queueing(one_class(settings), *graph)};
}

struct Case {
  Architecture architecture;
  Switching switching;
};

class LoneMessage : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static FabricSettings settings() {
    FabricSettings settings = basic(GetParam().switching);
    settings.architecture = GetParam().architecture;
    settings.header = Bytes(26);
    return settings;
  }

  /// One packet and less, one byte more, some, many.
  static void expect_predicted(const std::shared_ptr<const topology::Graph>& graph,
                               const std::string& routing, HostId from, HostId to,
                               const FabricSettings& settings) {
    const MessageTiming timing = timing_of(*graph, routing, from, to, settings);
    for (const std::int64_t bytes : {1, 999, 1'000, 1'001, 2'500, 3'000, 20'001, 150'000}) {
      Completions seen;
      Fabric fabric(models_of(graph, routing, settings), {}, settings, seen);
      std::vector<MessageRequest> one{{nanoseconds(100), to, Bytes(bytes)}};
      fabric.add_source(from, std::make_unique<ListSource>(one));
      EXPECT_TRUE(fabric.run_until(milliseconds(10)));
      ASSERT_EQ(seen.all.size(), 1U);
      EXPECT_EQ(seen.all[0].time, timing.time(Bytes(bytes)))
          << bytes << " B from host " << from.value << " to host " << to.value;
    }
  }
};

// On the same leaf, and over 3 and 5 switches.
TEST_P(LoneMessage, TakesThePredictedTimeAcrossATree) {
  const auto graph =
      make_topology("rlft", "ports = 6\nstages = 3", {gigabits_per_second(100), nanoseconds(30)});
  for (const int to : {1, 3, 10, 53}) {
    expect_predicted(graph, "d-mod-k", HostId(0), HostId(to), settings());
  }
}

// Slower, faster, and rates at which a byte takes no whole number of picoseconds, both ways.
TEST_P(LoneMessage, TakesThePredictedTimeOverUnequalLinks) {
  const auto rate = [](std::int64_t gbps) { return gigabits_per_second(gbps); };
  const std::vector<std::vector<Rate>> lines{{rate(40), rate(8), rate(80), rate(16)},
                                             {rate(100), rate(25), rate(7), rate(3), rate(100)},
                                             {rate(7), rate(10), rate(10), rate(40)}};
  for (const double speedup : {1.0, 1.5, 2.0}) {
    for (const std::vector<Rate>& rates : lines) {
      const auto graph = std::make_shared<const topology::Graph>(line(rates));
      FabricSettings here = settings();
      here.speedup = speedup;
      expect_predicted(graph, "shortest-path", HostId(0), HostId(1), here);
      expect_predicted(graph, "shortest-path", HostId(1), HostId(0), here);
    }
  }
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  static const char* const kNames[] = {"iq", "iqSingle", "cioq", "oq"};
  return std::string(kNames[static_cast<int>(info.param.architecture)]) +
         (info.param.switching == Switching::cut_through ? "CutThrough" : "StoreAndForward");
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, LoneMessage,
    ::testing::Values(Case{Architecture::input_queued, Switching::cut_through},
                      Case{Architecture::input_queued, Switching::store_and_forward},
                      Case{Architecture::input_queued_single, Switching::cut_through},
                      Case{Architecture::input_queued_single, Switching::store_and_forward},
                      Case{Architecture::cioq, Switching::cut_through},
                      Case{Architecture::cioq, Switching::store_and_forward},
                      Case{Architecture::output_queued, Switching::cut_through},
                      Case{Architecture::output_queued, Switching::store_and_forward}),
    case_name);

FabricSettings any_settings() {
  FabricSettings s;
  s.architecture = one_of({Architecture::input_queued, Architecture::input_queued_single,
                           Architecture::cioq, Architecture::output_queued});
  s.switching = number(0, 2) == 0 ? Switching::store_and_forward : Switching::cut_through;
  s.speedup = one_of({1.0, 1.3, 2.0});
  s.mtu = Bytes(one_of({100, 256}));
  s.header = Bytes(one_of({0, 20}));
  s.routing_delay = nanoseconds(one_of({0, 5}));
  s.crossbar_delay = nanoseconds(one_of({0, 40}));
  return s;
}

/// Buffers of 2 to 40 packets in each of `classes`.
void bound_buffers(FabricSettings& s, int classes) {
  s.ingress_buffer = (s.mtu + s.header) * number(2, 40) * classes;
  s.egress_buffer = (s.mtu + s.header) * number(2, 40) * classes;
}

std::vector<MessageRequest> any_messages(std::uint32_t from, std::size_t hosts) {
  std::vector<MessageRequest> list;
  std::int64_t at = 0;
  for (int count = number(0, 6); count > 0; --count) {
    at += std::int64_t{1'000} * number(0, 300);
    const auto to = static_cast<std::uint32_t>(number(0, static_cast<int>(hosts) - 1));
    if (to != from) list.push_back({Time(at), HostId(to), Bytes(number(1, 3'000))});
  }
  return list;
}

// No message is faster than alone, whatever the network, the switches and the traffic.
RC_GTEST_PROP(MessageTiming, NothingIsFasterThanAlone, ()) {
  const random_network::Sample sample = random_network::any_network();
  const topology::Graph& graph = *sample.graph;
  FabricSettings settings = any_settings();
  bound_buffers(settings, make_routing(sample.routing, graph)->lanes());
  Completions seen;
  Fabric fabric(models_of(sample.graph, sample.routing, settings), {}, settings, seen);
  std::size_t count = 0;
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto list = any_messages(h, graph.host_count());
    count += list.size();
    fabric.add_source(HostId(h), std::make_unique<ListSource>(list));
  }
  RC_ASSERT(fabric.run_until(milliseconds(1'000)));
  RC_ASSERT(seen.all.size() == count);
  for (const Completions::One& one : seen.all) {
    const MessageTiming timing =
        timing_of(graph, sample.routing, one.source, one.destination, settings);
    RC_ASSERT(one.time >= timing.time(one.bytes));
  }
}

// Alone, with buffers that hold a round trip, each takes just the ideal time.
RC_GTEST_PROP(MessageTiming, AMessageAloneIsAsFastAsAlone, ()) {
  const random_network::Sample sample = random_network::any_network();
  const auto hosts = static_cast<int>(sample.graph->host_count());
  const HostId from(number(0, hosts - 1));
  const HostId to((static_cast<int>(from.value) + number(1, hosts - 1)) % hosts);
  const FabricSettings settings = any_settings();
  const Bytes bytes(number(1, 20'000));
  Completions seen;
  Fabric fabric(models_of(sample.graph, sample.routing, settings), {}, settings, seen);
  fabric.add_source(
      from, std::make_unique<ListSource>(std::vector<MessageRequest>{{nanoseconds(7), to, bytes}}));
  RC_ASSERT(fabric.run_until(milliseconds(1'000)));
  RC_ASSERT(seen.all.size() == 1U);
  RC_ASSERT(seen.all[0].time ==
            timing_of(*sample.graph, sample.routing, from, to, settings).time(bytes));
}

}  // namespace
}  // namespace weir::fabric::testing::message_timing_test
