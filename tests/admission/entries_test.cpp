// Connections that fill VL arbitration tables: yan2012, sections 3.2 and 5.2. Links of 1 GB/s, 10
// ns each: an entry is 15,625,000 B/s.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "support/small_network.hpp"
#include "weir/admission/link_by_link.hpp"
#include "weir/base/random.hpp"
#include "weir/routing/trace.hpp"

namespace weir::admission::testing {
namespace {

using fabric::MessageRequest;
using fabric::testing::ListSource;
using fabric::testing::make_routing;
using fabric::testing::make_topology;
using fabric::testing::settings_of;
using fabric::testing::SmallNetwork;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kGiga = 1'000'000'000;
constexpr std::int64_t kEntry = kGiga / 64;

/// Sends a given list of messages, late where it was held up.
class HeldSource final : public fabric::MessageSource {
 public:
  explicit HeldSource(std::vector<MessageRequest> messages) : list_(std::move(messages)) {}
  std::optional<MessageRequest> next(Time now) override {
    std::optional<MessageRequest> request = list_.next(now);
    if (request) request->at = std::max(request->at, now);
    return request;
  }

 private:
  ListSource list_;
};

/// Three switches in a row with three hosts each: 0-2, 3-5, 6-8. Service levels 0 and 1 are VLs 0
/// and 1.
struct TableLine {
  explicit TableLine(const std::string& toml, std::vector<fabric::VlWeight> low = {}) {
    net.graph = make_topology("line", "switches = 3\nhosts_per_switch = [3]",
                              {Rate(8 * kGiga), nanoseconds(10)});
    net.routing = "up-down";
    net.queueing = "service-level";
    net.queueing_toml = "vls = 2";
    net.settings.source_queues = fabric::SourceQueueKind::per_class;
    net.settings.arbiter = fabric::ArbiterKind::vl_weighted;
    net.settings.vl_arbitration.low = std::move(low);
    admit(toml);
  }
  void admit(const std::string& toml) {
    const auto& model = fabric::admission_registry().find("link-by-link", {}, "model");
    net.mechanisms.admission =
        model.make(settings_of(model.info, "tables = 'connections'\n" + toml),
                   {net.graph, net.settings.vl_arbitration});
  }
  void build() { fabric = net.build(); }
  void send(std::uint32_t host, std::uint32_t destination, std::int64_t reserve,
            std::int64_t bytes = 4'096, Time at = Time(0), std::uint8_t service_level = 0) {
    if (!fabric) build();
    std::vector<MessageRequest> one{{at, HostId(destination), Bytes(bytes)}};
    auto source = std::make_unique<HeldSource>(std::move(one));
    source->reserve = reserve;
    source->service_level = service_level;
    fabric->add_source(HostId(host), std::move(source));
  }
  [[nodiscard]] const fabric::ConnectionTables& tables() const {
    return *net.mechanisms.admission->tables();
  }
  /// Entries of a VL at the ports of the route from one host to another.
  [[nodiscard]] std::vector<int> entries(std::uint32_t from, std::uint32_t to,
                                         std::uint16_t vl = 0) const {
    std::vector<int> out;
    const auto route = routing::trace(*net.graph, *make_routing(net.routing, *net.graph),
                                      HostId(from), HostId(to));
    for (const routing::Channel& channel : route.channels)
      out.push_back(tables().entries(channel.port, vl));
    return out;
  }
  [[nodiscard]] AdmissionCounters counters() const {
    return dynamic_cast<const LinkByLink&>(*net.mechanisms.admission).counters(0);
  }
  std::string refusal() {
    try {
      build();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  SmallNetwork net;
  std::unique_ptr<fabric::Fabric> fabric;
};

TEST(ConnectionEntries, ComeWithAConnectionOnItsWholeRouteAndGoWithIt) {
  TableLine line("budgets = [1.0]");
  line.send(0, 6, 2 * kEntry + 1, 100'000);
  line.fabric->run_until(microseconds(1));
  EXPECT_THAT(line.entries(0, 6), ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(line.entries(6, 0), ElementsAre(0, 0, 0, 0)) << "nothing sends that way";
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_THAT(line.entries(0, 6), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(line.counters().released, 1U);
}

TEST(ConnectionEntries, OfOneVlAreShared) {
  TableLine line("budgets = [1.0]");
  line.send(0, 6, kEntry / 2, 100'000);
  line.send(1, 6, kEntry / 2, 400'000);
  line.send(2, 6, kEntry / 2, 400'000);
  line.fabric->run_until(microseconds(1));
  // 128 each: two of them are 256, which is one more than an entry.
  EXPECT_THAT(line.entries(0, 6), ElementsAre(1, 2, 2, 2));
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
  EXPECT_THAT(line.entries(0, 6), ElementsAre(0, 0, 0, 0));
}

TEST(ConnectionEntries, LeaveAPortWhenTheLastPacketHasLeftIt) {
  TableLine line("budgets = [1.0]");
  line.send(0, 3, kEntry, 4'096);  // 4,096 ns a link
  line.fabric->run_until(nanoseconds(4'000));
  EXPECT_THAT(line.entries(0, 3), ElementsAre(1, 1, 1));
  // Set up until 60 ns, three links there and back. The switches cut through: 10 ns after each
  // other.
  line.fabric->run_until(nanoseconds(60 + 4'096 + 5));
  EXPECT_THAT(line.entries(0, 3), ElementsAre(0, 1, 1));
  line.fabric->run_until(nanoseconds(60 + 4'096 + 15));
  EXPECT_THAT(line.entries(0, 3), ElementsAre(0, 0, 1));
}

TEST(ConnectionEntries, OfServiceLevelsAreApartAndOnePriorityIsHigh) {
  TableLine line("budgets = [0.5, 0.5]\nhigh_vls = [1]");
  line.send(0, 6, kEntry, 100'000);
  line.send(0, 6, 3 * kEntry, 100'000, Time(0), 1);
  line.fabric->run_until(microseconds(1));
  EXPECT_THAT(line.entries(0, 6, 0), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(line.entries(0, 6, 1), ElementsAre(3, 3, 3, 3));
  const fabric::VlArbitration& at = line.tables().of(line.net.graph->host_port(HostId(0)));
  EXPECT_EQ(at.high[2].vl, 1);
  EXPECT_EQ(at.high[2].weight, 255);
  EXPECT_EQ(at.low[0].vl, 0);
  EXPECT_EQ(at.low[0].weight, 255);
  EXPECT_EQ(at.low[1].weight, 0);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
}

// The second asks for more than is left of the link between the switches.
TEST(ConnectionEntries, OfWhoIsRefusedAreAsTheyWere) {
  TableLine line("budgets = [0.5]\nattempts = 1");
  line.send(0, 6, 20 * kEntry, 100'000);
  line.send(1, 6, 20 * kEntry, 100'000, nanoseconds(500));
  line.fabric->run_until(microseconds(1));
  EXPECT_EQ(line.counters().given_up, 1U);
  EXPECT_THAT(line.entries(0, 6), ElementsAre(20, 20, 20, 20));
  EXPECT_THAT(line.entries(1, 6), ElementsAre(0, 20, 20, 20));
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
}

// 60 of the 64 entries stay, so that the second connection finds the table of the first common link
// full, though there is bandwidth; it asks again until the first has ended.
TEST(ConnectionEntries, AFullTableRefusesAndIsAskedAgain) {
  TableLine line("budgets = [1.0]\nretry = '10 us'",
                 std::vector<fabric::VlWeight>(60, fabric::VlWeight{1, 1}));
  line.send(0, 6, 3 * kEntry, 100'000);
  line.send(1, 6, 2 * kEntry, 4'096, nanoseconds(500));
  line.fabric->run_until(microseconds(1));
  EXPECT_EQ(line.counters().rejected, 1U);
  EXPECT_THAT(line.entries(1, 6), ElementsAre(0, 3, 3, 3));
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
  EXPECT_EQ(line.counters().accepted, 2U);
  EXPECT_EQ(line.fabric->counters().messages_completed, 2U);
}

TEST(ConnectionEntries, WhatNoTableHoldsIsGivenUp) {
  TableLine line("budgets = [1.0]\nhigh_vls = [1]",
                 std::vector<fabric::VlWeight>(60, fabric::VlWeight{1, 1}));
  EXPECT_THAT(line.net.mechanisms.admission->refusal(0, 5 * kEntry).value_or(""), "")
      << "the table of high priority has room, and a VL is not known before the run";
  line.send(0, 6, 5 * kEntry);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.counters().given_up, 1U);

  line.admit("budgets = [1.0]");
  EXPECT_THAT(line.net.mechanisms.admission->refusal(0, 5 * kEntry).value_or(""),
              HasSubstr("needs 5 entries of a VL arbitration table, in which [vl_arbitration] "
                        "leaves 4"));
}

TEST(ConnectionEntries, MayStayUntilTheLastConnectionOfTheirVlEnds) {
  for (const auto& [end, left] :
       {std::pair("with-connections", 1), std::pair("with-last-of-vl", 4)}) {
    TableLine line(std::string("budgets = [1.0]\nentries_end = '") + end + "'");
    line.send(0, 6, 3 * kEntry, 4'096);
    line.send(1, 6, kEntry, 400'000);
    line.fabric->run_until(microseconds(1));
    EXPECT_THAT(line.entries(1, 6), ElementsAre(1, 4, 4, 4));
    line.fabric->run_until(microseconds(100));
    EXPECT_THAT(line.entries(1, 6), ElementsAre(1, left, left, left)) << end;
    EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
    EXPECT_THAT(line.entries(1, 6), ElementsAre(0, 0, 0, 0)) << end;
  }
}

// Each weighs 15 of 16,320; 400 of them are 24 entries.
TEST(ConnectionEntries, LimitConnectionsBySharesAndNotByTheirNumber) {
  TableLine line("budgets = [1.0]");
  for (int i = 0; i < 400; ++i) line.send(0, 6, kGiga / 1'100, 4'096);
  line.fabric->run_until(microseconds(1));
  EXPECT_EQ(line.counters().accepted, 400U);
  EXPECT_THAT(line.entries(0, 6), ElementsAre(24, 24, 24, 24));
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
  EXPECT_THAT(line.entries(0, 6), ElementsAre(0, 0, 0, 0));
}

// Three entries to one: host 0 sends on both VLs, all it can.
TEST(ConnectionEntries, DivideTheLinkAsTheyAre) {
  TableLine line("budgets = [0.5, 0.5]");
  line.net.settings.mtu = Bytes(1'020);
  line.send(0, 6, 3 * kEntry, 2'000'000);
  line.send(1, 6, kEntry, 2'000'000, Time(0), 1);
  line.fabric->run_until(milliseconds(1));
  const auto& bytes = line.net.journal.bytes_from;
  ASSERT_EQ(bytes.size(), 2U);
  EXPECT_NEAR(static_cast<double>(bytes[0]) / static_cast<double>(bytes[0] + bytes[1]), .75, .01);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
}

TEST(ConnectionEntries, OfALostLastPacketGoOnTheWholeRoute) {
  TableLine line("budgets = [1.0]", {{0, 1}, {1, 1}});
  line.send(0, 6, 2 * kEntry, 1'000);
  line.fabric->run_until(nanoseconds(60));
  EXPECT_THAT(line.entries(0, 6), ElementsAre(2, 2, 2, 2));
  const auto route = routing::trace(*line.net.graph, *make_routing("up-down", *line.net.graph),
                                    HostId(0), HostId(6));
  line.fabric->change_cable(route.channels[1].port, nanoseconds(90), false);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.fabric->counters().packets_lost, 1U);
  EXPECT_THAT(line.entries(0, 6), ElementsAre(0, 0, 0, 0));

  TableLine bare("budgets = [1.0]");
  bare.build();
  EXPECT_THROW(bare.fabric->change_cable(route.channels[1].port, nanoseconds(90), false),
               InputError)
      << "what is on its way when a release overtakes it needs another entry";
}

// Connections and failures by chance: the conservation checks compare every table with them.
TEST(ConnectionEntries, ComeAndGoAndLeaveNothing) {
  for (const char* end : {"with-connections", "with-last-of-vl"}) {
    TableLine line(std::string("budget = 'one-for-all'\nbudgets = [0.9]\nretry = '2 us'\n"
                               "high_vls = [1]\nentries_end = '") +
                       end + "'",
                   {{0, 1}, {1, 1}});
    line.net.settings.check_period = microseconds(1);
    line.build();
    RandomStream random(7, 0, StreamPurpose::test);
    for (int i = 0; i < 150; ++i) {
      const auto from = static_cast<std::uint32_t>(random.below(9));
      const auto to = static_cast<std::uint32_t>((from + 1 + random.below(8)) % 9);
      line.send(from, to, 1 + static_cast<std::int64_t>(random.below(kGiga / 3)),
                1 + static_cast<std::int64_t>(random.below(40'000)),
                nanoseconds(static_cast<std::int64_t>(random.below(300'000))),
                static_cast<std::uint8_t>(random.below(2)));
    }
    const auto route = routing::trace(*line.net.graph, *make_routing("up-down", *line.net.graph),
                                      HostId(0), HostId(6));
    for (int i = 0; i < 4; ++i) {
      const Time down = microseconds(40 + 70 * i);
      line.fabric->change_cable(route.channels[1].port, down, false);
      line.fabric->change_cable(route.channels[1].port, down + microseconds(20), true);
    }
    EXPECT_TRUE(line.fabric->run_until(milliseconds(50)));
    EXPECT_EQ(line.counters().asked, 150U);
    EXPECT_EQ(line.counters().released, 150U);
    EXPECT_GT(line.counters().rejected, 100U);
    EXPECT_GT(line.fabric->counters().packets_lost, 0U);
    for (std::uint32_t port = 0; port < line.net.graph->port_count(); ++port) {
      for (std::uint16_t vl = 0; vl < 2; ++vl)
        EXPECT_EQ(line.tables().entries(PortId(port), vl), 0);
    }
  }
}

TEST(ConnectionEntries, SayWhatCannotWork) {
  TableLine robin("budgets = [1.0]");
  robin.net.settings.arbiter = fabric::ArbiterKind::round_robin;
  EXPECT_THAT(robin.refusal(), HasSubstr("switch.arbiter = \"vl-weighted\""));

  TableLine hashed("budgets = [1.0]");
  hashed.net.settings.voq = true;
  hashed.net.queueing = "voqsw";
  hashed.net.queueing_toml = "flow_control = 'per-queue'";
  EXPECT_THAT(hashed.refusal(), HasSubstr("the same class in every buffer"));

  TableLine two("budgets = [1.0]\nhigh_vls = [0, 2]");
  EXPECT_THAT(two.refusal(), HasSubstr("there is no VL 2; a port has 2 (0 to 1)"));

  TableLine acks("budgets = [1.0]");
  acks.net.settings.acks = fabric::AckMode::in_band;
  EXPECT_THAT(acks.refusal(), HasSubstr("VL 0 has no entry but those of connections"));
  TableLine weighted("budgets = [1.0]", {{0, 1}, {1, 1}});
  weighted.net.settings.acks = fabric::AckMode::in_band;
  EXPECT_EQ(weighted.refusal(), "accepted");

  TableLine unasked("budgets = [1.0]", {{1, 1}});
  unasked.build();
  EXPECT_THROW(unasked.send(0, 3, 0), InputError) << "VL 0 has entries of connections only";
  EXPECT_NO_THROW(unasked.send(0, 3, 0, 4'096, Time(0), 1));
  EXPECT_THROW(unasked.fabric->submit(HostId(0), {Time(0), HostId(3), Bytes(64)}, 0, 0),
               InputError);
  EXPECT_TRUE(unasked.fabric->run_until(milliseconds(1)));

  const auto& model = fabric::admission_registry().find("link-by-link", {}, "model");
  for (const char* key : {"high_vls = [0]", "entries_end = 'with-connections'"}) {
    EXPECT_THROW((void)model.make(settings_of(model.info, key), {robin.net.graph}), InputError)
        << key;
  }
  EXPECT_THROW(TableLine("high_vls = [15]"), InputError);
}

}  // namespace
}  // namespace weir::admission::testing
