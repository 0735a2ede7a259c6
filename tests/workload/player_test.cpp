#include "weir/workload/player.hpp"

#include "tests/workload/play.hpp"

namespace weir::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Time ns(std::int64_t n) { return nanoseconds(n); }

std::string two(const std::string& zero, const std::string& one) {
  return "num_ranks 2\nrank 0 {\n" + zero + "}\nrank 1 {\n" + one + "}\n";
}

TEST(Player, AMessageTakesItsTimeThroughTheNetwork) {
  Stage stage(2);
  const auto report = stage.play(two("send 1000b to 1\n", "recv 1000b from 0\n"));
  EXPECT_THAT(report.finish, ElementsAre(Time(0), Stage::transfer(1000)));
  EXPECT_EQ(stage.messages, 1U);
  EXPECT_EQ(report.operations_left, 0U);
}

TEST(Player, PingPongAddsUp) {
  const auto report = Stage(2).play(
      two("a: send 100b to 1\nb: recv 300b from 1\nc: calc 50\nb requires a\nc requires b\n",
          "a: recv 100b from 0\nb: calc 7\nc: send 300b to 0\nb requires a\nc requires b\n"));
  const Time there = Stage::transfer(100) + ns(7);
  EXPECT_THAT(report.finish, ElementsAre(there + Stage::transfer(300) + ns(50), there));
  EXPECT_THAT(report.computing, ElementsAre(ns(50), ns(7)));
}

TEST(Player, OneCpuDoesOneThingAtATimeAndTwoCpusTwo) {
  EXPECT_THAT(Stage(2).play("num_ranks 1\nrank 0 {\ncalc 30\ncalc 50\n}\n").finish,
              ElementsAre(ns(80)));
  EXPECT_THAT(Stage(2).play("num_ranks 1\nrank 0 {\ncalc 30\ncalc 50 cpu 1\n}\n").finish,
              ElementsAre(ns(50)));
}

TEST(Player, CalculationsOverlapMessages) {
  // The message travels while rank 0 and rank 1 compute.
  const auto report = Stage(2).play(two("a: send 1000b to 1\nb: calc 500\nb requires a\n",
                                        "a: recv 1000b from 0\nb: calc 500 cpu 1\n"));
  EXPECT_THAT(report.finish, ElementsAre(ns(500), ns(500)));
}

TEST(Player, ARunningCalculationHoldsTheReceiveOfItsCpuUp) {
  const auto report = Stage(2).play(two("send 1000b to 1\n",
                                        "a: recv 1000b from 0\nb: calc 500\nc: calc 20 cpu 1\n"
                                        "c requires a\n"));
  EXPECT_EQ(Stage::transfer(1000), ns(140));
  EXPECT_THAT(report.finish, ElementsAre(Time(0), ns(520)));
}

TEST(Player, IrequiresWaitsForTheBeginningOnly) {
  // b may begin when a has begun, c when a is done.
  const std::string text =
      "num_ranks 1\nrank 0 {\nz: calc 10\na: calc 100\n"
      "b: calc 5 cpu 1\nc: calc 5 cpu 2\nd: calc 200 cpu 2\n"
      "a requires z\nb irequires a\nc requires a\nd requires b\n}\n";
  // d: 10 + 5 + 200 on CPU 2; c waits for that CPU.
  EXPECT_THAT(Stage(2).play(text).finish, ElementsAre(ns(220)));
}

TEST(Player, IrequiresAReceiveWaitsForItsPosting) {
  const auto report = Stage(2).play(two("a: calc 300\nb: send 1000b to 1\nb requires a\n",
                                        "a: recv 1000b from 0\nb: calc 20\nb irequires a\n"
                                        "c: calc 30\nc requires b\n"));
  EXPECT_THAT(report.finish, ElementsAre(ns(300), ns(440)));
}

TEST(Player, OverheadsKeepTheCpuBusyAtBothEnds) {
  PlayerSettings settings;
  settings.overhead = ns(40);
  const auto report = Stage(3).play(
      "num_ranks 3\nrank 0 {\nsend 100b to 1\nsend 100b to 2\n}\n"
      "rank 1 {\nrecv 100b from 0\n}\nrank 2 {\nrecv 100b from 0\n}\n",
      settings);
  EXPECT_THAT(report.finish,
              ElementsAre(ns(80), ns(80) + Stage::transfer(100), ns(120) + Stage::transfer(100)));
}

TEST(Player, AnEarlyMessageWaitsForItsReceive) {
  const auto report = Stage(2).play(two("send 100b to 1\nsend 200b to 1 tag 1\n",
                                        "a: calc 1000\nb: recv 100b from 0\n"
                                        "c: recv 200b from 0 tag 1\nb requires a\nc requires b\n"));
  EXPECT_THAT(report.finish, ElementsAre(Time(0), ns(1000)));
  EXPECT_EQ(report.unexpected_max, 2U);
}

