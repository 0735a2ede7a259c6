#include "weir/workload/goal.hpp"

#include <rapidcheck.h>

#include "tests/workload/helpers.hpp"

namespace weir::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Goal, IsReadOperationByOperation) {
  const Schedule schedule = goal(
      "// two ranks\n"
      "num_ranks 2\n"
      "\n"
      "rank 1 {\n"
      "first: recv 10b from 0 tag 2\n"
      "send 7 b to 0 cpu 1 nic 2\n"
      "}\n"
      "rank 0 { /* a block\n"
      "comment */ l1: calc 100 cpu 3\n"
      "l2: send 10b to 1 tag 2 cpu 0 nic 0 // behind\n"
      "l3: recv 7b from -1 tag -1\n"
      "l2 requires l1\n"
      "l3 irequires l2 }\n");
  ASSERT_EQ(schedule.rank_count(), 2U);
  ASSERT_EQ(schedule.size(), 5U);
  const auto of = [&](std::uint32_t i) { return schedule[i]; };
  EXPECT_EQ(of(0).kind, OperationKind::calculation);
  EXPECT_EQ(of(0).amount, 100);
  EXPECT_EQ(of(0).cpu, 3);
  EXPECT_EQ(of(1).kind, OperationKind::send);
  EXPECT_EQ(of(1).amount, 10);
  EXPECT_EQ(of(1).peer, 1U);
  EXPECT_EQ(of(1).tag, 2U);
  EXPECT_EQ(of(2).kind, OperationKind::receive);
  EXPECT_EQ(of(2).peer, kAny);
  EXPECT_EQ(of(2).tag, kAny);
  EXPECT_EQ(of(3).line, 5U);
  EXPECT_EQ(of(4).cpu, 1);
  EXPECT_EQ(of(4).nic, 2);
  EXPECT_EQ(of(4).tag, 0U);
  EXPECT_THAT(schedule.after_end(0), ElementsAre(1U));
  EXPECT_THAT(schedule.after_start(1), ElementsAre(2U));
  EXPECT_TRUE(schedule.after_end(1).empty());
  EXPECT_EQ(schedule.wait_count(2), 1U);
  EXPECT_EQ(schedule.rank_of(2), RankId(0));
  EXPECT_EQ(schedule.rank_of(3), RankId(1));
  EXPECT_EQ(schedule.message_count(), 2U);
  EXPECT_EQ(schedule.message_bytes(), 17);
  EXPECT_EQ(schedule.describe(2), "rank 0: recv 7b from -1 tag -1 (line 11)");
}

TEST(Goal, RanksMayDoNothing) {
  const Schedule schedule = goal("num_ranks 4\r\nrank 2 {\r\ncalc 1\r\n}\r\nrank 0 {\r\n}\r\n");
  EXPECT_EQ(schedule.rank_count(), 4U);
  EXPECT_EQ(schedule.operations(RankId(2)).size(), 1U);
  EXPECT_TRUE(schedule.operations(RankId(3)).empty());
}

TEST(Goal, LabelsBelongToTheirRankAndMayComeLater) {
  const Schedule schedule = goal(
      "num_ranks 2\nrank 0 {\nb requires a\nb: calc 1\na: calc 2\n}\n"
      "rank 1 {\na: calc 3\nb: calc 4\nb requires a\n}\n");
  EXPECT_THAT(schedule.after_end(1), ElementsAre(0U));
  EXPECT_THAT(schedule.after_end(2), ElementsAre(3U));
}

