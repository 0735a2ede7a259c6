#include <gtest/gtest.h>

#include <cmath>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing {
namespace {

constexpr double kPacket = 278;  // ns

TEST(RateReaction, PacesPacketsByTheRate) {
  Source source("fimd", "window = 8");
  source.generate();
  source.generate();
  source.inject();
  const Time first = source.now;
  EXPECT_EQ(source.earliest(), first + nanoseconds(256 * 278));
  // An ACK while it waits raises the rate, and shortens the wait: n^(R_min / r) = 4.
  source.now += nanoseconds(354);
  source.ack(kCold);
  EXPECT_EQ(source.earliest(), first + nanoseconds(64 * 278));
  source.now = source.earliest();
  source.inject();
  source.ack(kCold);
  EXPECT_NEAR(source.state().level, 4.0 / 256 * std::pow(4.0, 1.0 / 4), 1e-8);
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["delay_reductions"], 2);
}

TEST(RateReaction, MarksLowerTheRateDownToTheLeast) {
  Source source("aimd", "start = \"full\"\nleast_rate = 0.01\nwindow_kind = \"none\"");
  source.generate();
  for (const double rate : {0.25, 0.0625, 0.015625, 0.01, 0.01}) {
    source.exchange(kHot);
    EXPECT_FLOAT_EQ(source.state().level, static_cast<float>(rate));
  }
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["delay_increases"], 4);
}

TEST(RateReaction, TimeBringsTheRateBack) {
  Source source("fimd", "factor = 2.0\nrecovery = \"elapsed-time\"\nstart = \"full\"\nwindow = 1");
  source.generate();
  for (int i = 0; i < 3; ++i) source.exchange(kHot);
  const double low = source.state().level;
  EXPECT_NEAR(low, 0.125, 0.003);  // a little more: time has passed between the marks
  source.generate();
  source.now += nanoseconds(static_cast<std::int64_t>(256 * kPacket));
  source.inject();  // 1 / R_min packet times: twice the rate
  EXPECT_NEAR(source.state().level, 2 * low, 1e-4);
  source.ack(kCold);  // ACKs do nothing
  EXPECT_NEAR(source.state().level, 2 * low, 1e-4);
  source.now += milliseconds(10);
  source.generate();
  source.inject();
  EXPECT_EQ(source.state().level, 1.0F);
}

TEST(RateReaction, FlowsKeepTheirRateWhenTheyRunEmpty) {
  Source source("pipd", "rate_unit = 1000.0");
  source.exchange(kCold);
  const float rate = source.state().level;
  EXPECT_GT(rate, 1.0F / 256);
  source.now += milliseconds(1);
  source.generate();
  EXPECT_EQ(source.state().level, rate);
}

TEST(LinearDelay, AddsAndTakesAwaySlotsOfAPacketTime) {
  Source source("lipd", "window = 1");
  source.generate();
  source.generate();
  for (int slots = 1; slots < 4; ++slots) {
    source.generate();
    source.inject();
    const Time end = source.now + nanoseconds(278);
    source.ack(kHot);
    EXPECT_EQ(source.earliest(), end + nanoseconds(slots * 278));
    source.now = source.earliest();
  }
  for (const float slots : {2.0F, 1.0F, 0.0F, 0.0F}) {
    source.exchange(kCold);
    EXPECT_EQ(source.state().level, slots);
  }
}

TEST(LinearDelay, HasABoundAndRecoversWithTime) {
  Source source("lipd",
                "least_rate = 0.2\nrecovery = \"elapsed-time\"\nslot = \"100 ns\"\nwindow = 1");
  source.generate();
  for (int i = 0; i < 20; ++i) {
    source.inject();
    source.generate();
    source.ack(kHot);
  }
  EXPECT_EQ(source.state().level, 4.0F);
  source.generate();
  source.now += nanoseconds(1'000);  // 10 slots, 0.2 each
  source.inject();
  EXPECT_NEAR(source.state().level, 2, 1e-5);
  source.ack(kCold);
  source.now += nanoseconds(2'000);
  source.generate();
  source.inject();
  EXPECT_EQ(source.state().level, 0.0F);
}

TEST(ByServiceLevel, GivesEachLevelItsReaction) {
  Source source("by-service-level",
                "parts = [{ service_levels = [0], model = \"fimd\" }, { service_levels = [1, 2], "
                "model = \"pipd\", rate_unit = 1000.0, least_rate = 0.0078125 }]");
  const auto first = [&](std::uint8_t level) {
    fabric::Message m = Source::message(level);
    m.service_level = level;
    source.reaction->on_generated(m, source.now);
    source.reaction->on_generated(m, source.now);
    m.unsent = 0;
    fabric::Packet packet;
    packet.size = 278;
    source.reaction->on_injected(m, packet, source.now);
    return source.reaction->may_inject(m, source.now) - source.now;
  };
  EXPECT_EQ(first(0), nanoseconds(256 * 278));
  EXPECT_EQ(first(1), nanoseconds(128 * 278));
  EXPECT_EQ(first(3), Time(0));
  EXPECT_TRUE(fabric::testing::Told(*source.reaction).has("injection_rate"));
  source.reaction->check(false);
}

// A saturated host that has to wait looks for other flows that may go: it has nothing of them yet.
TEST(Reactions, AnswerForFlowsWithoutState) {
  for (const char* model : {"static-window", "dynamic-window", "lipd", "aimd", "fimd", "pipd",
                            "congestion-control-table"}) {
    SCOPED_TRACE(model);
    Source source(model);
    EXPECT_TRUE(source.may_inject(7));
    source.generate();
    source.inject();
    EXPECT_TRUE(source.may_inject(7));
    EXPECT_TRUE(source.may_inject(400));
  }
}

}  // namespace
}  // namespace weir::reaction::testing
