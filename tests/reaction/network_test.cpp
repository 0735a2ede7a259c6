// Reactions in networks: round trips, marks that come back, flows of one host.
#include <gtest/gtest.h>

#include <algorithm>

#include "reaction/reaction_fixture.hpp"

namespace weir::fabric::testing {
namespace {

std::shared_ptr<Reaction> make_reaction(const std::string& name, const std::string& toml,
                                        const SmallNetwork& net) {
  const auto& model = reaction_registry().find(name, {}, "model");
  return model.make(
      settings_of(model.info, toml),
      {net.graph, make_routing(net.routing, *net.graph), net.mechanisms.marker, net.settings});
}

void use_marker(SmallNetwork& net, const std::string& name, const std::string& toml) {
  const auto& model = marker_registry().find(name, {}, "marking");
  net.mechanisms.marker = model.make(settings_of(model.info, toml), *net.graph);
}

/// Switches and packets of ferrer2012, section 5.3.1; one cycle is 1 ns.
SmallNetwork thesis_network(const std::string& bmin) {
  SmallNetwork net;
  net.graph = make_topology("bmin-perfect-shuffle", bmin, {Rate(8'000'000'000), nanoseconds(1)});
  net.routing = "turnaround";
  net.settings.architecture = Architecture::cioq;
  net.settings.speedup = 2;
  net.settings.mtu = Bytes(256);
  net.settings.header = net.settings.ack_size = Bytes(22);
  net.settings.routing_delay = net.settings.crossbar_delay = nanoseconds(1);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(1'112);
  net.settings.source_queues = SourceQueueKind::per_destination;
  net.settings.acks = AckMode::in_band;
  return net;
}

double share_of_link(const Journal& journal, Time end) {
  return static_cast<double>(journal.deliveries.size()) * 278 / (to_seconds(end) * 1e9);
}

// ferrer2012, section 6.2.2 P5. A host's own link counts here: the round trip is 356 ns.
TEST(ReactionNetwork, OneFlowAloneFillsItsLinkWithTheWindowOfTheFormula) {
  for (const auto& [window, share] : {std::pair("window = 1", 278.0 / 356), std::pair("", 1.0)}) {
    SmallNetwork net = thesis_network("hosts = 512\nk = 4\nn = 5");
    net.mechanisms.reaction = make_reaction("dynamic-window", window, net);
    auto fabric = net.build();
    fabric->add_source(HostId(0), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(511), Bytes(1 << 20)}}));
    fabric->run_until(microseconds(200));
    EXPECT_NEAR(share_of_link(net.journal, microseconds(200)), share, 0.005) << window;
  }
}

TEST(ReactionNetwork, NotificationsComeForMarkedPacketsOnly) {
  SmallNetwork net = thesis_network("hosts = 16\nk = 4\nn = 2");
  net.settings.acks = AckMode::becn;
  use_marker(net, "opm", "threshold = 0.5");
  net.mechanisms.reaction =
      make_reaction("congestion-control-table", "timer = \"5 us\"\nslot = \"1 us\"", net);
  auto fabric = net.build();
  for (const std::uint32_t h : {0U, 1U, 2U}) {
    fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                      {Time(0), HostId(9), Bytes(64'000)}}));
  }
  EXPECT_TRUE(fabric->run_until(milliseconds(50)));
  const Counters& counters = fabric->counters();
  EXPECT_EQ(counters.packets_delivered, 750U);
  EXPECT_GT(counters.acks_injected, 0U);
  EXPECT_LT(counters.acks_injected, 750U);
  EXPECT_EQ(counters.acks_delivered, counters.acks_injected);
  EXPECT_EQ(Told(*fabric->reaction())["delay_increases"],
            static_cast<double>(counters.acks_injected));
  EXPECT_GT(Told(*fabric->reaction())["packets_held"], 0);
}

/// Seven hosts send to one, and one of them to another host as well.
struct HotSpot {
  explicit HotSpot(const std::string& model, const std::string& toml = "") {
    net = thesis_network("hosts = 16\nk = 4\nn = 2");
    use_marker(net, "mvpm", "");
    if (!model.empty()) net.mechanisms.reaction = make_reaction(model, toml, net);
    fabric = net.build();
    for (const std::uint32_t h : {0U, 1U, 2U, 4U, 5U, 6U, 7U}) {
      std::vector<MessageRequest> messages{{Time(0), HostId(9), Bytes(256 * 400)}};
      if (h == 0) messages.push_back({Time(0), HostId(12), Bytes(256 * 200)});
      fabric->add_source(HostId(h), std::make_unique<ListSource>(std::move(messages)));
    }
  }
  /// When the flow to `destination` was through.
  [[nodiscard]] Time end_of(std::uint32_t destination) const {
    Time last;
    for (const Delivery& d : net.journal.deliveries) {
      if (d.destination == HostId(destination)) last = std::max(last, d.delivered);
    }
    return last;
  }
  SmallNetwork net;
  std::unique_ptr<Fabric> fabric;
};

TEST(ReactionNetwork, EveryReactionDeliversEverything) {
  const std::pair<const char*, const char*> all[] = {
      {"static-window", ""},
      {"dynamic-window", ""},
      {"dynamic-window", "recovery = \"progressive\"\nwait_from = \"injection\""},
      {"dynamic-window", "window_kind = \"none\""},
      {"dynamic-window", "fractional = true"},
      {"dynamic-window", "slots = \"off\"\nwindow = 4"},
      {"dynamic-window", "slots = \"linear\"\nempty = \"injected\""},
      {"lipd", "window = 1"},
      {"lipd", "recovery = \"elapsed-time\""},
      {"aimd", "start = \"full\""},
      {"fimd", ""},
      {"fimd", "recovery = \"elapsed-time\"\nstart = \"full\""},
      {"pipd", "rate_unit = 1000.0"},
      {"congestion-control-table", "hot_spot_degree = 3\nrecover_by_acks = true"},
      {"congestion-control-table", "timer = \"10 us\"\nscope = \"service-level\""},
      {"by-service-level", "parts = [{ service_levels = [0], model = \"fimd\" }]"}};
  for (const auto& [model, toml] : all) {
    SCOPED_TRACE(std::string(model) + " " + toml);
    HotSpot run(model, toml);
    EXPECT_TRUE(run.fabric->run_until(milliseconds(1000)));
    run.fabric->check();
    EXPECT_EQ(run.fabric->counters().packets_delivered, 3'000U);
    EXPECT_EQ(run.fabric->counters().acks_delivered, 3'000U);
  }
}

// Three hosts send to one, or one alone.
TEST(ReactionNetwork, SaysWhenNothingIsEverMarked) {
  const auto told = [](const std::string& marker, const std::string& reaction, int senders) {
    SmallNetwork net = thesis_network("hosts = 16\nk = 4\nn = 2");
    use_marker(net, "opm", marker);
    net.mechanisms.reaction = make_reaction(reaction, "", net);
    auto fabric = net.build();
    const std::vector<std::string> before = fabric->reaction()->notes();
    for (int h = 0; h < senders; ++h) {
      fabric->add_source(HostId(h), std::make_unique<ListSource>(std::vector<MessageRequest>{
                                        {Time(0), HostId(9), Bytes(256 * 50)}}));
    }
    fabric->run_until(milliseconds(1));
    std::vector<std::string> after = fabric->reaction()->notes();
    EXPECT_TRUE(std::equal(before.begin(), before.end(), after.begin()));
    after.erase(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(before.size()));
    return std::pair(before.empty() ? "" : before.back(), after);
  };
  using Texts = std::vector<std::string>;
  const std::string both =
      "reaction.model = \"lipd\" reacts to marks, but marking.model = \"opm\" ";
  EXPECT_EQ(told("", "lipd", 3).second, Texts{});
  EXPECT_EQ(told("", "lipd", 0).second, Texts{});
  EXPECT_EQ(told("", "lipd", 1).second, Texts{both + "has set none"});
  EXPECT_EQ(told("", "static-window", 1).second, Texts{});
  const auto [early, late] = told("threshold = 1.0", "lipd", 3);
  EXPECT_EQ(early, both +
                       "never sets one: marking.threshold = 1, and no egress buffer holds more "
                       "than all of it");
  EXPECT_EQ(late, Texts{});
}

TEST(ReactionNetwork, WindowsAndSlotsThrottleTheHotFlowsAlone) {
  HotSpot none("");
  none.fabric->run_until(milliseconds(50));
  HotSpot windows("dynamic-window");
  windows.fabric->run_until(milliseconds(50));
  const Told told(*windows.fabric->reaction());
  EXPECT_GT(told["window_reductions"], 0);
  EXPECT_GT(told["delay_increases"], 0);
  EXPECT_GT(told["packets_held"], 0);
  // The flow to the other host does not wait behind the hot one.
  EXPECT_LT(windows.end_of(12).count * 4, none.end_of(12).count * 3);
}

// A flow that has been throttled runs empty; the next message of the flow goes at full rate.
TEST(ReactionNetwork, ImmediateRecoveryForgetsOldCongestion) {
  for (const bool immediate : {true, false}) {
    SmallNetwork net = thesis_network("hosts = 16\nk = 4\nn = 2");
    use_marker(net, "opm", "threshold = 0.5");
    net.mechanisms.reaction =
        make_reaction("dynamic-window", immediate ? "" : "recovery = \"progressive\"", net);
    auto fabric = net.build();
    for (const std::uint32_t h : {0U, 1U, 2U}) {
      std::vector<MessageRequest> messages{{Time(0), HostId(9), Bytes(256 * 50)}};
      if (h == 0) messages.push_back({milliseconds(2), HostId(9), Bytes(256)});
      fabric->add_source(HostId(h), std::make_unique<ListSource>(std::move(messages)));
    }
    fabric->run_until(milliseconds(1));
    const auto flow_time = [&](Time now) {
      return Told(*fabric->reaction(), now).whole("throttled_flows");
    };
    // All have ended: no flow counts any longer.
    EXPECT_EQ(flow_time(fabric->now()), flow_time(fabric->now() + milliseconds(1)));
    EXPECT_GT(flow_time(fabric->now()), 0);
    EXPECT_TRUE(fabric->run_until(milliseconds(3)));
    EXPECT_EQ(Told(*fabric->reaction())["fresh_starts"], immediate ? 1 : 0);
  }
}

}  // namespace
}  // namespace weir::fabric::testing
