// Set-aside queues in switches that queue at ingress only: outputs have lines without queues, which
// pass on what the next switch asks, and its stop and go.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "forged_messages.hpp"
#include "isolation/counters_of.hpp"

namespace weir::isolation::testing::ingress_only_test {
namespace {

constexpr const char* kModels[] = {"recn", "recn-enhanced", "fbicm"};
/// Of a message inside a switch: the time of a packet of 64 B.
constexpr double kCycle = 64;

template <class Base>
struct InputQueued : Base {
  template <class... Args>
  explicit InputQueued(Args... args) : Base(args...) {
    this->settings.architecture = fabric::Architecture::input_queued;
  }
};

const char* key_of_lines(const std::string& model) { return model == "fbicm" ? "cfqs" : "saqs"; }

double allocated(const Network& net, Side side) {
  return net.journal.first(SetAsideEvent::allocated, side);
}

// --- Detection

/// Two hosts of one switch send to a third, so that its output gets 1 B/ns too much.
std::unique_ptr<Fabric> two_to_one(Network& net, const std::string& model,
                                   const std::string& quiet) {
  if (!quiet.empty()) net.isolation_toml = quiet + " = \"16 KiB\"";
  auto fabric = one_switch(net, 3, model);
  for (const std::uint32_t h : {0U, 1U}) send(*fabric, h, 2, Time(0), microseconds(20));
  fabric->run_until(microseconds(20));
  return fabric;
}

TEST(IngressOnly, FindsAnOutputCongestedByWhatWaitsForItAtAllInputs) {
  for (const std::string model : kModels) {
    InputQueued<Network> net;
    const auto fabric = two_to_one(net, model, model == "recn" ? "" : "detect_ingress");
    const Side output = Side::egress(net.at_host(2));
    EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, output), 4'096, 3 * 64) << model;
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected, output), 2U) << model;
    for (const std::uint32_t h : {0U, 1U}) {
      const Side side = Side::ingress(net.at_host(h));
      EXPECT_EQ(net.journal.count(SetAsideEvent::detected, side), 0U) << model;
      // Asked by a message with the first packet that comes then.
      EXPECT_NEAR(allocated(net, side), 4'096 + kCycle, 3 * 64) << model;
    }
  }
}

TEST(IngressOnly, FindsADetectionQueueCongestedByItself) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    InputQueued<Network> net;
    const auto fabric = two_to_one(net, model, "detect");
    for (const std::uint32_t h : {0U, 1U}) {
      const Side side = Side::ingress(net.at_host(h));
      EXPECT_NEAR(net.journal.first(SetAsideEvent::detected, side), 4'096 / 0.5, 4 * 64) << model;
      EXPECT_EQ(allocated(net, side), net.journal.first(SetAsideEvent::detected, side)) << model;
    }
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected, Side::egress(net.at_host(2))), 0U);
  }
}

// What has been set aside waits for the output no longer: a line is asked for once.
TEST(IngressOnly, DoesNotAskAgainForWhatIsSetAside) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    InputQueued<Network> net;
    const auto fabric = two_to_one(net, model, "");
    EXPECT_EQ(net.journal.count(SetAsideEvent::detected), 2U) << model;
  }
}

// --- Lines at outputs

TEST(IngressOnly, NotifiesHopByHopUpToTheSource) {
  for (const char* model : kModels) {
    InputQueued<Chain> net(model);
    const auto fabric = net.build();
    net.start(*fabric, microseconds(120));
    fabric->run_until(microseconds(120));
    double before = 0;
    for (const auto& [side, hops] : net.branch()) {
      const double at = allocated(net, side);
      EXPECT_GT(at, before) << model << ": after its neighbour downstream, " << hops << " links";
      before = at;
      for (const SetAsideEvent& event : net.journal.events) {
        if (event.side.index != side.index) continue;
        EXPECT_EQ(event.root, PortId(net.at_host(2))) << model;
        EXPECT_EQ(event.hops, hops) << model;
      }
    }
    // What only shares the link is not asked for.
    EXPECT_EQ(allocated(net, Side::ingress(net.at_host(1))), -1) << model;
    EXPECT_TRUE(fabric->run_until(milliseconds(10))) << model;
    EXPECT_TRUE(lines_of(*fabric).empty()) << model;
  }
}