TEST(Player, TagsDecideWhichMessageAReceiveTakes) {
  // The big message of tag 1 is sent first; the receive of tag 2 does not wait for it alone.
  const auto report = Stage(2).play(two("a: send 10000b to 1 tag 1\nb: send 100b to 1 tag 2\n",
                                        "a: recv 100b from 0 tag 2\nb: calc 10000\nb requires a\n"
                                        "c: recv 10000b from 0 tag 1\n"));
  // One FIFO at the host: 10 100 bytes behind each other.
  EXPECT_EQ(report.finish[1], Stage::transfer(10100) + ns(10000));
}

TEST(Player, AnySourceTakesWhoeverComesFirst) {
  const auto report = Stage(3).play(
      "num_ranks 3\nrank 0 {\na: recv 1b from -1 tag -1\nb: calc 100\n"
      "c: recv 1b from -1 tag -1\nb requires a\nc requires b\n}\n"
      "rank 1 {\na: calc 500\nb: send 1b to 0 tag 3\nb requires a\n}\n"
      "rank 2 {\nsend 1b to 0 tag 9\n}\n");
  EXPECT_EQ(report.finish[0], ns(500) + Stage::transfer(1));
}

TEST(Player, RendezvousHoldsTheSenderUntilItsReceiveTakesTheMessage) {
  const std::string text = two("a: send 1000b to 1\nb: calc 10\nb requires a\n",
                               "a: calc 5000\nb: recv 1000b from 0\nb requires a\n");
  EXPECT_EQ(Stage(2).play(text).finish[0], ns(10));
  PlayerSettings settings;
  settings.rendezvous = Bytes(999);
  // The sender knows a cable later.
  EXPECT_EQ(Stage(2).play(text, settings).finish[0], ns(5040));
  settings.rendezvous = Bytes(1000);
  EXPECT_EQ(Stage(2).play(text, settings).finish[0], ns(10));
}

TEST(Player, RanksOnOneHostTalkInNoTime) {
  Stage stage(2);
  const auto report = stage.play(two("a: calc 20\nb: send 1000000b to 1\nb requires a\n",
                                     "a: recv 1000000b from 0\nb: send 5b to 1\nc: recv 5b from 1\n"
                                     "b requires a\n"),
                                 {}, {HostId(1), HostId(1)});
  EXPECT_THAT(report.finish, ElementsAre(ns(20), ns(20)));
  EXPECT_EQ(stage.messages, 0U);
}

TEST(Player, EmptyMessagesTravelAsOneByte) {
  EXPECT_EQ(Stage(2).play(two("send 0b to 1\n", "recv 0b from 0\n")).finish[1], Stage::transfer(1));
}

TEST(Player, TimesCountFromTheStart) {
  PlayerSettings settings;
  settings.start = microseconds(3);
  const auto report = Stage(3).play(
      "num_ranks 3\nrank 0 {\nsend 9b to 1\n}\n"
      "rank 1 {\nrecv 9b from 0\n}\n",
      settings);
  EXPECT_THAT(report.finish, ElementsAre(Time(0), Stage::transfer(9), Time(0)));
}

TEST(Player, DeadlocksAreToldWithTheOperationsThatWait) {
  const std::string text = two("a: recv 5b from 1\nb: send 5b to 1\nb requires a\n",
                               "a: recv 5b from 0\nb: send 5b to 0\nb requires a\n");
  const std::string problem = error_of<RunError>([&] { (void)Stage(2).play(text); });
  EXPECT_THAT(problem, HasSubstr("deadlocked at 0 ps"));
  EXPECT_THAT(problem, HasSubstr("2 operations wait for a partner and 2 behind them"));
  EXPECT_THAT(problem, HasSubstr("rank 0: recv 5b from 1 tag 0 (line 3)"));
  EXPECT_THAT(problem, HasSubstr("rank 1: recv 5b from 0 tag 0 (line 8)"));
}

TEST(Player, SameScheduleSameTrajectory) {
  std::string text = "num_ranks 4\n";
  for (int r = 0; r < 4; ++r) {
    text += "rank " + std::to_string(r) + " {\n";
    for (int other = 0; other < 4; ++other) {
      if (other == r) continue;
      text += "send 9000b to " + std::to_string(other) + "\n";
      text += "recv 9000b from " + std::to_string(other) + "\n";
    }
    text += "}\n";
  }
  Stage stage(4);
  const auto first = stage.play(text).finish;
  const std::uint64_t fingerprint = stage.fingerprint;
  EXPECT_EQ(stage.play(text).finish, first);
  EXPECT_EQ(stage.fingerprint, fingerprint);
}

}  // namespace
}  // namespace weir::workload
