#include "weir/workload/mailbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::workload {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Messages of one arrival.
std::vector<Match> arrive(Mailbox& box, std::uint32_t source, std::uint32_t tag,
                          std::uint32_t place, std::uint32_t message) {
  std::vector<Match> out;
  box.arrive(source, tag, place, message, out);
  return out;
}

TEST(Mailbox, ReceivesOfASourceAndTagTakeMessagesInOrder) {
  Mailbox box(false);
  EXPECT_EQ(box.send(1, 7), 0U);
  EXPECT_EQ(box.send(1, 7), 1U);
  EXPECT_EQ(box.send(1, 8), 0U);
  EXPECT_FALSE(box.post(100, 1, 7));
  EXPECT_FALSE(box.post(101, 1, 7));
  EXPECT_THAT(arrive(box, 1, 8, 0, 52), IsEmpty());  // nobody asked for tag 8 yet
  EXPECT_EQ(box.unexpected(), 1U);
  EXPECT_THAT(arrive(box, 1, 7, 0, 50), ElementsAre(Match{100, 50}));
  EXPECT_THAT(arrive(box, 1, 7, 1, 51), ElementsAre(Match{101, 51}));
  EXPECT_EQ(box.post(102, 1, 8), (Match{102, 52}));
  EXPECT_EQ(box.unexpected(), 0U);
  EXPECT_EQ(box.unexpected_max(), 1U);
}

TEST(Mailbox, WhatTheNetworkReordersIsPutInOrder) {
  Mailbox box(false);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(box.send(4, 0), i);
  EXPECT_FALSE(box.post(100, 4, 0));
  EXPECT_FALSE(box.post(101, 4, 0));
  EXPECT_THAT(arrive(box, 4, 0, 2, 52), IsEmpty());
  EXPECT_THAT(arrive(box, 4, 0, 1, 51), IsEmpty());
  EXPECT_EQ(box.unexpected(), 0U) << "what is held back is not unexpected yet";
  EXPECT_THAT(arrive(box, 4, 0, 0, 50), ElementsAre(Match{100, 50}, Match{101, 51}));
  EXPECT_EQ(box.post(102, 4, 0), (Match{102, 52}));
}

TEST(Mailbox, TagsOvertakeUnlessSomebodyTakesAny) {
  Mailbox exact(false);
  exact.send(1, 1);
  exact.send(1, 2);
  EXPECT_FALSE(exact.post(100, 1, 2));
  EXPECT_THAT(arrive(exact, 1, 2, 0, 51), ElementsAre(Match{100, 51}));

  Mailbox any(true);
  EXPECT_EQ(any.send(1, 1), 0U);
  EXPECT_EQ(any.send(1, 2), 1U);
  EXPECT_FALSE(any.post(100, 1, kAny));
  EXPECT_THAT(arrive(any, 1, 2, 1, 51), IsEmpty());
  EXPECT_THAT(arrive(any, 1, 1, 0, 50), ElementsAre(Match{100, 50}));
  EXPECT_EQ(any.post(101, kAny, kAny), (Match{101, 51}));
}

TEST(Mailbox, TheReceivePostedFirstWins) {
  Mailbox box(true);
  EXPECT_FALSE(box.post(100, kAny, 5));
  EXPECT_FALSE(box.post(101, 2, 5));
  EXPECT_FALSE(box.post(102, kAny, kAny));
  EXPECT_FALSE(box.post(103, 2, 5));
  for (std::uint32_t i = 0; i < 4; ++i) box.send(2, 5);
  EXPECT_THAT(arrive(box, 2, 5, 0, 50), ElementsAre(Match{100, 50}));
  EXPECT_THAT(arrive(box, 2, 5, 1, 51), ElementsAre(Match{101, 51}));
  EXPECT_THAT(arrive(box, 2, 5, 2, 52), ElementsAre(Match{102, 52}));
  EXPECT_THAT(arrive(box, 2, 5, 3, 53), ElementsAre(Match{103, 53}));
}

TEST(Mailbox, AReceiveOfAnyTakesTheMessageThatCameFirst) {
  Mailbox box(true);
  for (const std::uint32_t source : {9U, 3U, 5U}) {
    box.send(source, 1);
    EXPECT_THAT(arrive(box, source, 1, 0, source * 10), IsEmpty());
  }
  EXPECT_EQ(box.post(100, kAny, 1), (Match{100, 90}));
  EXPECT_EQ(box.post(101, 5, kAny), (Match{101, 50}));
  EXPECT_EQ(box.post(102, kAny, kAny), (Match{102, 30}));
  EXPECT_EQ(box.unexpected_max(), 3U);
}

}  // namespace
}  // namespace weir::workload
