// Marking of CCFIT (escudero2011ccfit): outputs for which much is set aside.
#include <gtest/gtest.h>

#include "set_aside_network.hpp"
#include "weir/base/error.hpp"

namespace weir::isolation::testing {
namespace {

std::shared_ptr<fabric::Marker> ccfit(const topology::Graph& graph, const std::string& toml = "") {
  const auto& model = fabric::marker_registry().find("ccfit", {}, "marking");
  return model.make(settings_of(model.info, toml), graph);
}

class Ccfit : public ::testing::TestWithParam<std::string> {};

TEST_P(Ccfit, MarksAtTheRootOnlyAndNoVictims) {
  Chain net(GetParam());
  net.mechanisms.marker = ccfit(*net.graph);
  const std::unique_ptr<Fabric> fabric = net.build();
  net.start(*fabric, microseconds(60));
  ASSERT_TRUE(fabric->run_until(microseconds(400), fabric::WhenIdle::stop));
  const fabric::MarkCounts& marks = net.mechanisms.marker->marks_b();
  EXPECT_EQ(marks.by_port[net.at_host(2)], marks.set);
  for (const std::uint32_t hot : {0U, 3U, 4U})
    EXPECT_GT(net.journal.marked_from(HostId(hot)), 100U);
  EXPECT_EQ(net.journal.marked_from(HostId(1)), 0U);
  EXPECT_EQ(net.mechanisms.marker->marks_a().set, 0U);
  EXPECT_EQ(net.journal.out_of_order(), 0U);
}

TEST_P(Ccfit, BeginsAboveHighAndEndsAtLow) {
  // What a packet at the root finds set aside, and whether it is marked.
  for (const char* toml :
       {"high = \"1 KiB\"\nlow = \"512 B\"", "high = \"1536 B\"\nlow = \"64 B\""}) {
    Chain net(GetParam());
    net.mechanisms.marker = ccfit(*net.graph, toml);
    const std::int64_t high = std::string(toml).find("1 KiB") != std::string::npos ? 1'024 : 1'536;
    const std::unique_ptr<Fabric> fabric = net.build();
    net.start(*fabric, microseconds(20));
    std::int64_t most = 0;
    std::uint64_t marked = 0;
    while (marked == 0 && fabric->now() < microseconds(20)) {
      fabric->run_until(fabric->now() + nanoseconds(4), fabric::WhenIdle::keep_time);
      for (const SetAsideLine& line : lines_of(*fabric)) {
        if (line.hops == 0 && !line.side.is_egress()) most = std::max(most, line.bytes);
      }
      marked = net.mechanisms.marker->marks_b().set;
    }
    EXPECT_GT(most, high);
    EXPECT_LE(most, high + 8 * 64);  // seen when the next packet leaves
    ASSERT_TRUE(fabric->run_until(microseconds(400), fabric::WhenIdle::stop));
    EXPECT_GT(net.mechanisms.marker->marks_b().set, 0U);
  }
}

TEST_P(Ccfit, ALowerLowMarksLonger) {
  std::vector<std::uint64_t> marks;
  for (const char* low : {"1 KiB", "64 B"}) {
    Chain net(GetParam());
    net.mechanisms.marker =
        ccfit(*net.graph, std::string("high = \"1 KiB\"\nlow = \"") + low + "\"");
    const std::unique_ptr<Fabric> fabric = net.build();
    net.start(*fabric, microseconds(30));
    ASSERT_TRUE(fabric->run_until(microseconds(400), fabric::WhenIdle::stop));
    marks.push_back(net.mechanisms.marker->marks_b().set);
  }
  EXPECT_LT(marks[0], marks[1]);
}

INSTANTIATE_TEST_SUITE_P(Models, Ccfit, ::testing::Values("fbicm", "recn", "recn-enhanced"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(CcfitSettings, NeedsIsolation) {
  fabric::testing::SmallNetwork net;
  net.graph = make_topology("single-switch", "hosts = 3", kLink);
  net.routing = "shortest-path";
  net.settings.architecture = fabric::Architecture::cioq;
  net.mechanisms.marker = ccfit(*net.graph);
  try {
    net.build();
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("isolation.model"), std::string::npos) << error.what();
  }
}

TEST(CcfitSettings, LowAboveHighIsAnError) {
  Chain net("fbicm");
  net.mechanisms.marker = ccfit(*net.graph, "high = \"512 B\"\nlow = \"1 KiB\"");
  EXPECT_THROW((void)net.build(), InputError);
}

}  // namespace
}  // namespace weir::isolation::testing