TEST(IngressOnly, NothingStandsAtOutputs) {
  for (const char* model : kModels) {
    InputQueued<Chain> net(model);
    std::size_t seen = 0;
    net.settings.sample_period = nanoseconds(500);
    net.journal.sample = [&](const Fabric& fabric, Time) {
      for (const SetAsideLine& line : lines_of(fabric)) {
        if (!line.side.is_egress() || line.side.port() < net.graph->host_count()) continue;
        ++seen;
        EXPECT_EQ(line.bytes, 0);
        EXPECT_EQ(line.packets, 0);
      }
    };
    const auto fabric = net.build();
    net.start(*fabric, microseconds(120));
    fabric->run_until(microseconds(120));
    EXPECT_GT(seen, 50U) << model;
    const fabric::SideResources output = fabric->isolation()->resources(true, 4);
    EXPECT_EQ(output.normal_queues + output.set_aside_queues, 0U) << model;
    EXPECT_EQ(output.cam_lines, 8U) << model;
    EXPECT_EQ(fabric->isolation()->resources(true, 1).set_aside_queues, 8U) << "of a host";
  }
}

/// Three hosts of the first switch, two of the second. The output between them is asked for a line
/// for host 3, by nobody.
struct Asked : InputQueued<Network> {
  explicit Asked(const std::string& the_model, int lines = 8,
                 const std::string& lifetime = "1 ms") {
    line({3, 2});
    isolation = the_model;
    isolation_toml =
        fmt::format("{} = {}\nmin_lifetime = \"{}\"", key_of_lines(the_model), lines, lifetime);
    settings.check_period = Time(0);  // no flag stands behind a forged message
    output = towards(0, 1);
    fabric = build();
    const auto local = [&](std::uint32_t port) { return graph->port(PortId(port)).number; };
    name = isolation == "fbicm" ? LineName{77, 0}
                                : turn_name(local(towards(1, 0)), local(at_host(3)), 3);
  }
  void ask() const { Forged::request(*fabric, output, name, at_host(3), 0, 3); }
  void stop(bool stop) const { Forged::stop(*fabric, output, name, stop); }
  /// The only line of an input.
  [[nodiscard]] SetAsideLine at_input(std::uint32_t host) const {
    const auto lines = lines_at(*fabric, Side::ingress(at_host(host)));
    EXPECT_EQ(lines.size(), 1U) << "of host " << host;
    return lines.empty() ? SetAsideLine{} : lines[0];
  }
  std::uint32_t output = 0;
  std::unique_ptr<Fabric> fabric;
  LineName name;
};

