#include <gtest/gtest.h>

#include "selection/mock_view.hpp"

namespace weir::selection::test {
namespace {

using fabric::Selected;

Selected select(const std::string& toml, const Outputs& outputs) {
  RandomStream random(1, 2, StreamPurpose::selection);
  const fabric::Packet packet;
  MockView view(outputs, random, packet);
  return make_selection("adaptive-threshold", toml)->select(view);
}

/// The default output of class capacity `packets` has `filled` of them filled; the others are free.
Outputs filled(std::int64_t packets, std::int64_t filled) {
  Outputs outputs{{{4, 0}, {5, 0}, {6, 0}}, {}, {}, {}, packets * 4096};
  outputs.credits = {{4, (packets - filled) * 4096}, {5, packets * 4096 - 1}, {6, packets * 4096}};
  outputs.adapted_credits = {{4, 0}, {5, 1000}, {6, 10}};
  return outputs;
}

TEST(AdaptiveThreshold, LeavesTheDefaultRouteOnlyAboveTheThreshold) {
  // rocher2021, section 3.3, integer thresholds: above 75 % from this many packets.
  const std::pair<int, int> from[] = {{84, 64}, {42, 32}, {28, 22}, {21, 16}};
  for (const auto& [capacity, first] : from) {
    EXPECT_EQ(select("", filled(capacity, first - 1)).output.port, 4) << capacity;
    EXPECT_EQ(select("", filled(capacity, first)).output.port, 6) << capacity;
  }
}

TEST(AdaptiveThreshold, ThresholdIsAParameter) {
  EXPECT_EQ(select("threshold = 0.5", filled(84, 42)).output.port, 4);
  EXPECT_EQ(select("threshold = 0.5", filled(84, 43)).output.port, 6);
}

TEST(AdaptiveThreshold, StaysWhereNothingElseLeads) {
  Outputs outputs = filled(84, 84);
  outputs.allowed = {{4, 0}};
  const Selected selected = select("isolation = \"afi\"", outputs);
  EXPECT_EQ(selected.output.port, 4);
  EXPECT_FALSE(selected.adapts);
}

TEST(AdaptiveThreshold, WithIsolationLooksAtTheClassOfAdaptedPacketsAndMarks) {
  const Selected selected = select("isolation = \"afi\"", filled(84, 80));
  EXPECT_EQ(selected.output.port, 5);
  EXPECT_TRUE(selected.adapts);
  EXPECT_FALSE(select("", filled(84, 80)).adapts);
}

TEST(AdaptiveThreshold, APacketThatStaysIsNotAdapted) {
  Outputs outputs = filled(84, 80);
  outputs.adapted_credits = {{4, 5000}, {5, 1000}, {6, 10}};
  const Selected selected = select("isolation = \"afi\"", outputs);
  EXPECT_EQ(selected.output.port, 4);
  EXPECT_FALSE(selected.adapts);
}

}  // namespace
}  // namespace weir::selection::test