TEST(Goal, ErrorsNamePlaceAndNearestWord) {
  const std::string head = "num_ranks 2\nrank 0 {\n";
  const auto in_rank = [&](const std::string& text) { return refused(head + text + "\n}\n"); };
  EXPECT_THAT(refused(""), StartsWith("x.goal:1:1: num_ranks: expected 'num_ranks', not the end"));
  EXPECT_THAT(refused("numranks 3\n"), HasSubstr("did you mean 'num_ranks'?"));
  EXPECT_THAT(refused("num_ranks 0\n"), StartsWith("x.goal:1:11: num_ranks: must be at least 1"));
  EXPECT_THAT(refused("num_ranks 5000000000\n"), HasSubstr("too large"));
  EXPECT_THAT(refused("num_ranks 1\nrank 1 {\n}\n"),
              StartsWith("x.goal:2:6: rank: there is no rank 1 of 1"));
  EXPECT_THAT(refused("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n"),
              StartsWith("x.goal:4:6: rank: rank 0 has a block already, in line 2"));
  EXPECT_THAT(refused(head + "calc 1\n"),
              StartsWith("x.goal:2:6: rank: the block of rank 0 never"));
  EXPECT_THAT(refused("num_ranks 1\n/* ..."), StartsWith("x.goal:2:1: comment: never ends"));
  EXPECT_THAT(in_rank("l1: sent 5b to 1"),
              StartsWith("x.goal:3:5: l1: expected send, recv or calc, not 'sent' (did you mean "
                         "'send'?)"));
  EXPECT_THAT(in_rank("clac 5"), HasSubstr("'clac' is no operation (did you mean 'calc'?)"));
  EXPECT_THAT(in_rank("a: calc 1\nb: calc 1\nb require a"),
              StartsWith("x.goal:5:3: b: expected ':', requires or irequires, not 'require' (did "
                         "you mean 'requires'?)"));
  EXPECT_THAT(in_rank("first: calc 1\nb: calc 1\nb requires frist"),
              StartsWith("x.goal:5:12: frist: no operation of this rank has this label (did you "
                         "mean 'first'?)"));
  EXPECT_THAT(in_rank("a: calc 1\na: calc 1"),
              StartsWith("x.goal:4:1: a: is the label of the operation in line 3 already"));
  EXPECT_THAT(in_rank("send 5 to 1"), HasSubstr("x.goal:3:8: send: expected 'b', not 'to'"));
  EXPECT_THAT(in_rank("send 5b from 1"), HasSubstr("expected 'to', not 'from'"));
  EXPECT_THAT(in_rank("send 5b to 2"), StartsWith("x.goal:3:12: send: there is no rank 2 of 2"));
  EXPECT_THAT(in_rank("send 5b to -1"), StartsWith("x.goal:3:12: send: expected the number"));
  EXPECT_THAT(in_rank("send 5b to 1 tag -1"), HasSubstr("tag: expected a number (only receives"));
  EXPECT_THAT(in_rank("recv 5b from -2"), HasSubstr("expected -1 (any), not '2'"));
  EXPECT_THAT(in_rank("recv 5b from 1 tag 4294967295"), HasSubstr("tag: is too large"));
  EXPECT_THAT(in_rank("calc 5 tag 3"), StartsWith("x.goal:3:8: statement: expected the end"));
  EXPECT_THAT(in_rank("send 5b to 1 tga 3"), HasSubstr("(did you mean 'tag'?)"));
  EXPECT_THAT(in_rank("calc 5 cpu 256"), StartsWith("x.goal:3:12: cpu: is too large; the most is"));
  EXPECT_THAT(in_rank("calc 5 cpu 1 cpu 1"), StartsWith("x.goal:3:14: cpu: is given twice"));
  EXPECT_THAT(in_rank("calc -5"), StartsWith("x.goal:3:6: calc: expected a number of nano"));
  EXPECT_THAT(in_rank("calc 1 calc 2"), HasSubstr("expected the end of the line, not 'calc'"));
  EXPECT_THAT(in_rank("calc 99999999999999999999"), HasSubstr("is too large"));
  EXPECT_THAT(in_rank("a: calc 1.5"), HasSubstr("'.' means nothing here"));
}

TEST(Goal, CirclesAreTold) {
  EXPECT_THAT(refused("num_ranks 1\nrank 0 {\n"
                      "a: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\n"
                      "b requires a\nc requires b\nb irequires d\nd requires c\n}\n"),
              testing::AllOf(StartsWith("x.goal:4: requires:"),
                             HasSubstr("operations wait for each other in a circle"),
                             HasSubstr("rank 0: calc 2 (line 4) waits for rank 0: calc 4 (line 6) "
                                       "waits for rank 0: calc 3 (line 5) waits for"),
                             testing::Not(HasSubstr("calc 1 (line 3)"))));
  EXPECT_THAT(refused("num_ranks 1\nrank 0 {\na: calc 1\na requires a\n}\n"),
              StartsWith("x.goal:3: requires: operations wait for each other in a circle"));
}