TEST(IngressOnly, AsksAnInputWithTheFirstPacketThatCrosses) {
  for (const char* model : kModels) {
    Asked net(model);
    net.ask();
    EXPECT_EQ(lines_at(*net.fabric, Side::egress(net.output)).size(), 1U) << model;
    send(*net.fabric, 0, 3, microseconds(5), microseconds(6), 0.5);
    send(*net.fabric, 1, 4, microseconds(5), microseconds(6), 0.5);
    net.fabric->run_until(microseconds(5));
    EXPECT_EQ(allocated(net, Side::ingress(net.at_host(0))), -1) << model << ": no packet yet";
    net.fabric->run_until(microseconds(8));
    // Its header is there after 20 ns.
    EXPECT_DOUBLE_EQ(allocated(net, Side::ingress(net.at_host(0))), 5'020 + kCycle) << model;
    EXPECT_EQ(allocated(net, Side::ingress(net.at_host(1))), -1) << model << ": goes elsewhere";
    const SetAsideLine line = net.at_input(0);
    EXPECT_EQ(line.root, PortId(net.at_host(3)));
    EXPECT_EQ(line.hops, 1U);
  }
}

TEST(IngressOnly, PassesStopAndGoOnToAllInputsThatWereAsked) {
  for (const char* model : kModels) {
    Asked net(model);
    net.ask();
    for (const std::uint32_t h : {0U, 1U}) send(*net.fabric, h, 3, Time(0), microseconds(40), 0.2);
    send(*net.fabric, 2, 3, microseconds(20), microseconds(40), 0.2);
    send(*net.fabric, 2, 4, Time(0), microseconds(40), 0.2);
    net.fabric->run_until(microseconds(10));
    for (const std::uint32_t h : {0U, 1U}) EXPECT_FALSE(net.at_input(h).is_held) << model;
    net.stop(true);
    for (const std::uint32_t h : {0U, 1U}) EXPECT_TRUE(net.at_input(h).is_held) << model;
    net.fabric->run_until(microseconds(11));
    const std::int64_t stopped = net.journal.bytes_to[3];
    const std::int64_t others = net.journal.bytes_to[4];
    net.fabric->run_until(microseconds(19));
    EXPECT_EQ(net.journal.bytes_to[3], stopped) << model;
    EXPECT_NEAR(static_cast<double>(net.journal.bytes_to[4] - others), 0.2 * 8'000, 64) << model;
    // An input that is asked later is stopped from the beginning.
    net.fabric->run_until(microseconds(25));
    EXPECT_TRUE(net.at_input(2).is_held) << model;
    net.stop(false);
    for (const std::uint32_t h : {0U, 1U, 2U}) EXPECT_FALSE(net.at_input(h).is_held) << model;
    EXPECT_TRUE(net.fabric->run_until(milliseconds(5))) << model;
    EXPECT_EQ(net.journal.out_of_order(), 0U) << model;
  }
}

TEST(IngressOnly, ALineThatNoPacketCrossesIsGivenBack) {
  for (const char* model : kModels) {
    Asked net(model, 8, "0 ns");
    net.ask();
    net.fabric->run_until(microseconds(20));
    const Side side = Side::egress(net.output);
    EXPECT_DOUBLE_EQ(net.journal.first(SetAsideEvent::released, side), 2'000)
        << model << ": after isolation.retry";
  }
}

// Until what waits at the inputs has crossed nobody knows whether it is for the line, however
// slowly it does.
TEST(IngressOnly, ALineIsKeptWhileWhatHasWaitedCrosses) {
  for (const char* model : kModels) {
    Asked net(model, 8, "0 ns");
    for (const std::uint32_t h : {0U, 1U, 2U}) send(*net.fabric, h, 4, Time(0), microseconds(40));
    net.fabric->run_until(microseconds(10));
    const auto waiting = static_cast<double>(net.fabric->core().links[net.output].queued_bytes);
    EXPECT_GT(waiting, 2'500) << model << ": longer than isolation.retry";
    net.ask();
    net.fabric->run_until(microseconds(60));
    double released = -1;
    for (const SetAsideEvent& event : net.journal.events) {
      if (event.side.index == Side::egress(net.output).index &&
          event.kind == SetAsideEvent::released)
        released = to_nanoseconds(event.at);
    }
    // At 1 B/ns, beside messages.
    EXPECT_NEAR(released, 10'000 + waiting, 200) << model;
  }
}

TEST(IngressOnly, ALineWhoseInputsRefuseIsKeptUntilTheyMayBeAskedAgain) {
  for (const char* model : kModels) {
    Asked net(model, 1, "0 ns");
    // The only line of the input is for host 2, whose packets keep it.
    const Side input = Side::ingress(net.at_host(0));
    for (const std::uint32_t h : {0U, 1U}) send(*net.fabric, h, 2, Time(0), microseconds(60));
    send(*net.fabric, 0, 3, microseconds(29), microseconds(60), 0.2);
    net.fabric->run_until(microseconds(30));
    ASSERT_EQ(net.at_input(0).root, PortId(net.at_host(2))) << model;
    const std::size_t before = net.journal.count(SetAsideEvent::refused_full, input);
    net.ask();
    net.fabric->run_until(microseconds(40));
    EXPECT_EQ(net.journal.count(SetAsideEvent::refused_full, input), before + 1) << model;
    double refused = -1;
    double released = -1;
    for (const SetAsideEvent& event : net.journal.events) {
      if (event.side.index == input.index && event.kind == SetAsideEvent::refused_full)
        refused = to_nanoseconds(event.at);
      if (event.side.index == Side::egress(net.output).index &&
          event.kind == SetAsideEvent::released)
        released = to_nanoseconds(event.at);
    }
    EXPECT_DOUBLE_EQ(released, refused + kCycle + 2'000) << model;
  }
}

// Host 1 has no line for host 3, as its input has none left, and could fill the queue behind the
// link all by itself. After two rounds of the ports of a switch, 8 packets, host 0 has a turn.
TEST(IngressOnly, WhatComesPastAStoppedLineDoesNotStopItForEver) {
  for (const char* model : kModels) {
    Asked net(model, 1);
    const auto number = [&](std::uint32_t port) { return net.graph->port(PortId(port)).number; };
    const std::uint32_t elsewhere = net.at_host(2);
    Forged::request_inside(*net.fabric, net.at_host(1), number(elsewhere), {}, elsewhere, 0, 2);
    net.ask();
    send(*net.fabric, 0, 3, Time(0), microseconds(100));
    net.fabric->run_until(microseconds(5));
    EXPECT_EQ(net.at_input(0).hops, 1U) << model;
    net.stop(true);
    send(*net.fabric, 1, 3, microseconds(10), microseconds(100));
    net.fabric->run_until(microseconds(20));
    net.journal.bytes_from.assign(6, 0);
    net.fabric->run_until(microseconds(80));
    EXPECT_GT(net.journal.bytes_from[1], 50'000) << model;
    EXPECT_NEAR(static_cast<double>(net.journal.bytes_from[1]) /
                    static_cast<double>(net.journal.bytes_from[0]),
                8, 0.2)
        << model;
  }
}

// --- What it is for

/// What the victim of a chain, who asks for 0.4 of a link, gets.
double victim_of_chain(const std::string& model) {
  InputQueued<Chain> net(model);
  net.settings.voq = false;
  const auto fabric = net.build();
  net.start(*fabric, microseconds(140));
  fabric->run_until(microseconds(40));
  const std::int64_t before = net.journal.bytes_to[5];
  fabric->run_until(microseconds(140));
  const std::int64_t after = net.journal.bytes_to[5];
  EXPECT_TRUE(fabric->run_until(milliseconds(20)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  return static_cast<double>(after - before) / 100'000;
}

TEST(IngressOnly, VictimsAreLeftAlone) {
  EXPECT_LT(victim_of_chain(""), 0.37);
  for (const char* model : kModels) EXPECT_NEAR(victim_of_chain(model), 0.4, 0.004) << model;
}

// Without queues at outputs their memory limits nothing.
TEST(IngressOnly, OnlyIngressMemoryCounts) {
  InputQueued<Network> net;
  net.line({2, 2});
  net.settings.egress_buffer = Bytes(64);
  EXPECT_EQ(net.refusal(), "");
  net.settings.ingress_buffer = Bytes(640);
  net.isolation_toml = "saqs = 8";
  EXPECT_NE(net.refusal().find("take buffer.ingress of 1376 B or more"), std::string::npos)
      << net.refusal();
}

TEST(IngressOnly, OtherArchitecturesAreRefused) {
  Network net;
  net.line({2, 2});
  net.settings.architecture = fabric::Architecture::output_queued;
  EXPECT_NE(net.refusal().find("\"oq\" nothing waits there"), std::string::npos) << net.refusal();
  net.settings.architecture = fabric::Architecture::input_queued_single;
  EXPECT_NE(net.refusal().find("send to several outputs at once"), std::string::npos)
      << net.refusal();
  net.settings.architecture = fabric::Architecture::input_queued;
  net.isolation = "recn";
  net.isolation_toml = "internal_stop = \"all\"";
  EXPECT_NE(net.refusal().find("before a full queue at an output"), std::string::npos)
      << net.refusal();
}

}  // namespace
}  // namespace weir::isolation::testing::ingress_only_test
