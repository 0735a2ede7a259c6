#include "weir/metrics/link_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "weir/base/error.hpp"
#include "weir/metrics/link_monitor.hpp"
#include "weir/topology/import_ibnetdiscover.hpp"

namespace weir::metrics::link_comparison_test {
namespace {

using testing::HasSubstr;
using topology::CounterFiles;
using topology::CounterState;

/// Links by name: h1 to h3 into the switch, s[1] to s[3] to the hosts; all of 200 Gbps.
const std::string kStar = R"(
Switch	3 "S-1"	# "s" base port 0 lid 9 lmc 0
[1]	"H-a1"[1](b1)	# "h1" lid 1 4xHDR
[2]	"H-a2"[1](b2)	# "h2" lid 2 4xHDR
[3]	"H-a3"[1](b3)	# "h3" lid 3 4xHDR
Ca	1 "H-a1"	# "h1"
[1](b1)	"S-1"[1]	# lid 1 lmc 0 "s" lid 9 4xHDR
Ca	1 "H-a2"	# "h2"
[1](b2)	"S-1"[2]	# lid 2 lmc 0 "s" lid 9 4xHDR
Ca	1 "H-a3"	# "h3"
[1](b3)	"S-1"[3]	# lid 3 lmc 0 "s" lid 9 4xHDR
)";

class MeasuredLinks : public testing::Test {
 protected:
  MeasuredLinks() {
    counters_.links.resize(graph_.port_count());
    for (const PortId port : links_by_name(graph_)) {
      run_.links.push_back({graph_.name(port), link_group(graph_, port), 0.5, 0, 1000, 1, 0});
    }
  }
  /// In the order h1, h2, h3, s[1], s[2], s[3]; a negative number of ticks: missing.
  void wait(const std::vector<double>& ticks, const std::vector<double>& simulated) {
    const std::vector<PortId> ports = links_by_name(graph_);
    for (std::size_t i = 0; i < ports.size(); ++i) {
      run_.links[i].wait = simulated[i];
      if (ticks[i] < 0) continue;
      counters_.links[ports[i].index()].ticks = {CounterState::counted,
                                                 static_cast<std::uint64_t>(ticks[i])};
    }
  }
  LinkComparison compare(const CounterFiles& files = {}) const {
    return compare_links(graph_, counters_, files, run_);
  }

  topology::Graph graph_ =
      topology::make_subnet_graph(topology::parse_ibnetdiscover(kStar, "net.txt"), {});
  topology::SubnetCounters counters_;
  RunResult run_;
};

TEST_F(MeasuredLinks, InTheSameOrderAgreeWhateverATickIs) {
  wait({600, 500, 400, 300, 200, 100}, {0.9, 0.5, 0.4, 0.3, 0.01, 0});
  const LinkComparison compared = compare();
  EXPECT_DOUBLE_EQ(compared.wait.coefficient, 1);
  EXPECT_EQ(compared.wait.links, 6U);
  ASSERT_EQ(compared.links[0].name, "h1");
  EXPECT_DOUBLE_EQ(compared.links[0].wait.measured, 600.0 / 2100);
  EXPECT_DOUBLE_EQ(compared.links[0].wait.measured_rank, 1);
  EXPECT_TRUE(std::isnan(compared.links[0].wait.measured_time));
}

TEST_F(MeasuredLinks, InTheOppositeOrderDisagree) {
  wait({1, 2, 3, 4, 5, 6}, {0.6, 0.5, 0.4, 0.3, 0.2, 0.1});
  const LinkComparison compared = compare();
  EXPECT_DOUBLE_EQ(compared.wait.coefficient, -1);
  EXPECT_DOUBLE_EQ(compared.links[0].rank_difference(), 5);
}

TEST_F(MeasuredLinks, EqualOnesShareARank) {
  // Ranks 1, 2.5, 2.5, 5, 5, 5 and 2, 1, 3, 5, 5, 5: deviations from 3.5 have the products
  // 3.75 + 2.5 + 0.5 + 3 * 2.25 = 13.5 and the squares 15 and 15.5.
  wait({9, 4, 4, 0, 0, 0}, {0.2, 0.3, 0.1, 0, 0, 0});
  const LinkComparison compared = compare();
  EXPECT_DOUBLE_EQ(compared.links[1].wait.measured_rank, 2.5);
  EXPECT_DOUBLE_EQ(compared.links[5].wait.simulated_rank, 5);
  EXPECT_NEAR(compared.wait.coefficient, 13.5 / std::sqrt(15 * 15.5), 1e-12);
}

TEST_F(MeasuredLinks, WithoutACounterTakeNoPart) {
  wait({30, 20, 10, -1, -1, -1}, {0.3, 0.2, 0.1, 0.9, 0.9, 0.9});
  const LinkComparison compared = compare();
  EXPECT_DOUBLE_EQ(compared.wait.coefficient, 1);
  EXPECT_EQ(compared.wait.links, 3U);
  EXPECT_NEAR(compared.links[0].wait.simulated, 0.5, 1e-12);
  EXPECT_EQ(compared.links[3].wait.state, CounterState::missing);
  EXPECT_TRUE(std::isnan(compared.links[3].rank_difference()));
  EXPECT_EQ(compared.sent.links, 0U);
}

TEST_F(MeasuredLinks, HaveNoCoefficientWhereNothingWaits) {
  wait({3, 2, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0});
  EXPECT_TRUE(std::isnan(compare().wait.coefficient));
}

TEST_F(MeasuredLinks, HaveSharesOfTimeWithIntervalAndTick) {
  wait({500'000, 0, 0, 0, 0, 0}, {0.4, 0, 0, 0, 0, 0});
  const PortId first = links_by_name(graph_).front();
  counters_.links[first.index()].words = {CounterState::counted, 3'125'000};  // 12.5 MB: 0.5 ms
  CounterFiles files;
  files.interval = milliseconds(1);
  EXPECT_NEAR(compare(files).links[0].sent.measured_time, 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(compare(files).links[0].wait.measured_time));
  files.tick = nanoseconds(1);
  EXPECT_NEAR(compare(files).links[0].wait.measured_time, 0.5, 1e-12);
  EXPECT_TRUE(compare(files).notes.empty());
  files.tick = nanoseconds(4);
  EXPECT_THAT(compare(files).notes.at(0), HasSubstr("1 link waited for more than the whole"));
}

TEST_F(MeasuredLinks, OfAnotherFabricAreRefused) {
  run_.links[2].name = "h4";
  EXPECT_THROW((void)compare(), InputError);
  run_.links.clear();
  EXPECT_THROW((void)compare(), InputError);
}

}  // namespace
}  // namespace weir::metrics::link_comparison_test
