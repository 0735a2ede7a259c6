// Same file and seed, same bits; and what must not matter does not.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/small_network.hpp"

namespace weir::fabric::testing {
namespace {

/// Poisson messages to random hosts, from one stream per host.
class RandomSource : public MessageSource {
 public:
  RandomSource(std::uint64_t seed, std::uint32_t host, std::uint32_t hosts, double load)
      : random_(seed, host, StreamPurpose::test), host_(host), hosts_(hosts), gap_(1e6 / load) {}
  std::optional<MessageRequest> next(Time) override {
    at_ += random_.exponential(gap_);
    if (at_ > 5e8) return std::nullopt;
    const auto step = 1 + static_cast<std::uint32_t>(random_.below(hosts_ - 1));
    return MessageRequest{Time(static_cast<std::int64_t>(at_)), HostId((host_ + step) % hosts_),
                          Bytes(1'000)};
  }

 private:
  RandomStream random_;
  std::uint32_t host_;
  std::uint32_t hosts_;
  double gap_;
  double at_ = 0;
};

struct Outcome {
  std::uint64_t fingerprint = 0;
  std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t>> deliveries;
  bool operator==(const Outcome&) const = default;
};

struct Variation {
  std::uint64_t traffic_seed = 1;
  std::uint64_t seed = 1;
  std::int64_t width = 0;  ///< of the event queue's buckets at first, ps; 0: as it comes
  bool backwards = false;  ///< sources added from the last host to the first
  Time stops;              ///< run in pieces of this length
  Time samples;
  Architecture architecture = Architecture::input_queued;
};

Outcome run(const Variation& how) {
  SmallNetwork net;
  net.graph =
      make_topology("k-ary-n-tree", "k = 4\nn = 2", {gigabits_per_second(8), nanoseconds(7)});
  net.selection = "random";
  net.settings.architecture = how.architecture;
  net.settings.speedup = 1.5;
  net.settings.mtu = Bytes(1'000);
  net.settings.ingress_buffer = net.settings.egress_buffer = Bytes(4'000);
  net.settings.acks = AckMode::in_band;
  net.settings.seed = how.seed;
  net.settings.sample_period = how.samples;
  auto fabric = net.build();
  if (how.width != 0) fabric->core().events = engine::EventQueue(how.width);
  for (std::uint32_t i = 0; i < 16; ++i) {
    const std::uint32_t h = how.backwards ? 15 - i : i;
    fabric->add_source(HostId(h), std::make_unique<RandomSource>(how.traffic_seed, h, 16, 0.8));
  }
  const Time end = microseconds(700);
  for (Time at = how.stops; how.stops > Time(0) && at < end; at = at + how.stops)
    fabric->run_until(at);
  EXPECT_TRUE(fabric->run_until(end));
  Outcome result;
  result.fingerprint = fabric->fingerprint();
  for (const Delivery& d : net.journal.deliveries) {
    result.deliveries.emplace_back(d.source.value, d.destination.value, d.sequence,
                                   d.delivered.count);
  }
  std::sort(result.deliveries.begin(), result.deliveries.end());
  EXPECT_GT(result.deliveries.size(), 5'000U);
  return result;
}

class Trajectory : public ::testing::TestWithParam<Architecture> {
 protected:
  Variation base_ = [] {
    Variation v;
    v.architecture = GetParam();
    return v;
  }();
};

TEST_P(Trajectory, IsTheSameForTheSameSeed) { EXPECT_EQ(run(base_), run(base_)); }

TEST_P(Trajectory, DiffersForAnotherSeed) {
  const Outcome known = run(base_);
  Variation other = base_;
  other.seed = 2;
  EXPECT_NE(run(other).fingerprint, known.fingerprint) << "random selection";
  other = base_;
  other.traffic_seed = 2;
  EXPECT_NE(run(other).fingerprint, known.fingerprint) << "traffic";
}

TEST_P(Trajectory, DoesNotDependOnTheEventQueuesWidth) {
  const Outcome known = run(base_);
  for (const std::int64_t width : {1LL, 1'000LL, 1'000'000LL, 1'000'000'000LL}) {
    Variation other = base_;
    other.width = width;
    EXPECT_EQ(run(other), known) << width;
  }
}

TEST_P(Trajectory, DoesNotDependOnTheOrderOfSources) {
  Variation other = base_;
  other.backwards = true;
  EXPECT_EQ(run(other), run(base_));
}

TEST_P(Trajectory, DoesNotDependOnStopsAndSamples) {
  const Outcome known = run(base_);
  Variation other = base_;
  other.stops = nanoseconds(997);
  EXPECT_EQ(run(other), known);
  other = base_;
  other.samples = nanoseconds(333);
  EXPECT_EQ(run(other), known);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Trajectory,
                         ::testing::Values(Architecture::input_queued,
                                           Architecture::input_queued_single, Architecture::cioq,
                                           Architecture::output_queued));

}  // namespace
}  // namespace weir::fabric::testing
