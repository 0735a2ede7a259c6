// A hot spot in a tree of 64 hosts (lippens2010, section 5.1, case 2): 48 hosts send to everyone at
// full rate, 16 (one at each leaf switch) to host 32 for 170 us.
#include <gtest/gtest.h>

#include <numeric>

#include "isolation/counters_of.hpp"
#include "set_aside_network.hpp"

namespace weir::isolation::testing {
namespace {

/// Packets to anyone else, without a pause.
class Uniform : public fabric::MessageSource {
 public:
  Uniform(std::uint32_t host, std::uint32_t hosts, Time end)
      : host_(host), hosts_(hosts), end_(end), random_(3, host, StreamPurpose::test) {}
  std::optional<fabric::MessageRequest> next(Time now) override {
    if (next_ >= end_) return std::nullopt;
    const Time at = std::max(next_, now);
    next_ += nanoseconds(64);
    auto to = static_cast<std::uint32_t>(random_.below(hosts_ - 1));
    to += to >= host_ ? 1 : 0;
    return fabric::MessageRequest{at, HostId(to), Bytes(64)};
  }

 private:
  std::uint32_t host_;
  std::uint32_t hosts_;
  Time end_;
  Time next_;
  RandomStream random_;
};

constexpr Time kBegin = microseconds(60);
constexpr Time kEnd = microseconds(230);

struct Outcome {
  double before = 0;  ///< bytes/ns received in all, before the hot spot
  double during = 0;
  double hot = 0;  ///< by host 32, during it
  SetAsideCounters counters;
};

Outcome run(const std::string& model, const std::string& toml = "") {
  Network net;
  net.graph = make_topology("k-ary-n-tree", "k = 4\nn = 3", kLink);
  net.routing = "d-mod-k";
  net.routing_toml = "up = \"hash\"";
  net.isolation = model;
  net.isolation_toml = toml;
  net.settings.speedup = 1.5;
  net.settings.check_period = microseconds(20);
  net.settings.backlog = Bytes(16'384);
  net.settings.when_full = fabric::WhenFull::discard;
  const auto fabric = net.build();
  for (std::uint32_t h = 0; h < 64; ++h) {
    if (h % 4 == 1) {
      send(*fabric, h, 32, kBegin, kEnd);
    } else {
      fabric->add_source(HostId(h), std::make_unique<Uniform>(h, 64, kEnd));
    }
  }
  const auto received = [&] {
    return std::accumulate(net.journal.bytes_to.begin(), net.journal.bytes_to.end(),
                           std::int64_t{0});
  };
  Outcome out;
  fabric->run_until(microseconds(20));
  const std::int64_t at20 = received();
  fabric->run_until(kBegin);
  out.before = static_cast<double>(received() - at20) / 40e3;
  fabric->run_until(kBegin + microseconds(10));
  const std::int64_t at_begin = received();
  const std::int64_t hot_at_begin = net.journal.bytes_to[32];
  fabric->run_until(kEnd);
  out.during = static_cast<double>(received() - at_begin) / 160e3;
  out.hot = static_cast<double>(net.journal.bytes_to[32] - hot_at_begin) / 160e3;
  EXPECT_TRUE(fabric->run_until(milliseconds(30)));
  EXPECT_EQ(net.journal.out_of_order(), 0U);
  EXPECT_EQ(fabric->counters().packets_delivered, fabric->counters().packets_injected);
  out.counters = counters_of(*fabric->isolation());
  EXPECT_EQ(out.counters.in_use, 0U);
  return out;
}

// C21, C22, C25.
TEST(HotSpotSlow, LeavesTheOthersAloneAndTakesFewQueues) {
  for (const char* model : {"recn-enhanced", "fbicm"}) {
    const Outcome out = run(model);
    EXPECT_NEAR(out.before, 48, 0.7) << model;
    EXPECT_GT(out.during, 0.98 * out.before) << model;
    EXPECT_GT(out.hot, 0.99) << model;
    EXPECT_EQ(out.counters.refusals_full, 0U) << model;
    EXPECT_GE(out.counters.side_max, 2U) << model;
    EXPECT_LE(out.counters.side_max, 5U) << model;
  }
}

// The comparison: basic RECN sees this tree late, and refuses to follow it.
TEST(HotSpotSlow, HurtsWhereCongestionIsSeenLate) {
  const Outcome out = run("recn");
  EXPECT_LT(out.during, 0.8 * out.before);
  EXPECT_GT(out.hot, 0.99);
  EXPECT_GT(out.counters.refusals_specific, 0U);
}

// C24.
TEST(HotSpotSlow, HardlyDependsOnTheDetectionThreshold) {
  const double usual = run("recn-enhanced").during;
  for (const char* detect : {"2 KiB", "8 KiB"}) {
    const std::string toml =
        std::string("detect = \"") + detect + "\"\ndetect_ingress = \"" + detect + "\"";
    EXPECT_NEAR(run("recn-enhanced", toml).during, usual, 0.01 * usual) << detect;
  }
}

}  // namespace
}  // namespace weir::isolation::testing
