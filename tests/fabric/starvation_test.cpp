// Nobody starves: whatever the sizes of packets, all that compete are served, in the shares that
// the arbiter promises.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "starvation_network.hpp"

namespace weir::fabric::testing::starvation_test {
namespace {

const std::vector<Architecture> kArchitectures{Architecture::input_queued,
                                               Architecture::input_queued_single,
                                               Architecture::cioq, Architecture::output_queued};

std::string name_of(Architecture architecture) {
  return architecture == Architecture::input_queued          ? "Iq"
         : architecture == Architecture::input_queued_single ? "IqSingle"
         : architecture == Architecture::cioq                ? "Cioq"
                                                             : "Oq";
}

class Starvation : public ::testing::TestWithParam<Architecture> {};
INSTANTIATE_TEST_SUITE_P(All, Starvation, ::testing::ValuesIn(kArchitectures),
                         [](const auto& one) { return name_of(one.param); });

/// One flow's share over another's: round robin promises as many packets; without bound on their
/// memory output queues are served in order of arrival, which is as many bytes.
double share_of(Architecture architecture, const Flows::Count& one, const Flows::Count& other) {
  return architecture == Architecture::output_queued
             ? static_cast<double>(one.bytes) / static_cast<double>(other.bytes)
             : static_cast<double>(one.packets) / static_cast<double>(other.packets);
}

// One large sender beside six small ones at one output.
TEST_P(Starvation, LargePacketsHaveTheirTurnAtAnOutput) {
  for (const double speedup : {1.0, 1.5, 2.0}) {
    for (const std::int64_t egress : {4'096, 8'192, 32'768}) {
      Network net;
      net.graph = single_switch(8);
      net.settings.architecture = GetParam();
      net.settings.speedup = speedup;
      net.settings.egress_buffer = Bytes(egress);
      std::vector<Flow> flows{{0, 7, 2'048}};
      for (std::uint32_t h = 1; h < 7; ++h) flows.push_back({h, 7, 64});
      const Flows counts = net.run(flows, milliseconds(2));
      const Flows::Count large = counts.of(0, 7);
      EXPECT_GT(large.packets, 100);
      for (std::uint32_t h = 1; h < 7; ++h) {
        const Flows::Count small = counts.of(h, 7);
        EXPECT_NEAR(share_of(GetParam(), small, large), 1, 0.05)
            << "host " << h << ", speedup " << speedup << ", egress " << egress;
      }
      EXPECT_EQ(net.passed_over, "");
    }
  }
}

// The same where what they compete for is the credit of a link to another switch, which is scarce
// because a hot host there takes little. Host 6 sends large packets to the hot host, host 7 to an
// idle one; with one FIFO behind the link both are held up by the hot traffic, but not stopped.
TEST_P(Starvation, LargePacketsGetCredit) {
  for (const bool voq : {false, true}) {
    Network net;
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [8, 4]", kLink);
    net.settings.architecture = GetParam();
    net.settings.voq = voq;
    net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(16'384);
    std::vector<Flow> flows{{6, 11, 2'048}, {7, 10, 2'048}, {8, 11, 64}, {9, 11, 64}};
    for (std::uint32_t h = 0; h < 6; ++h) flows.push_back({h, 11, 64});
    const Flows counts = net.run(flows, milliseconds(4));
    EXPECT_NEAR(share_of(GetParam(), counts.of(6, 11), counts.of(0, 11)), 1, 0.05) << voq;
    EXPECT_GE(share_of(GetParam(), counts.of(7, 10), counts.of(0, 11)), 0.95) << voq;
    EXPECT_EQ(net.passed_over, "");
  }
}

// Classes that share a memory, wholly or beyond what is reserved for each: the large packets of one
// class find room beside the small ones of the others.
TEST(StarvationInMemory, ClassesThatShareIt) {
  for (const Memory memory : {Memory::split, Memory::shared, Memory::reserved}) {
    Network net;
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [4, 3]", kLink);
    net.queueing = "service-level";
    net.queueing_toml = "vls = 4";
    net.settings.memory = memory;
    net.settings.reserved = Bytes(1'024);
    net.settings.ingress_buffer = Bytes(16'384);
    const std::vector<Flow> flows{{0, 6, 64, 0},    {1, 6, 64, 1}, {2, 6, 64, 2},
                                  {3, 6, 2'048, 3}, {4, 6, 64, 0}, {5, 6, 64, 1}};
    const Flows counts = net.run(flows, milliseconds(4));
    const auto large = static_cast<double>(counts.of(3, 6).packets);
    for (std::uint32_t h = 0; h < 3; ++h)
      EXPECT_NEAR(static_cast<double>(counts.of(h, 6).packets) / large, 1, 0.05)
          << "memory " << static_cast<int>(memory) << ", host " << h;
  }
}

// Three inputs want a hot host over a link, and one an idle host, with a class for each
// destination. While the hot class has no room the idle one goes, and the round-robin pointer with
// it: where it stands when room comes must not give it to the same input every time.
TEST_P(Starvation, InputsOfAClassTakeTurnsBesideOthers) {
  for (const std::int64_t period : {180, 213, 250}) {
    Network net;
    net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [4, 4]", kLink);
    net.queueing = "voqnet";
    net.settings.architecture = GetParam();
    net.settings.speedup = 1.5;
    net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(32'768);
    const Flows counts =
        net.run({{3, 6, 64}, {0, 7, 64}, {1, 7, 64}, {2, 7, 64}, {4, 7, 64}, {5, 7, 64}},
                milliseconds(2), nanoseconds(period));
    const auto mean = static_cast<double>(counts.of(0, 7).packets + counts.of(1, 7).packets +
                                          counts.of(2, 7).packets) /
                      3;
    for (std::uint32_t h = 0; h < 3; ++h) {
      EXPECT_NEAR(static_cast<double>(counts.of(h, 7).packets) / mean, 1, 0.05)
          << "host " << h << ", period " << period;
    }
    EXPECT_EQ(net.passed_over, "");
  }
}

// The same with VL arbitration at switches: each VL has turns of its own, so that all of its inputs
// get as much.
TEST(StarvationByArbiter, InputsOfAVlTakeTurns) {
  Network net;
  net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [4, 1]", kLink);
  net.queueing = "service-level";
  net.queueing_toml = "vls = 2";
  net.settings.arbiter = ArbiterKind::vl_weighted;
  net.settings.source_queues = SourceQueueKind::per_class;
  net.settings.vl_arbitration.low = {{0, 64}, {1, 64}};
  net.settings.ingress_buffer = Bytes(32'768);
  const Flows counts =
      net.run({{0, 4, 256, 0}, {1, 4, 256, 0}, {2, 4, 256, 0}, {3, 4, 256, 1}}, milliseconds(2));
  for (std::uint32_t h = 0; h < 3; ++h) {
    EXPECT_NEAR(
        static_cast<double>(counts.of(h, 4).packets) / static_cast<double>(counts.of(3, 4).packets),
        1.0 / 3, 0.02)
        << "host " << h;
  }
}

// An input that is busy with packets for another output whenever the one that it shares is free:
// that one lets at most two rounds of the three inputs go before it waits. The host sends its two
// flows in turn, so that the one never gets more than the other.
TEST(StarvationInCrossbar, AnOutputKeepsTheTurnOfABusyInput) {
  for (const Architecture architecture : {Architecture::cioq, Architecture::input_queued_single}) {
    for (const std::int64_t own : {64, 1'000, 2'048}) {
      for (const std::int64_t others : {64, 1'500, 2'048}) {
        Network net;
        net.graph = single_switch(8);
        net.queueing = "voqnet";
        net.settings.architecture = architecture;
        net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(65'536);
        const Flows counts =
            net.run({{0, 7, own}, {0, 6, 2'048}, {1, 7, others}, {2, 7, others}}, milliseconds(2));
        const auto mine = static_cast<double>(counts.of(0, 7).packets);
        const auto theirs = static_cast<double>(counts.of(1, 7).packets);
        const auto elsewhere = static_cast<double>(counts.of(0, 6).packets);
        EXPECT_GT(mine, std::min(0.95 * elsewhere, 0.95 * theirs / 5))
            << name_of(architecture) << ": " << own << " B beside " << others << " B";
        EXPECT_EQ(net.passed_over, "");
      }
    }
  }
}

// ACKs of 22 B come beside data of 278 B in memories of four packets, and neither stops the other.
TEST_P(Starvation, AcksBesideData) {
  Network net;
  net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [3, 3]", kLink);
  net.settings.architecture = GetParam();
  net.settings.mtu = Bytes(256);
  net.settings.header = Bytes(22);
  net.settings.acks = AckMode::in_band;
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(4 * 278);
  const std::vector<Flow> flows{{0, 3, 256}, {1, 4, 256}, {2, 5, 256},
                                {3, 0, 256}, {4, 1, 256}, {5, 2, 256}};
  const Flows counts = net.run(flows, milliseconds(2));
  for (const Flow& flow : flows) {
    EXPECT_NEAR(static_cast<double>(counts.of(flow.source, flow.destination).packets) /
                    static_cast<double>(counts.of(0, 3).packets),
                1, 0.05);
  }
}

constexpr std::int64_t kSizes[]{64, 64, 64, 2'048, 512};

/// Five hosts with packets of these sizes want the same host behind a link, and one beside it.
Flows five_sizes(ArbiterKind arbiter) {
  Network net;
  net.graph = make_topology("line", "switches = 2\nhosts_per_switch = [5, 2]", kLink);
  net.settings.arbiter = arbiter;
  net.settings.ingress_buffer = Bytes(65'536);
  std::vector<Flow> flows{{5, 6, 64}};
  for (std::uint32_t h = 0; h < 5; ++h) flows.push_back({h, 6, kSizes[h]});
  return net.run(flows, milliseconds(20));
}

// Everybody with the same chance gets as many packets.
TEST(StarvationByArbiter, Random) {
  const Flows counts = five_sizes(ArbiterKind::random);
  for (std::uint32_t h = 1; h < 5; ++h) {
    EXPECT_NEAR(
        static_cast<double>(counts.of(h, 6).packets) / static_cast<double>(counts.of(0, 6).packets),
        1, 0.05)
        << "host " << h;
  }
}

// Who came first goes first: all wait for the same time, so that each gets what its memory holds,
// which is as many bytes.
TEST(StarvationByArbiter, FirstCome) {
  const Flows counts = five_sizes(ArbiterKind::first_come);
  for (std::uint32_t h = 1; h < 5; ++h) {
    EXPECT_NEAR(
        static_cast<double>(counts.of(h, 6).bytes) / static_cast<double>(counts.of(0, 6).bytes), 1,
        0.05)
        << "host " << h;
  }
}

// Any flows with any sizes on any network: none that always has something to send gets nothing.
RC_GTEST_PROP(StarvationSlow, NoSaturatedFlowGetsNothing, ()) {
  Network net;
  net.graph = any_graph();
  net.routing = "up-down";
  net.settings.architecture = one_of(kArchitectures);
  net.settings.speedup = one_of<double>({1.0, 1.3, 2.0});
  net.settings.voq = number(0, 1) == 1;
  if (net.settings.architecture == Architecture::input_queued)
    net.settings.arbiter = one_of<ArbiterKind>(
        {ArbiterKind::round_robin, ArbiterKind::first_come, ArbiterKind::random});
  net.settings.memory = one_of<Memory>({Memory::split, Memory::shared});
  net.queueing = one_of<std::string>({"", "dbbm", "voqsw"});
  if (net.queueing == "dbbm") net.queueing_toml = "queues = 2";
  net.settings.ingress_buffer = Bytes(number(2, 8) * 2 * 2'048);
  net.settings.egress_buffer = Bytes(number(1, 8) * 2 * 2'048);
  const auto hosts = static_cast<int>(net.graph->host_count());
  std::vector<Flow> flows;
  for (int source = 0; source < hosts; ++source) {
    for (int f = number(0, 2); f > 0; --f) {
      const int destination = (source + number(1, hosts - 1)) % hosts;
      flows.push_back({static_cast<std::uint32_t>(source), static_cast<std::uint32_t>(destination),
                       one_of<std::int64_t>({22, 64, 100, 256, 1'000, 1'500, 2'048})});
    }
  }
  const Flows counts = net.run(flows, milliseconds(4));
  const std::string all =
      fmt::format("{} hosts, {}, {}, {} voq, {} + {} B;", hosts, name_of(net.settings.architecture),
                  net.queueing, net.settings.voq ? "with" : "without",
                  net.settings.ingress_buffer.count, net.settings.egress_buffer.count);
  nobody_got_nothing(net, flows, counts, all);
}

}  // namespace
}  // namespace weir::fabric::testing::starvation_test
