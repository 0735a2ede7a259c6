// InfiniBand's marking: ferrer2012, section 3.5.1.
#include <gtest/gtest.h>

#include "marking_network.hpp"

namespace weir::marking::testing {
namespace {

using fabric::packet_flag::kMarkB;

/// Two switches in a line. A host at the first and one at the second send to another host of the
/// second: the root is its link, the link between the switches a victim.
struct RootAndVictim : MarkingNetwork {
  explicit RootAndVictim(Architecture architecture) {
    graph = make_topology("line", "switches = 2\nhosts_per_switch = [1, 2]", kLink);
    settings.architecture = architecture;
  }
  void run(const std::string& toml) {
    build("fecn", toml);
    send(0, burst(2, 200, 256));
    send(1, burst(2, 200, 256));
    drain();
  }
  [[nodiscard]] std::uint64_t at_root() const {
    return marker->marks_b().by_port[graph->port(graph->host_port(HostId(2))).from.index()];
  }
  [[nodiscard]] std::uint64_t elsewhere() const { return marker->marks_b().set - at_root(); }
};

class FecnSwitches : public ::testing::TestWithParam<Architecture> {};

TEST_P(FecnSwitches, TheRootMarksTheVictimDoesNot) {
  RootAndVictim net(GetParam());
  net.run("threshold = 8");
  EXPECT_GT(net.at_root(), 200U);
  EXPECT_EQ(net.elsewhere(), 0U);
  EXPECT_EQ(net.journal.with(kMarkB), net.marker->marks_b().set);
  EXPECT_EQ(net.marker->marks_a().set, 0U);
}

TEST_P(FecnSwitches, MaskedVictimsMarkToo) {
  RootAndVictim all(GetParam());
  all.run("threshold = 8\nvictim_mask = \"all\"");
  EXPECT_GT(all.elsewhere() + all.marker->marks_b().repeated, 50U);
  EXPECT_GT(all.elsewhere(), 50U);
  // The link into a host is never without credit: nothing changes.
  RootAndVictim none(GetParam());
  none.run("threshold = 8\nvictim_mask = \"none\"");
  EXPECT_GT(none.at_root(), 200U);
  EXPECT_EQ(none.elsewhere(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Switches, FecnSwitches,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq));

/// Marks of two hosts that send 200 packets each to a third.
std::uint64_t marks(const std::string& toml, std::int64_t payload = 256) {
  MarkingNetwork net;
  net.build("fecn", toml);
  for (const std::uint32_t host : {0U, 1U}) {
    net.send(host, burst(2, 200, payload));
  }
  net.drain();
  EXPECT_EQ(net.journal.with(kMarkB), net.marker->marks_b().set);
  return net.marker->marks_b().set;
}

TEST(Fecn, ThresholdFromNeverToAlways) {
  EXPECT_EQ(marks("threshold = 0"), 0U);
  EXPECT_EQ(marks("threshold = 15"), 400U);  // beyond a sixteenth: any packet of a quarter
  // More than 15/16 of four packets are four, more than 11/16 three.
  const std::uint64_t timid = marks("threshold = 1");
  const std::uint64_t bold = marks("threshold = 5");
  EXPECT_GT(timid, 0U);
  EXPECT_LT(timid, bold);
  EXPECT_LT(bold, 400U);
}

// With threshold 15 all 400 packets could be marked.
TEST(Fecn, MarkingRateIsAMeanDistance) {
  EXPECT_EQ(marks("marking_rate = 0"), 400U);
  EXPECT_NEAR(static_cast<double>(marks("marking_rate = 1")), 200, 40);  // four deviations
  EXPECT_NEAR(static_cast<double>(marks("marking_rate = 9")), 40, 24);
}

// 256 bytes and a header of 22.
TEST(Fecn, SmallPacketsAreSpared) {
  EXPECT_EQ(marks("packet_size = \"278 B\""), 400U);
  EXPECT_EQ(marks("packet_size = \"279 B\""), 0U);
}

TEST(Fecn, AbsurdSettingsAreRefused) {
  const MarkingNetwork net;
  for (const char* toml : {"threshold = 16", "threshold = -1", "marking_rate = -1",
                           "victim_mask = \"host\"", "packet_size = \"-1 B\""}) {
    EXPECT_THROW((void)make_marker("fecn", *net.graph, toml), InputError) << toml;
  }
}

}  // namespace
}  // namespace weir::marking::testing
