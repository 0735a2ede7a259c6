#include "weir/reaction/delay_table.hpp"

#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing {
namespace {

TEST(CongestionControlTable, MarksMoveTheIndexUpToItsLimit) {
  Source source("congestion-control-table",
                "table = [\"0 ns\", \"100 ns\", \"300 ns\", \"700 ns\"]\nincrease = 2\n"
                "recover_by_acks = true");
  source.generate();
  source.inject();
  const Time end = source.now + nanoseconds(278);
  EXPECT_TRUE(source.may_inject());
  source.ack(kHot);
  EXPECT_EQ(source.earliest(), end + nanoseconds(300));
  source.generate();
  source.inject();
  source.ack(kHot);
  EXPECT_EQ(source.state().level, 3.0F);
  EXPECT_EQ(source.earliest(), end + nanoseconds(700));
  for (const float index : {2.0F, 1.0F, 0.0F, 0.0F}) {
    source.generate();
    source.inject();
    source.ack(kCold);
    EXPECT_EQ(source.state().level, index);
  }
}

// Ticks are at multiples of the timer, for all flows at once.
TEST(CongestionControlTable, TheTimerMovesTheIndexDown) {
  Source source("congestion-control-table", "slot = \"1 us\"\ntimer = \"10 us\"",
                fabric::AckMode::becn);
  source.now = microseconds(12);
  for (int i = 0; i < 5; ++i) source.ack(kHot);
  EXPECT_EQ(source.state().level, 5.0F);
  source.now = microseconds(19);
  source.ack(kHot);
  EXPECT_EQ(source.state().level, 6.0F);
  source.now = microseconds(20);
  source.ack(kHot);  // one tick, one mark
  EXPECT_EQ(source.state().level, 6.0F);
  source.now = microseconds(49);
  source.ack(kHot);
  EXPECT_EQ(source.state().level, 5.0F);
  source.now = milliseconds(1);
  source.ack(kHot);
  EXPECT_EQ(source.state().level, 1.0F);
}

TEST(CongestionControlTable, AWaitGetsShorterWhenATickComes) {
  DelayTableSettings settings;
  settings.slot = microseconds(4);
  settings.timer = microseconds(10);
  const DelayTable table(settings);
  FlowState flow;
  flow.level = 8;
  flow.origin = microseconds(2).count;
  flow.changed = microseconds(5).count;
  const auto at = [&](std::int64_t us) {
    return Time(table.earliest(flow, microseconds(us).count));
  };
  // 8 at first: until 34 us; 7 from 10 us on: 30; 6 from 20 us on: 26 us.
  EXPECT_EQ(at(5), microseconds(26));
  EXPECT_EQ(at(25), microseconds(26));
  EXPECT_EQ(at(26), microseconds(26));
  EXPECT_LE(at(27), microseconds(27));
  // With a slot of 15 us: 120, 105, 90, 75, 60 us; at the tick at 50 us index 3: until 47 us.
  settings.slot = microseconds(15);
  const DelayTable longer(settings);
  EXPECT_EQ(Time(longer.earliest(flow, microseconds(5).count)), microseconds(50));
  // The answer is the first time at which the same question finds the wait over.
  for (std::int64_t slot = 1; slot < 40; ++slot) {
    settings.slot = Time(microseconds(slot).count + 7);
    const DelayTable any(settings);
    const std::int64_t found = any.earliest(flow, flow.changed);
    for (std::int64_t t = flow.changed; t < found; t += 100'000) {
      ASSERT_GT(any.earliest(flow, t), t) << slot;
    }
    ASSERT_GT(any.earliest(flow, found - 1), found - 1) << slot;
    ASSERT_LE(any.earliest(flow, found), found) << slot;
  }
}

// Pfister: T = 278 ns, P = 8 ports of a switch, 102 sources: after 8 marks a source is at its
// share.
TEST(CongestionControlTable, SlotsForAHotSpotDegree) {
  Source source("congestion-control-table",
                "hot_spot_degree = 102\nlength = 0\nrecover_by_acks = true");
  EXPECT_EQ(source.reaction->notes()[0],
            "reaction congestion-control-table: 3.5445 us an index, no limit, timer 907392 ns");
  Source share("congestion-control-table",
               "hot_spot_degree = 102\nlength = 0\nslot_rule = \"share\"\ntimer_factor = 8.0");
  EXPECT_EQ(share.reaction->notes()[0],
            "reaction congestion-control-table: 28356 ns an index, no limit, timer 226848 ns");
  Source quick("congestion-control-table",
               "hot_spot_degree = 102\nlength = 0\ntimer_factor = 1.0");
  EXPECT_NE(quick.reaction->notes()[1].find("takes back what marks add"), std::string::npos);
  Source marked("congestion-control-table",
                "hot_spot_degree = 102\nlength = 0\nrecover_by_acks = true\ntimer = \"0 ps\"");
  for (int i = 0; i < 8; ++i) {
    marked.generate();
    marked.inject();
    marked.ack(kHot);
  }
  marked.generate();
  EXPECT_EQ(marked.earliest(), marked.now + nanoseconds(278 + 28'356));
  for (int i = 0; i < 1'000; ++i) {
    marked.generate();
    marked.inject();
    marked.ack(kHot);
  }
  EXPECT_EQ(marked.state().level, 1'008.0F);
  Source ports("congestion-control-table",
               "hot_spot_degree = 102\nswitch_ports = 4\ntimer = \"1 us\"");
  EXPECT_EQ(ports.reaction->notes()[0],
            "reaction congestion-control-table: 7089 ns an index, limit 127, timer 1 us");
}

// A source with its share of a full hot link hears an ACK every T x HSD.
TEST(CongestionControlTable, TheIndexRisesOnAFullHotLink) {
  Source source("congestion-control-table",
                "hot_spot_degree = 102\nlength = 0\nrecover_by_acks = true");
  const Time share = nanoseconds(278 * 102);
  float before = 0;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 100; ++i) {
      source.generate();
      source.inject();
      source.now += share;
      source.ack(kHot);
    }
    EXPECT_GT(source.state().level, before + 90);
    before = source.state().level;
  }
}

TEST(CongestionControlTable, MinimumHoldsTheIndexUp) {
  Source source("congestion-control-table",
                "slot = \"1 us\"\nminimum = 2\ntimer = \"1 us\"\nlimit = 3");
  source.generate();
  EXPECT_EQ(source.state().level, 2.0F);
  source.inject();
  EXPECT_EQ(source.earliest(), source.now + nanoseconds(2'278));
  source.ack(kHot);
  source.generate();
  source.inject();
  source.ack(kHot);
  EXPECT_EQ(source.state().level, 3.0F);
  source.now += milliseconds(1);
  source.generate();
  EXPECT_EQ(source.state().level, 2.0F);
}

TEST(CongestionControlTable, ServiceLevelsOfAHostShareAnIndex) {
  Source source("congestion-control-table",
                "slot = \"1 us\"\nscope = \"service-level\"\nrecover_by_acks = true");
  for (const std::uint32_t flow : {0U, 1U}) source.generate(flow);
  source.inject(0);
  source.ack(kHot, 0);
  EXPECT_EQ(source.earliest(1), source.now + nanoseconds(1'278));
  fabric::Message other = Source::message(1);
  other.service_level = 3;
  source.reaction->on_generated(other, source.now);
  EXPECT_LE(source.reaction->may_inject(other, source.now), source.now);
}

}  // namespace
}  // namespace weir::reaction::testing
