// Admission control link by link: yan2012, section 3.2. Links of 1 GB/s, 10 ns each.
#include "weir/admission/link_by_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "support/small_network.hpp"
#include "weir/base/random.hpp"
#include "weir/routing/trace.hpp"

namespace weir::admission::testing::link_by_link_test {
namespace {

using fabric::Fabric;
using fabric::MessageRequest;
using fabric::testing::ListSource;
using fabric::testing::make_routing;
using fabric::testing::make_topology;
using fabric::testing::settings_of;
using fabric::testing::SmallNetwork;
using ::testing::HasSubstr;

constexpr std::int64_t kGiga = 1'000'000'000;

/// Sends a given list of messages, late where it was held up.
class PatientSource final : public fabric::MessageSource {
 public:
  explicit PatientSource(std::vector<MessageRequest> messages) : list_(std::move(messages)) {}
  std::optional<MessageRequest> next(Time now) override {
    std::optional<MessageRequest> request = list_.next(now);
    if (request) request->at = std::max(request->at, now);
    return request;
  }

 private:
  ListSource list_;
};

/// Three switches in a row with three hosts each: 0-2, 3-5, 6-8.
struct Line {
  explicit Line(const std::string& toml) {
    net.graph = make_topology("line", "switches = 3\nhosts_per_switch = [3]",
                              {Rate(8 * kGiga), nanoseconds(10)});
    net.routing = "up-down";
    const auto& model = fabric::admission_registry().find("link-by-link", {}, "model");
    net.mechanisms.admission = model.make(settings_of(model.info, toml), {net.graph});
    net.settings.source_queues = fabric::SourceQueueKind::per_destination;
    fabric = net.build();
  }
  /// Messages of one traffic entry.
  void send(std::uint32_t host, std::int64_t reserve, const std::vector<MessageRequest>& messages,
            std::uint8_t service_level = 0, std::uint8_t traffic_class = 0) {
    auto source = std::make_unique<PatientSource>(messages);
    source->reserve = reserve;
    source->service_level = service_level;
    source->traffic_class = traffic_class;
    fabric->add_source(HostId(host), std::move(source));
  }
  void send_one(std::uint32_t host, std::uint32_t destination, std::int64_t reserve,
                std::int64_t bytes = 4'096, Time at = Time(0), std::uint8_t service_level = 0) {
    send(host, reserve, {{at, HostId(destination), Bytes(bytes)}}, service_level);
  }
  [[nodiscard]] LinkByLink& admission() const {
    return dynamic_cast<LinkByLink&>(*net.mechanisms.admission);
  }
  [[nodiscard]] AdmissionCounters counters() const { return admission().counters(0); }
  /// The link of a host, and the one from switch `from` to the next one.
  [[nodiscard]] PortId host_link(std::uint32_t host) const {
    return net.graph->host_port(HostId(host));
  }
  [[nodiscard]] PortId between(std::uint32_t from) const {
    const routing::Route route = routing_trace(3 * from, 3 * from + 3);
    return route.channels[1].port;
  }
  [[nodiscard]] routing::Route routing_trace(std::uint32_t source,
                                             std::uint32_t destination) const {
    return routing::trace(*net.graph, *make_routing(net.routing, *net.graph), HostId(source),
                          HostId(destination));
  }

