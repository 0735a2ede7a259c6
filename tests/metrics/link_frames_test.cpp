#include "weir/metrics/link_frames.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>
#include <stdexcept>

#include "weir/base/state_archive.hpp"
#include "weir/metrics/congestion_tree.hpp"

namespace weir::metrics {
namespace {

const std::vector<PortId> kTwoLinks{PortId(2), PortId(0)};

/// Three ports, of which two are watched: the first as given, the last with the other share.
std::vector<PortState> shares(double first, double last) {
  return {{first, 0, 0}, {1, 1, 0}, {last, 1 - last, 0}};
}

TEST(LinkFrames, KeepsEverySampleOfAShortRun) {
  FrameRecorder recorder(kTwoLinks, 10);
  recorder.add(nanoseconds(10), nanoseconds(10), shares(0, 1));
  recorder.add(nanoseconds(20), nanoseconds(10), shares(0.5, 0.25));
  const FrameBytes frames = unpack(recorder.finish());
  EXPECT_EQ(frames.links, 2U);
  EXPECT_EQ(frames.times, (std::vector{nanoseconds(10), nanoseconds(20)}));
  EXPECT_EQ(frames.utilization, (std::vector<std::uint8_t>{255, 0, 64, 128}));
  EXPECT_EQ(frames.wait, (std::vector<std::uint8_t>{0, 0, 191, 0}));
}

TEST(LinkFrames, KeepsTheMostQueuesThatWereSetAside) {
  FrameRecorder recorder({PortId(0)}, 2);
  const auto add = [&](int k, std::uint32_t queues) {
    recorder.add(nanoseconds(k), nanoseconds(1), {{0, 0, 0, queues}}, true);
  };
  add(1, 3);
  add(2, 1);  // two frames are too many: they become one
  add(3, 7);
  add(4, 300);
  add(5, 2);
  const LinkFrames packed = recorder.finish();
  const FrameBytes frames = unpack(packed);
  EXPECT_EQ(frames.times, (std::vector{nanoseconds(4), nanoseconds(5)}));
  EXPECT_EQ(frames.set_aside, (std::vector<std::uint8_t>{255, 2}));
  EXPECT_EQ(pack(frames), packed);
}

TEST(LinkFrames, WithoutIsolationThereIsNothingOfQueues) {
  FrameRecorder recorder({PortId(0)}, 4);
  recorder.add(nanoseconds(1), nanoseconds(1), {{0, 0, 0, 0}});
  const LinkFrames frames = recorder.finish();
  EXPECT_TRUE(frames.set_aside.empty());
  EXPECT_TRUE(unpack(frames).set_aside.empty());
}

TEST(LinkFrames, LongRunsHaveLongerFramesOverTheWholeTime) {
  FrameRecorder recorder({PortId(0)}, 8);
  constexpr int kSamples = 1'000;
  for (int k = 1; k <= kSamples; ++k) {
    recorder.add(nanoseconds(k), nanoseconds(1), shares(k <= kSamples / 2 ? 1.0 : 0.0, 0));
  }
  const FrameBytes frames = unpack(recorder.finish());
  EXPECT_GE(frames.times.size(), 4U);
  EXPECT_LE(frames.times.size(), 8U);
  EXPECT_EQ(frames.times.back(), nanoseconds(kSamples));
  for (std::size_t k = 0; k < frames.times.size(); ++k) {
    if (frames.times[k] <= nanoseconds(kSamples / 2)) {
      EXPECT_EQ(frames.utilization[k], 255) << k;
    }
  }
  EXPECT_EQ(frames.utilization.back(), 0);
}

TEST(LinkFrames, RepeatedMergingKeepsTheMean) {
  constexpr std::size_t kLinks = 64;
  std::vector<PortId> links;
  for (std::size_t i = 0; i < kLinks; ++i) links.emplace_back(i);
  FrameRecorder recorder(links, 2);
  for (int k = 1; k <= 4'096; ++k) {
    const double share = (k % 2 == 0 ? 100.0 : 103.0) / 255;
    recorder.add(nanoseconds(k), nanoseconds(1), std::vector<PortState>(kLinks, {share, 0, 0}));
  }
  const FrameBytes frames = unpack(recorder.finish());
  const double sum = std::accumulate(frames.utilization.begin(), frames.utilization.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(frames.utilization.size()), 101.5, 0.6);
}

TEST(LinkFrames, ALastFrameMayBeShort) {
  FrameRecorder recorder({PortId(0)}, 4);
  for (int k = 1; k <= 5; ++k) recorder.add(nanoseconds(k), nanoseconds(1), shares(1, 0));
  recorder.add(nanoseconds(6), nanoseconds(1), shares(0.5, 0));
  recorder.add(nanoseconds(7), nanoseconds(1), shares(0.2, 0));
  const FrameBytes frames = unpack(recorder.finish());
  EXPECT_EQ(frames.times,
            (std::vector{nanoseconds(2), nanoseconds(4), nanoseconds(6), nanoseconds(7)}));
  EXPECT_EQ(frames.utilization, (std::vector<std::uint8_t>{255, 255, 191, 51}));
}

TEST(LinkFrames, MemoryIsBoundedWhateverTheNetwork) {
  constexpr std::size_t kLinks = 100'000;
  std::vector<PortId> links;
  for (std::size_t i = 0; i < kLinks; ++i) links.emplace_back(i);
  FrameRecorder recorder(links, 10'000);
  const std::vector<PortState> state(kLinks);
  for (int k = 1; k <= 100; ++k) recorder.add(nanoseconds(k), nanoseconds(1), state);
  const FrameBytes frames = unpack(recorder.finish());
  EXPECT_LE(frames.utilization.size() + frames.wait.size(), FrameRecorder::kMostBytes);
  EXPECT_GE(frames.times.size(), 10U);
}

/// Another recorder, which goes on where `stopped` is.
FrameRecorder resumed(FrameRecorder& stopped, std::size_t links, std::size_t most_frames) {
  std::stringstream bytes;
  StateArchive written(static_cast<std::ostream&>(bytes));
  stopped.checkpoint(written);
  std::vector<PortId> ports;
  for (std::size_t i = 0; i < links; ++i) ports.emplace_back(i);
  FrameRecorder other(ports, most_frames);
  StateArchive read(static_cast<std::istream&>(bytes));
  other.checkpoint(read);
  return other;
}

TEST(LinkFrames, OfACheckpointEndWithTheOpenFrame) {
  FrameRecorder recorder({PortId(0)}, 2);
  for (int k = 1; k <= 3; ++k) recorder.add(nanoseconds(k), nanoseconds(1), shares(0.4, 0));
  const LinkFrames found = resumed(recorder, 1, 2).finish();
  EXPECT_EQ(unpack(found).utilization, (std::vector<std::uint8_t>{102, 102}));
  EXPECT_EQ(found, recorder.finish());
}

// With set-aside queues there are fewer frames.
TEST(LinkFrames, OfACheckpointMergeWhenTheyWouldHave) {
  constexpr std::size_t kLinks = 50'000;
  std::vector<PortId> links;
  for (std::size_t i = 0; i < kLinks; ++i) links.emplace_back(i);
  FrameRecorder whole(links, 10'000);
  const auto add = [](FrameRecorder& recorder, int k) {
    recorder.add(nanoseconds(k), nanoseconds(1),
                 std::vector<PortState>(kLinks, {k % 7 / 7.0, 0, 0, 1}), true);
  };
  for (int k = 1; k <= 5; ++k) add(whole, k);
  FrameRecorder other = resumed(whole, kLinks, 10'000);
  for (int k = 6; k <= 64; ++k) {
    add(whole, k);
    add(other, k);
  }
  EXPECT_EQ(other.finish(), whole.finish());
}

TEST(LinkFrames, NoneWhenNoneAreWanted) {
  FrameRecorder recorder(kTwoLinks, 0);
  recorder.add(nanoseconds(10), nanoseconds(10), shares(0, 1));
  EXPECT_EQ(recorder.finish(), LinkFrames{});
}

TEST(LinkFrames, DamageIsNoticed) {
  FrameRecorder recorder(kTwoLinks, 10);
  recorder.add(nanoseconds(10), nanoseconds(10), shares(0, 1));
  LinkFrames frames = recorder.finish();
  frames.wait.resize(frames.wait.size() / 2);
  EXPECT_THROW((void)unpack(frames), std::invalid_argument);
}

}  // namespace
}  // namespace weir::metrics