TEST(Goal, MessagesAndReceivesWithoutPartnerAreTold) {
  const auto two = [](const std::string& zero, const std::string& one) {
    return "num_ranks 2\nrank 0 {\n" + zero + "}\nrank 1 {\n" + one + "}\n";
  };
  EXPECT_THAT(refused(two("send 5b to 1 tag 3\n", "recv 5b from 0 tag 4\n")), HasSubstr("x.goal:"));
  EXPECT_THAT(refused(two("send 5b to 1 tag 3\nsend 6b to 1 tag 3\n", "recv 5b from 0 tag 3\n")),
              StartsWith("x.goal:4: send: rank 0: send 6b to 1 tag 3 (line 4): rank 1 has no "
                         "receive left for it"));
  EXPECT_THAT(refused(two("send 5b to 1\n", "recv 5b from 0\nrecv 4b from 0\n")),
              StartsWith("x.goal:7: recv: rank 1: recv 4b from 0 tag 0 (line 7): rank 0 has no "
                         "message left for it"));
  EXPECT_THAT(refused(two("send 5b to 1 tag 1\n", "recv 5b from -1 tag 2\n")),
              StartsWith("x.goal:3: send"));
  EXPECT_THAT(refused(two("send 5b to 1\n", "recv 5b from -1\nrecv 5b from 0 tag -1\n")),
              StartsWith("x.goal:7: recv"));
  EXPECT_NO_THROW(
      (void)goal(two("send 5b to 1 tag 9\nsend 5b to 1 tag 3\nsend 5b to 0 tag 1\n"
                     "recv 5b from 0 tag 1\n",
                     "recv 5b from 0 tag 3\nrecv 5b from -1 tag -1\n")));
}

/// Any schedule of a few ranks: each message has its receive, dependencies go backwards.
Schedule any_schedule() {
  const auto ranks = *rc::gen::inRange<std::uint32_t>(1, 5);
  ScheduleBuilder builder(ranks);
  std::vector<std::uint32_t> sizes(ranks, 0);
  const auto some = [](Operation operation) {
    operation.amount = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
    operation.cpu = *rc::gen::inRange<std::uint8_t>(0, 3);
    operation.nic = *rc::gen::inRange<std::uint8_t>(0, 2);
    return operation;
  };
  const auto add = [&](std::uint32_t rank, const Operation& operation) {
    const std::uint32_t number = builder.rank(rank).add(operation);
    for (int i = *rc::gen::inRange(0, 3); i > 0 && number > 0; --i) {
      const auto earlier = *rc::gen::inRange<std::uint32_t>(0, number);
      if (*rc::gen::arbitrary<bool>()) {
        builder.rank(rank).require(number, earlier);
      } else {
        builder.rank(rank).require_start(number, earlier);
      }
    }
  };
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    const auto rank = *rc::gen::inRange<std::uint32_t>(0, ranks);
    Operation operation = some({});
    if (*rc::gen::inRange(0, 3) > 0) {
      const auto peer = *rc::gen::inRange<std::uint32_t>(0, ranks);
      operation.tag = *rc::gen::inRange<std::uint32_t>(0, 3);
      Operation receive = some(operation);
      operation.kind = OperationKind::send;
      operation.peer = peer;
      receive.kind = OperationKind::receive;
      receive.peer = rank;
      add(rank, operation);
      add(peer, receive);
    } else {
      add(rank, operation);
    }
  }
  return std::move(builder).build();
}

TEST(Goal, WhatIsWrittenReadsBack) {
  rc::check("parse_goal(to_goal(x)) == x", [] {
    const Schedule schedule = any_schedule();
    RC_ASSERT(goal(to_goal(schedule)) == schedule);
  });
}

TEST(Goal, WritesAnyAndLeavesOutWhatIsZero) {
  const std::string text =
      "num_ranks 2\n\nrank 0 {\nl1: send 0b to 1 cpu 2\n}\n\n"
      "rank 1 {\nl1: recv 9b from -1 tag -1 nic 1\nl2: calc 7\nl2 irequires l1\n}\n";
  EXPECT_EQ(to_goal(goal(text)), text);
}

}  // namespace
}  // namespace weir::workload