  SmallNetwork net;
  std::unique_ptr<Fabric> fabric;
};

// p + s < b, strictly.
TEST(LinkByLinkAdmission, EqualityIsRejected) {
  Line line("budgets = [0.5]\nattempts = 1");
  line.send_one(0, 3, kGiga / 2, 4'096);
  line.fabric->run_until(microseconds(50));
  EXPECT_EQ(line.counters().given_up, 1U);
  EXPECT_EQ(line.fabric->counters().packets_injected, 0U);
  EXPECT_EQ(line.fabric->counters().messages_refused, 1U);

  Line below("budgets = [0.5]\nattempts = 1");
  below.send_one(0, 3, kGiga / 2 - 1, 4'096);
  below.fabric->run_until(microseconds(50));
  EXPECT_EQ(below.counters().accepted, 1U);
  EXPECT_EQ(below.fabric->counters().packets_delivered, 1U);
}

TEST(LinkByLinkAdmission, TwoConnectionsThatFillTheBudgetExactlyAreOneTooMany) {
  for (const auto& [second, accepted] : {std::pair(kGiga / 4, 1U), std::pair(kGiga / 4 - 1, 2U)}) {
    Line line("budgets = [0.5]\nattempts = 1");
    line.send_one(0, 3, kGiga / 4, 1 << 20);
    line.send_one(1, 4, second, 1 << 20, nanoseconds(5));
    line.fabric->run_until(microseconds(10));
    EXPECT_EQ(line.counters().accepted, accepted);
    EXPECT_EQ(line.admission().reserved(line.between(0), 0),
              kGiga / 4 + (accepted == 2 ? second : 0));
  }
}

// Data start when the answer of the destination is back: six links of 10 ns.
TEST(LinkByLinkAdmission, DataWaitForTheRoundTripOfTheProbe) {
  Line line("budgets = [1.0]");
  line.send_one(0, 3, kGiga / 2);
  line.fabric->run_until(nanoseconds(59));
  EXPECT_EQ(line.fabric->counters().packets_injected, 0U);
  EXPECT_EQ(line.counters().accepted, 0U);
  line.fabric->run_until(nanoseconds(60));
  EXPECT_EQ(line.fabric->counters().packets_injected, 1U);
  EXPECT_EQ(line.counters().setup, nanoseconds(60));
}

// The host's link and the first one between switches are taken, the second is full. What
// the probe took is given back while the rejection passes.
TEST(LinkByLinkAdmission, ARejectedProbeLeavesNothingBehind) {
  Line line("budgets = [0.5]\nattempts = 1");
  line.send_one(3, 6, 3 * kGiga / 10, 1 << 20);  // full: s1 -> s2
  line.fabric->run_until(microseconds(1));
  line.send_one(0, 7, kGiga / 4, 4'096, microseconds(1));
  const Time begin = microseconds(1);
  const auto reserved = [&](PortId port) { return line.admission().reserved(port, 0); };
  line.fabric->run_until(begin + nanoseconds(15));
  EXPECT_EQ(reserved(line.host_link(0)), kGiga / 4);
  EXPECT_EQ(reserved(line.between(0)), kGiga / 4);
  EXPECT_EQ(reserved(line.between(1)), 3 * kGiga / 10);
  line.fabric->run_until(begin + nanoseconds(35));  // turned back at 20 ns, is at s0 at 30 ns
  EXPECT_EQ(reserved(line.host_link(0)), kGiga / 4);
  EXPECT_EQ(reserved(line.between(0)), 0);
  EXPECT_EQ(line.counters().rejected, 0U);
  line.fabric->run_until(begin + nanoseconds(40));
  EXPECT_EQ(reserved(line.host_link(0)), 0);
  EXPECT_EQ(reserved(line.between(1)), 3 * kGiga / 10);
  EXPECT_EQ(line.counters().rejected, 1U);
  EXPECT_EQ(line.counters().given_up, 1U);
  line.fabric->check();
}

TEST(LinkByLinkAdmission, ARejectedConnectionAsksAgainUntilThereIsRoom) {
  Line line("budgets = [0.5]\nretry = \"10 us\"");
  line.send_one(3, 6, 3 * kGiga / 10, 100'000);  // 100 us
  line.send_one(0, 7, kGiga / 4, 4'096, microseconds(1));
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.counters().asked, 2U);
  EXPECT_EQ(line.counters().accepted, 2U);
  EXPECT_EQ(line.counters().rejected, 10U);
  EXPECT_EQ(line.counters().released, 2U);
  EXPECT_EQ(line.fabric->counters().messages_completed, 2U);
}

// A link is free again when the tail of the last packet has left it, hop by hop.
TEST(LinkByLinkAdmission, TheLastPacketReleasesLinkByLink) {
  Line line("budgets = [1.0]");
  line.net.settings.switching = fabric::Switching::store_and_forward;
  line.fabric = line.net.build();
  line.send(0, kGiga / 2, {{Time(0), HostId(3), Bytes(1'000)}, {Time(0), HostId(3), Bytes(1'000)}});
  const auto reserved = [&](PortId port) { return line.admission().reserved(port, 0); };
  // The answer is back at 60 ns; tails leave the host at 1060 and 2060 ns, s0 at 2070 and 3070 ns.
  line.fabric->run_until(nanoseconds(2'059));
  EXPECT_EQ(reserved(line.host_link(0)), kGiga / 2);
  line.fabric->run_until(nanoseconds(2'060));
  EXPECT_EQ(reserved(line.host_link(0)), 0);
  EXPECT_EQ(reserved(line.between(0)), kGiga / 2);
  line.fabric->run_until(nanoseconds(3'069));
  EXPECT_EQ(reserved(line.between(0)), kGiga / 2);
  line.fabric->run_until(nanoseconds(3'070));
  EXPECT_EQ(reserved(line.between(0)), 0);
  EXPECT_EQ(line.admission().reserved_in_all(), kGiga / 2);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
  EXPECT_EQ(line.counters().accepted, 1U);
  EXPECT_EQ(line.counters().released, 1U);
}

TEST(LinkByLinkAdmission, AProbeThatComesTwiceReservesOnce) {
  Line line("budgets = [0.5]");
  line.send_one(0, 6, kGiga / 5, 1 << 20);
  const auto repeat = [&] {
    const fabric::FabricView view = line.fabric->view();
    view.messages.send(PortId(view.links.receiver(line.host_link(0).value)), line.host_link(0),
                       line.admission().message(kProbe, HostId(0), 0, 1));
  };
  line.fabric->run_until(nanoseconds(15));
  repeat();  // while the first one is under way
  line.fabric->run_until(microseconds(1));
  repeat();  // of an open connection
  line.fabric->run_until(microseconds(2));
  EXPECT_EQ(line.counters().accepted, 1U);
  for (const PortId port : {line.host_link(0), line.between(0), line.between(1)})
    EXPECT_EQ(line.admission().reserved(port, 0), kGiga / 5);
  const fabric::ControlMessage late = line.admission().message(kProbe, HostId(0), 0, 1);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(10)));
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
  line.admission().on_control(line.host_link(0), late);  // after the end of the connection
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
}

TEST(LinkByLinkAdmission, ServiceLevelsHaveBudgetsOfTheirOwn) {
  for (const bool is_one : {false, true}) {
    Line line(is_one ? "budget = \"one-for-all\"\nattempts = 1"
                     : "budgets = [0.4, 0.6]\nattempts = 1");
    line.send_one(0, 3, 39 * kGiga / 100, 1 << 20, Time(0), 0);
    line.send_one(1, 4, 59 * kGiga / 100, 1 << 20, Time(0), 1);
    line.send_one(2, 5, kGiga / 100, 1 << 20, nanoseconds(1), 1);
    line.fabric->run_until(microseconds(5));
    // 0.59 + 0.01 is not below 0.6, but 0.39 + 0.59 + 0.01 is below 1.
    EXPECT_EQ(line.counters().accepted, is_one ? 3U : 2U);
    EXPECT_EQ(line.counters().given_up, is_one ? 0U : 1U);
    EXPECT_EQ(line.admission().reserved(line.between(0), 1), (is_one ? 99 : 59) * kGiga / 100);
  }
}

TEST(LinkByLinkAdmission, AConnectionLastsWhileTheDestinationIsTheSame) {
  Line line("budgets = [1.0]");
  line.send(0, kGiga / 8,
            {{Time(0), HostId(3), Bytes(5'000)},
             {Time(0), HostId(3), Bytes(5'000)},
             {Time(0), HostId(6), Bytes(5'000)},
             {Time(0), HostId(3), Bytes(5'000)}});
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.counters().asked, 3U);
  EXPECT_EQ(line.counters().released, 3U);
  EXPECT_EQ(line.fabric->counters().messages_completed, 4U);
}

TEST(LinkByLinkAdmission, TrafficThatDoesNotAskIsNotHeldUp) {
  Line line("budgets = [0.5]");
  line.send_one(0, 3, 0);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.counters().asked, 0U);
  EXPECT_EQ(line.fabric->counters().messages_completed, 1U);
}

TEST(LinkByLinkAdmission, ALostLastPacketReleasesTheRestOfItsRoute) {
  Line line("budgets = [0.5]");
  line.send_one(0, 6, kGiga / 5, 1'000);
  line.fabric->change_cable(line.between(0), nanoseconds(90), false);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.fabric->counters().packets_lost, 1U);
  EXPECT_EQ(line.counters().accepted, 1U);
  EXPECT_EQ(line.counters().released, 1U);
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
}

// Nothing crosses a link that is down: who asks is rejected before it and asks again.
TEST(LinkByLinkAdmission, ALinkThatIsDownAcceptsNothingUntilItIsBack) {
  Line line("budgets = [0.5]\nretry = \"10 us\"");
  line.fabric->change_cable(line.between(0), Time(0), false);
  line.fabric->change_cable(line.between(0), microseconds(45), true);
  line.send_one(0, 6, kGiga / 5, 1'000, microseconds(1));
  line.fabric->run_until(microseconds(40));
  EXPECT_EQ(line.counters().rejected, 4U);
  EXPECT_EQ(line.counters().accepted, 0U);
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
  EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
  EXPECT_EQ(line.counters().accepted, 1U);
  EXPECT_EQ(line.counters().released, 1U);
  EXPECT_EQ(line.fabric->counters().packets_lost, 0U);
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
}

// The answer is at the far end of the first link between switches after 50 ns.
TEST(LinkByLinkAdmission, AnAnswerThatCannotCrossIsARejection) {
  for (const bool comes_back : {false, true}) {
    Line line("budgets = [0.5]\nretry = \"10 us\"\nattempts = 4");
    line.send_one(0, 6, kGiga / 5, 1'000);
    line.fabric->change_cable(line.between(0), nanoseconds(35), false);
    if (comes_back) line.fabric->change_cable(line.between(0), microseconds(15), true);
    line.fabric->run_until(nanoseconds(90));
    EXPECT_EQ(line.counters().accepted, 0U);
    // Given back beyond the link, still held before it.
    EXPECT_EQ(line.admission().reserved(line.between(1), 0), 0);
    EXPECT_EQ(line.admission().reserved(line.between(0), 0), kGiga / 5);
    line.fabric->check();
    EXPECT_TRUE(line.fabric->run_until(milliseconds(1)));
    EXPECT_EQ(line.counters().accepted, comes_back ? 1U : 0U);
    EXPECT_EQ(line.counters().given_up, comes_back ? 0U : 1U);
    EXPECT_EQ(line.admission().reserved_in_all(), 0);
  }
}

TEST(LinkByLinkAdmission, AReleaseThatCannotCrossIsMadeAtTheFarEnd) {
  Line line("budgets = [0.5]\nretry = \"10 us\"");
  line.send_one(0, 6, kGiga / 5, 1'000);
  line.fabric->change_cable(line.between(0), nanoseconds(90), false);
  line.fabric->run_until(microseconds(9));
  EXPECT_EQ(line.fabric->counters().packets_lost, 1U);
  EXPECT_EQ(line.admission().reserved(line.between(0), 0), 0);
  EXPECT_EQ(line.admission().reserved(line.between(1), 0), kGiga / 5);
  EXPECT_TRUE(line.fabric->run_until(microseconds(30)));
  EXPECT_EQ(line.admission().reserved_in_all(), 0);
  EXPECT_EQ(line.counters().released, 1U);
}

// V3.10 on random traffic, in every architecture: budgets hold at all times, nothing remains.
TEST(LinkByLinkAdmission, NeverMoreThanTheBudgetAndNothingInTheEnd) {
  using fabric::Architecture;
  std::uint64_t rejections = 0;
  for (const Architecture architecture :
       {Architecture::input_queued, Architecture::input_queued_single, Architecture::cioq,
        Architecture::output_queued}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Line line("budgets = [0.3, 0.5]\nretry = \"7 us\"");
      line.net.settings.architecture = architecture;
      line.net.settings.check_period = microseconds(1);
      line.fabric = line.net.build();
      for (std::uint32_t h = 0; h < 9; ++h) {
        RandomStream random(seed, h, StreamPurpose::test);
        std::vector<MessageRequest> messages;
        std::int64_t at = 0;
        for (int i = 0; i < 20; ++i) {
          at += static_cast<std::int64_t>(random.below(20'000'000));
          const auto to = static_cast<std::uint32_t>(random.below(9));
          if (to == h) continue;
          messages.push_back(
              {Time(at), HostId(to), Bytes(1 + static_cast<std::int64_t>(random.below(20'000)))});
        }
        const auto level = static_cast<std::uint8_t>(random.below(2));
        const auto rate = static_cast<std::int64_t>(1 + random.below(290'000'000));
        line.send(h, rate, messages, level);
      }
      bool is_idle = false;
      for (int step = 1; step <= 20'000 && !is_idle; ++step) {
        is_idle = line.fabric->run_until(nanoseconds(500) * step);
        for (std::size_t p = 0; p < line.net.graph->port_count(); ++p) {
          for (const std::uint8_t level : {std::uint8_t{0}, std::uint8_t{1}}) {
            const std::int64_t reserved = line.admission().reserved(PortId(p), level);
            ASSERT_GE(reserved, 0);
            if (reserved > 0) {
              ASSERT_LT(reserved, line.admission().budget(PortId(p), level));
            }
          }
        }
      }
      ASSERT_TRUE(is_idle);
      EXPECT_EQ(line.admission().reserved_in_all(), 0);
      EXPECT_EQ(line.counters().accepted, line.counters().asked);
      EXPECT_EQ(line.counters().released, line.counters().asked);
      EXPECT_EQ(line.fabric->counters().messages_completed,
                line.fabric->counters().messages_generated);
      rejections += line.counters().rejected;
    }
  }
  EXPECT_GT(rejections, 100U);
}

std::string error_of(const std::string& toml) {
  try {
    Line line(toml);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LinkByLinkAdmission, RefusesBudgetsThatNoLinkHas) {
  EXPECT_THAT(error_of("budgets = [0.6, 0.5]"), HasSubstr("add up to 1.1"));
  EXPECT_THAT(error_of("budgets = [0.6, 0.3]\nbudget = \"one-for-all\""), HasSubstr("one share"));
  EXPECT_THAT(error_of("budgets = []"), HasSubstr("1 to 16 shares"));
  EXPECT_EQ(error_of("budgets = [0.1, 0.2, 0.7]"), "");
}

/// Remembers by which links packets of each connection left.
class Witness final : public fabric::Marker {
 public:
  void attach(const fabric::FabricView& fabric) override { packets_ = fabric.packets; }
  void on_transmit(PortId port, fabric::Packet& packet) override {
    links[{packet.source, packets_.connection_of(packet)}].insert(port.value);
  }
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::set<std::uint32_t>> links;

 private:
  fabric::Packets packets_;
};

// With ECMP every connection of two hosts has a way of its own: there it reserves, its last packet
// releases it, and links that fail do not move it.
TEST(LinkByLinkAdmission, ReservesWhereAHashSendsTheConnection) {
  for (const bool fails : {false, true}) {
    std::set<std::set<std::uint32_t>> ways;
    for (std::uint16_t number = 0; number < 8; ++number) {
      SmallNetwork net;
      net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 2", {Rate(8 * kGiga), nanoseconds(10)});
      net.selection = "ecmp";
      net.settings.source_queues = fabric::SourceQueueKind::per_destination;
      const auto& model = fabric::admission_registry().find("link-by-link", {}, "model");
      net.mechanisms.admission =
          model.make(settings_of(model.info, "budgets = [0.9]"), {net.graph});
      const auto witness = std::make_shared<Witness>();
      net.mechanisms.marker = witness;
      const auto fabric = net.build();
      auto source = std::make_unique<PatientSource>(
          std::vector<MessageRequest>{{Time(0), HostId(15), Bytes(100'000)}});
      source->reserve = kGiga / 2;
      source->connection = number;
      fabric->add_source(HostId(0), std::move(source));
      const auto& admission = dynamic_cast<LinkByLink&>(*net.mechanisms.admission);
      fabric->run_until(microseconds(20));
      std::set<std::uint32_t> reserved;
      for (std::uint32_t p = 16; p < net.graph->port_count(); ++p) {
        if (admission.reserved(PortId(p), 0) > 0) reserved.insert(p);
      }
      EXPECT_EQ(reserved.size(), 3U);
      const auto sent = witness->links[{0, number}];
      EXPECT_EQ(sent, reserved);
      // Another way out of the leaf switch fails: the hash would be scaled to three outputs.
      for (std::uint32_t p = 16; fails && p < net.graph->port_count(); ++p) {
        const topology::Port& port = net.graph->port(PortId(p));
        if (port.node != net.graph->port(PortId(*sent.begin())).node ||
            port.role != topology::PortRole::up || sent.count(p) > 0) {
          continue;
        }
        fabric->change_cable(PortId(p), microseconds(20), false);
        break;
      }
      EXPECT_TRUE(fabric->run_until(milliseconds(1)));
      EXPECT_EQ(admission.reserved_in_all(), 0);
      EXPECT_EQ(fabric->counters().packets_lost, 0U);
      const auto all = witness->links[{0, number}];
      EXPECT_EQ(all, sent);
      ways.insert(all);
    }
    EXPECT_GT(ways.size(), 2U);
  }
}

TEST(LinkByLinkAdmission, NeedsRoutesThatAreKnownBeforehand) {
  Line line("");
  line.net.selection = "random";
  try {
    line.net.build();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("admission.model"));
    EXPECT_THAT(error.what(), HasSubstr("selection.model"));
  }
}

TEST(LinkByLinkAdmission, SaysWhichRatesCanNeverBeAccepted) {
  Line line("budgets = [0.25, 0.75]");
  EXPECT_THAT(line.admission().refusal(0, kGiga / 4).value_or(""), HasSubstr("250000000 B/s"));
  EXPECT_FALSE(line.admission().refusal(0, kGiga / 4 - 1));
  EXPECT_FALSE(line.admission().refusal(1, kGiga / 4));
  EXPECT_THAT(line.admission().refusal(2, 1).value_or(""), HasSubstr("service level 2"));
}

}  // namespace
}  // namespace weir::admission::testing::link_by_link_test
