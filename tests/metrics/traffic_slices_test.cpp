#include "weir/metrics/traffic_slices.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <span>

namespace weir::metrics {
namespace {

TrafficTotals total_of(std::uint64_t packets) {
  TrafficTotals totals;
  totals.packets = packets;
  totals.latency = 7 * packets;
  return totals;
}

TEST(TrafficSlices, HoldWhatHappenedInEachNanosecond) {
  TrafficSlices slices(1, nanoseconds(100));
  EXPECT_EQ(slices.next(), nanoseconds(100));
  // 50 packets came before the first slice; then 1, 2 and 3.
  for (const std::uint64_t packets : {50U, 51U, 53U, 56U}) {
    slices.close(std::array{total_of(packets)});
  }
  EXPECT_EQ(slices.next(), nanoseconds(104));
  SliceSequence sequence;
  slices.add_to(sequence, 0, total_of(60), Time(103'500));
  EXPECT_EQ(sequence.begin, nanoseconds(100));
  ASSERT_EQ(sequence.slices.size(), 3U);
  EXPECT_EQ(sequence.slices[0].packets, 1U);
  EXPECT_EQ(sequence.slices[1].packets, 2U);
  EXPECT_EQ(sequence.slices[2].packets, 3U + 4U);  // with the open one
  EXPECT_EQ(sequence.slices[2].latency, 7 * 7U);
  EXPECT_EQ(sequence.length_of(0), nanoseconds(1));
  EXPECT_EQ(sequence.length_of(2), Time(1'500));
}

TEST(TrafficSlices, MergeWithoutLoss) {
  TrafficSlices slices(2, Time(0));
  std::uint64_t packets = 0;
  int doublings = 0;
  for (int k = 0; k < 5'000; ++k) {
    packets += static_cast<std::uint64_t>(k % 3);
    doublings += slices.close(std::array{total_of(packets), total_of(2 * packets)}) ? 1 : 0;
    ASSERT_LT(slices.count(), TrafficSlices::kMost);
  }
  // Lengths of 1 ns up to 1024, then 512 slices each of 2, 4, ...
  EXPECT_EQ(doublings, 8);
  EXPECT_EQ(slices.length(), nanoseconds(256));
  SliceSequence sequence;
  slices.add_to(sequence, 0, total_of(packets), slices.next());
  slices.add_to(sequence, 1, total_of(2 * packets), slices.next());
  std::uint64_t sum = 0;
  for (const TrafficTotals& slice : sequence.slices) sum += slice.packets;
  EXPECT_EQ(sum, 3 * packets);
}

TEST(TrafficSlices, SumsMayWrapAround) {
  TrafficSlices slices(1, Time(0));
  TrafficTotals totals;
  totals.latency = UINT64_MAX - 10;
  slices.close(std::array{totals});
  totals.latency += 30;
  slices.close(std::array{totals});
  SliceSequence sequence;
  slices.add_to(sequence, 0, totals, slices.next());
  EXPECT_EQ(sequence.slices[0].latency, 30U);
}

TEST(TrafficSlices, BeforeTheyBeginThereAreNone) {
  const TrafficSlices slices(1, nanoseconds(100));
  SliceSequence sequence;
  slices.add_to(sequence, 0, total_of(3), nanoseconds(50));
  EXPECT_TRUE(sequence.slices.empty());
}

/// A window with `packets` packets of `latency` ps, all from host 1 over flow 2.
void fill(ClassRecord& record, std::vector<std::int64_t>& flows, int packets, int latency) {
  for (int i = 0; i < packets; ++i) record.window.latency.record(latency);
  record.window.delivered += packets;
  record.window.source_delivered[1] = std::max<std::int64_t>(record.window.source_delivered[1], 0);
  record.window.source_delivered[1] += packets;
  flows.resize(3);
  flows[2] += packets;
}

TEST(WindowGroups, MergeNeighboursWithoutLoss) {
  WindowGroups groups(1, 2, 1);
  ClassRecord record(0);
  record.window.source_delivered.assign(2, -1);
  std::vector<std::int64_t> flows;
  const std::span all(&record, 1);
  for (int k = 1; k <= 16; ++k) {
    fill(record, flows, k, 100 * k);
    groups.close(all, flows);
    EXPECT_TRUE(record.window.latency.empty());
    EXPECT_EQ(flows, std::vector<std::int64_t>(3, 0));
  }
  ASSERT_EQ(groups.closed().size(), 16U);
  groups.collapse();
  ASSERT_EQ(groups.closed().size(), 8U);
  for (int g = 0; g < 8; ++g) {
    const WindowGroups::Group& group = groups.closed()[static_cast<std::size_t>(g)];
    const int packets = 4 * g + 3;
    EXPECT_EQ(group.records[0].latency.count(), static_cast<std::uint64_t>(packets));
    EXPECT_EQ(group.records[0].latency.minimum(), 100 * (2 * g + 1));
    EXPECT_EQ(group.records[0].latency.maximum(), 100 * (2 * g + 2));
    EXPECT_EQ(group.records[0].source_delivered, (std::vector<std::int64_t>{-1, packets}));
    EXPECT_EQ(group.flow_delivered[2], packets);
  }
  // What comes next begins empty.
  fill(record, flows, 5, 10);
  groups.close(all, flows);
  ASSERT_EQ(groups.closed().size(), 9U);
  EXPECT_EQ(groups.closed()[8].records[0].latency.count(), 5U);
  EXPECT_EQ(groups.closed()[8].records[0].source_delivered[1], 5);
  EXPECT_EQ(groups.closed()[8].flow_delivered[2], 5);
}

}  // namespace
}  // namespace weir::metrics
