#include <gtest/gtest.h>

#include "reaction/reaction_fixture.hpp"

namespace weir::reaction::testing {
namespace {

struct Step {
  std::uint8_t marks;
  int window;
  int steps;
  std::int64_t wait;  ///< ns, after the ACK
};

// ferrer2012, section 6.2.2, rows 1 to 14.
constexpr Step kTrace[] = {{kWarm, 1, 0, 0},     {kWarm, 1, 0, 0},     {kHot, 1, 1, 354},
                           {kHot, 1, 2, 1'416},  {kWarm, 1, 2, 1'416}, {kHot, 1, 3, 5'664},
                           {kHot, 1, 4, 22'656}, {kHot, 1, 5, 90'624}, {kHot, 1, 5, 90'624},
                           {kCold, 1, 0, 0},     {kCold, 2, 0, 0},     {kCold, 2, 0, 0},
                           {kHot, 1, 0, 0},      {kHot, 1, 1, 354}};

void expect_trace(std::uint8_t warm) {
  Source source("dynamic-window");
  EXPECT_EQ(source.state().window, 2);
  source.generate();  // the flow is backlogged: this one waits behind all others
  int row = 1;
  for (const Step& step : kTrace) {
    SCOPED_TRACE(row++);
    source.exchange(step.marks == kWarm ? warm : step.marks);
    EXPECT_EQ(source.state().window, step.window);
    EXPECT_EQ(source.state().level, static_cast<float>(step.steps));
    EXPECT_EQ(source.earliest(), source.now + nanoseconds(step.wait));
  }
  // Row 15: the queue runs empty, then a packet comes.
  source.now = source.earliest();
  source.inject();
  source.now += nanoseconds(354);
  source.ack(kWarm);
  EXPECT_EQ(source.state().level, 1.0F);
  source.generate();
  EXPECT_EQ(source.state().window, 2);
  EXPECT_EQ(source.state().level, 0.0F);
  EXPECT_TRUE(source.may_inject());
}

TEST(DynamicWindow, FollowsTheReferenceTrace) { expect_trace(kWarm); }

// IOPM: either bit alone is warm.
TEST(DynamicWindow, FollowsTheReferenceTraceWithTheOtherBit) {
  expect_trace(fabric::packet_flag::kMarkB);
}

TEST(DynamicWindow, KeepsToItsWindow) {  // P1
  Source source("dynamic-window");
  for (int i = 0; i < 4; ++i) source.generate();
  source.inject();
  EXPECT_TRUE(source.may_inject());
  source.inject();
  EXPECT_EQ(source.earliest(), Time::max());
  // The window falls below what is on its way: ACKs free it first.
  source.ack(kHot);
  EXPECT_EQ(source.state().outstanding, 1U);
  EXPECT_EQ(source.earliest(), Time::max());
  source.ack(kCold);
  EXPECT_TRUE(source.may_inject());
}

TEST(DynamicWindow, RecoversWithAsManyAcksAsTheWindowHasPackets) {  // P2
  for (const int size : {2, 3, 5}) {
    Source source("dynamic-window", "window = " + std::to_string(size));
    source.generate();
    for (int i = 0; i < size + 3; ++i) source.exchange(kHot);
    EXPECT_EQ(source.state().window, 1);
    EXPECT_EQ(source.state().level, 4.0F);
    for (int i = 1; i < size; ++i) source.exchange(kCold);
    EXPECT_EQ(source.state().window, size - 1);
    source.exchange(kCold);
    EXPECT_EQ(source.state().window, size);
    EXPECT_EQ(source.state().level, 0.0F);
    // Without slots one less.
    for (int i = 1; i < size; ++i) source.exchange(kHot);
    EXPECT_EQ(source.state().window, 1);
    for (int i = 1; i < size; ++i) source.exchange(kCold);
    EXPECT_EQ(source.state().window, size);
  }
}

TEST(DynamicWindow, WarmAcksNeverChangeTheSlots) {  // P3
  Source source("dynamic-window");
  source.generate();
  for (int i = 0; i < 3; ++i) source.exchange(kHot);
  for (int i = 0; i < 20; ++i) {
    source.exchange(kWarm);
    EXPECT_EQ(source.state().level, 2.0F);
  }
}

TEST(DynamicWindow, StopsAtTheLastStep) {  // P4
  Source source("dynamic-window");
  source.generate();
  for (int i = 0; i < 30; ++i) source.exchange(kHot);
  EXPECT_EQ(source.state().level, 5.0F);
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["delay_increases"], 5);
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["window_reductions"], 1);
  // At the cap an ACK only makes the wait begin anew.
  EXPECT_EQ(source.earliest(), source.now + nanoseconds(90'624));
  Source further("dynamic-window", "count_first_step = false");
  further.generate();
  for (int i = 0; i < 30; ++i) further.exchange(kHot);
  EXPECT_EQ(further.earliest(), further.now + nanoseconds(4 * 90'624));
  Source unlimited("dynamic-window", "slots = \"unlimited\"");
  unlimited.generate();
  for (int i = 0; i < 9; ++i) unlimited.exchange(kHot);
  EXPECT_EQ(unlimited.earliest(), unlimited.now + nanoseconds(354 * 16'384));
}

TEST(DynamicWindow, LeavesOtherFlowsAlone) {  // P6
  Source source("dynamic-window");
  for (const std::uint32_t flow : {0U, 1U}) source.generate(flow);
  for (int i = 0; i < 5; ++i) source.exchange(kHot, 0);
  EXPECT_FALSE(source.may_inject(0));
  EXPECT_TRUE(source.may_inject(1));
  EXPECT_EQ(source.state(1).window, 2);
}

TEST(DynamicWindow, StartsAfreshOnlyWhenAllIsAcknowledged) {
  for (const bool acknowledged : {true, false}) {
    Source source("dynamic-window", acknowledged ? "" : "empty = \"injected\"");
    source.generate();
    source.generate();
    source.inject();
    source.inject();
    source.ack(kHot);
    EXPECT_EQ(source.state().window, 1);
    source.generate();  // one packet is still on its way
    EXPECT_EQ(source.state().window, acknowledged ? 1 : 2);
    EXPECT_EQ(fabric::testing::Told(*source.reaction)["fresh_starts"], acknowledged ? 0 : 1);
  }
}

TEST(DynamicWindow, ProgressiveRecoveryNeedsAcks) {
  Source source("dynamic-window", "recovery = \"progressive\"");
  for (int i = 0; i < 3; ++i) source.exchange(kHot);
  EXPECT_EQ(source.state().level, 2.0F);
  source.now += milliseconds(1);
  source.generate();
  EXPECT_EQ(source.state().level, 2.0F);
  EXPECT_EQ(source.state().window, 1);
}

TEST(DynamicWindow, WithoutWindowMarksMoveTheSlotsAtOnce) {
  Source source("dynamic-window", "window_kind = \"none\"");
  for (int i = 0; i < 4; ++i) source.generate();
  source.inject();
  const Time injected = source.now;
  source.now += nanoseconds(10);
  EXPECT_TRUE(source.may_inject());
  source.ack(kWarm);
  EXPECT_TRUE(source.may_inject());
  source.inject();
  source.now += nanoseconds(10);
  source.ack(kHot);
  // It counts from the injection, else the many ACKs would put it off again and again.
  EXPECT_EQ(source.earliest(), injected + nanoseconds(10 + 354));
}

TEST(DynamicWindow, StaticWindowsDoNotMove) {
  Source source("dynamic-window", "window_kind = \"static\"\nwindow = 4");
  source.generate();
  for (int i = 0; i < 3; ++i) source.exchange(kWarm);
  EXPECT_EQ(source.state().level, 0.0F);
  source.exchange(kHot);
  EXPECT_EQ(source.state().level, 1.0F);
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["window_reductions"], 0);
}

TEST(DynamicWindow, LinearSlotsGrowAndGoOneByOne) {
  Source source("dynamic-window",
                "slots = \"linear\"\nslot = \"100 ns\"\nslot_removal = \"one\"\nslot_steps = 3");
  source.generate();
  source.exchange(kHot);
  for (const int wait : {100, 200, 300, 300}) {
    source.exchange(kHot);
    EXPECT_EQ(source.earliest(), source.now + nanoseconds(wait));
  }
  for (const int wait : {200, 100, 0}) {
    source.exchange(kCold);
    EXPECT_EQ(source.earliest(), source.now + nanoseconds(wait));
  }
}

TEST(DynamicWindow, WaitsThatCountFromInjectionsSpacePackets) {
  Source source("dynamic-window", "wait_from = \"injection\"");
  source.generate();
  for (int i = 0; i < 3; ++i) source.exchange(kHot);
  // The packet left a round trip ago.
  EXPECT_EQ(source.earliest(), source.now + nanoseconds(3 * 354));
}

TEST(DynamicWindow, FractionalWindowsHaveTheRightMean) {
  Source source("dynamic-window", "fractional = true");
  double sum = 0;
  constexpr int kAcks = 2'560;
  for (int i = 0; i < 3; ++i) source.generate();
  for (int i = 0; i < kAcks; ++i) {
    source.exchange(kCold);
    sum += source.state().window;
  }
  EXPECT_NEAR(sum / kAcks, 354.0 / 278, 1.0 / 256);
  source.exchange(kHot);
  source.exchange(kHot);
  EXPECT_EQ(source.state().window, 1);
  EXPECT_GT(source.state().level, 0.0F);
}

TEST(DynamicWindow, ForgetsFlowsThatAreAsAtTheBeginning) {
  Source source("dynamic-window");
  for (std::uint32_t flow = 0; flow < 1'000; ++flow) source.exchange(kCold, flow);
  EXPECT_EQ(source.flows().active(), 0U);
  for (std::uint32_t flow = 0; flow < 10; ++flow) source.exchange(kHot, flow);
  EXPECT_EQ(source.flows().active(), 10U);
  for (std::uint32_t flow = 0; flow < 10; ++flow) source.exchange(kCold, flow);
  EXPECT_EQ(source.flows().active(), 0U);
  EXPECT_LT(source.reaction->memory(), 100'000U);
}

TEST(DynamicWindow, CountsPacketsThatWaitedBecauseOfMarks) {
  Source source("dynamic-window");
  for (int i = 0; i < 4; ++i) source.generate();
  source.inject();
  source.inject();
  EXPECT_FALSE(source.may_inject());  // a full window is no throttling
  source.ack(kCold);
  source.inject();
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["packets_held"], 0);
  source.ack(kHot);
  EXPECT_FALSE(source.may_inject());
  source.ack(kHot);
  EXPECT_FALSE(source.may_inject());
  source.now = source.earliest();
  source.inject();
  EXPECT_EQ(fabric::testing::Told(*source.reaction)["packets_held"], 1);
}

TEST(DynamicWindow, LostPacketsFreeTheWindow) {
  Source source("dynamic-window");
  for (int i = 0; i < 3; ++i) source.generate();
  source.inject();
  source.inject();
  fabric::Packet ack;
  ack.flags = fabric::packet_flag::kAck;
  source.reaction->on_lost(ack, source.now);
  EXPECT_TRUE(source.may_inject());
  source.reaction->check(false);
}

TEST(DynamicWindow, SaysWhatFollowsFromTheNetwork) {
  const auto notes = Source("dynamic-window").reaction->notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0],
            "reaction dynamic-window: dynamic window of 2, slots of 354 ns times 4 up to step 5, "
            "counted from ACKs; h = 9 switches of 3 ns, RTT_min 354 ns, omega 1.273");
  const Source blind("dynamic-window", "", fabric::AckMode::in_band, false);
  ASSERT_EQ(blind.reaction->notes().size(), 2U);
  EXPECT_NE(blind.reaction->notes()[1].find("marking.model = \"none\""), std::string::npos);
}

TEST(DynamicWindow, TakesConstantsFromKeys) {
  Source source("dynamic-window",
                "hops = 3\nhop_time = \"10 ns\"\nslot_factor = 2.0\nslot_steps = 2");
  EXPECT_NE(source.reaction->notes()[0].find("slots of 360 ns times 2 up to step 2"),
            std::string::npos)
      << source.reaction->notes()[0];
}

std::string error_of(const std::string& model, const std::string& toml,
                     fabric::AckMode acks = fabric::AckMode::in_band) {
  try {
    Source source(model, toml, acks);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReactionErrors, NameBothKeys) {
  using fabric::AckMode;
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong{
      {error_of("dynamic-window", "", AckMode::none), {"host.acks", "reaction.model", "in-band"}},
      {error_of("static-window", "", AckMode::none), {"host.acks", "reaction.model"}},
      {error_of("static-window", "", AckMode::becn), {"host.acks", "becn", "window"}},
      {error_of("dynamic-window", "", AckMode::becn), {"host.acks", "becn", "window"}},
      {error_of("lipd", "window_kind = \"none\"", AckMode::becn),
       {"host.acks", "recovery", "becn"}},
      {error_of("dynamic-window", "window = 0"), {"window", "0"}},
      {error_of("dynamic-window", "window = 1.5"), {"window", "fractional"}},
      {error_of("dynamic-window", "window = 256"), {"window", "255"}},
      {error_of("dynamic-window", "window_kind = \"none\"\nwindow = 2"), {"window", "window_kind"}},
      {error_of("dynamic-window", "window_kind = \"none\"\nslots = \"off\""),
       {"slots", "window_kind"}},
      {error_of("dynamic-window", "slots = \"off\"\nslot = \"1 us\""), {"slot", "off"}},
      {error_of("dynamic-window", "slots = \"unlimited\"\nslot_steps = 3"),
       {"slot_steps", "unlimited"}},
      {error_of("dynamic-window", "slots = \"linear\"\nslot_factor = 3.0"),
       {"slot_factor", "linear"}},
      {error_of("dynamic-window", "window_kind = \"static\"\nfractional = true"),
       {"fractional", "window_kind"}},
      {error_of("lipd", "window_kind = \"none\"\nwindow = 2"), {"window", "window_kind"}},
      {error_of("pipd", "rate_unit = 1e5"), {"rate_unit", "least_rate"}},
      {error_of("congestion-control-table", "timer = \"0 ps\""), {"timer", "recover_by_acks"}},
      {error_of("congestion-control-table", "timer = \"1 us\"\nlimit = 128"), {"limit", "127"}},
      {error_of("congestion-control-table", "timer = \"1 us\"\ntable = [\"0 ns\", \"-5 ns\"]"),
       {"table", "entry 1"}},
      {error_of("congestion-control-table",
                "timer = \"1 us\"\ntable = [\"0 ns\", \"50 ns\", \"40 ns\"]"),
       {"table", "entry 2", "50 ns"}},
      {error_of("congestion-control-table",
                "timer = \"1 us\"\ntable = [\"0 ns\", \"5 ns\"]\nlimit = 2"),
       {"limit", "beyond", "1"}},
      {error_of("congestion-control-table", "timer = \"1 us\"\nminimum = 200"), {"minimum", "127"}},
      {error_of("congestion-control-table", "timer = \"1 us\"\nminimum = 3\nlimit = 3"),
       {"minimum", "limit", "nothing"}},
      {error_of("congestion-control-table", "timer = \"1 us\"\nlength = 1"), {"length", "nothing"}},
      {error_of("congestion-control-table", "recover_by_acks = true", AckMode::becn),
       {"host.acks", "recover_by_acks"}},
      {error_of("congestion-control-table",
                "timer = \"1 us\"\nscope = \"service-level\"\nwindow_kind = \"static\""),
       {"scope", "window_kind"}},
      {error_of("by-service-level", "parts = []"), {"parts"}},
      {error_of("by-service-level", "parts = [{ service_levels = [16], model = \"lipd\" }]"),
       {"service_levels", "15"}},
      {error_of("by-service-level", "parts = [{ service_levels = [1], model = \"lipdd\" }]"),
       {"reaction.parts[0].model", "lipd"}},
      {error_of("by-service-level",
                "parts = [{ service_levels = [1], model = \"lipd\", least = 0.1 }]"),
       {"reaction.parts[0].least", "least_rate"}},
      {error_of("by-service-level",
                "parts = [{ service_levels = [1], model = \"lipd\" }, { service_levels = [0, 1], "
                "model = \"fimd\" }]"),
       {"parts", "level 1"}},
  };
  for (const auto& [text, words] : wrong) {
    for (const std::string& word : words) {
      EXPECT_NE(text.find(word), std::string::npos) << "'" << word << "' is not in: " << text;
    }
  }
}

}  // namespace
}  // namespace weir::reaction::testing
