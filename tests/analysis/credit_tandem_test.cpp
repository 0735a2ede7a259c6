#include "weir/analysis/credit_tandem.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/analysis/support.hpp"
#include "weir/analysis/ge_queue.hpp"
#include "weir/base/error.hpp"

namespace weir::analysis {
namespace {

/// As published, to the printed digits. Source: yan2012, section 4.3.
struct TandemRow {
  std::int64_t n, m;
  double l1, l2, l, t, r, b, stall;
};

/// n = 12: the upstream buffer stays, the downstream one grows (experiment X4.1).
const TandemRow kBuffers[] = {
    {12, 1, 10.304024, 0.428294, 10.732318, 3.426351, 3.132288, 0.314730, 0.427889},
    {12, 2, 7.422799, 0.784304, 8.207103, 4.421161, 1.856323, 0.115768, 0.225668},
    {12, 3, 5.553582, 1.031500, 6.585082, 4.716242, 1.396256, 0.056752, 0.120537},
    {12, 4, 4.653994, 1.199471, 5.853466, 4.815110, 1.215645, 0.036978, 0.066408},
    {12, 5, 4.204304, 1.315316, 5.519620, 4.855875, 1.136689, 0.028825, 0.037607},
    {12, 6, 3.965288, 1.394958, 5.360245, 4.875195, 1.099494, 0.024961, 0.021649},
    {12, 7, 3.833027, 1.448937, 5.281963, 4.885106, 1.081238, 0.022979, 0.012551},
    {12, 8, 3.758260, 1.484813, 5.243073, 4.890412, 1.072113, 0.021918, 0.007280},
    {12, 9, 3.715628, 1.508145, 5.223773, 4.893313, 1.067533, 0.021337, 0.004206},
    {12, 10, 3.691300, 1.522990, 5.214290, 4.894914, 1.065246, 0.021017, 0.002415},
    {12, 11, 3.677464, 1.532243, 5.209706, 4.895802, 1.064117, 0.020840, 0.001376},
    {12, 12, 3.669636, 1.537904, 5.207540, 4.896294, 1.063568, 0.020741, 0.000778},
    {12, 40, 3.659700, 1.546146, 5.205846, 4.896900, 1.063090, 0.020620, 0},
};

/// Both grow (experiment X4.2).
const TandemRow kEqualBuffers[] = {
    {2, 2, 0.965770, 0.564925, 1.530694, 3.433143, 0.445858, 0.313371, 0.080208},
    {3, 3, 1.363720, 0.784096, 2.147817, 3.958962, 0.542520, 0.208208, 0.050216},
    {4, 4, 1.722849, 0.961517, 2.684366, 4.266410, 0.629186, 0.146718, 0.031155},
    {5, 5, 2.049575, 1.103152, 3.152727, 4.461739, 0.706614, 0.107652, 0.019408},
    {6, 6, 2.348115, 1.215417, 3.563533, 4.593321, 0.775807, 0.081336, 0.012155},
    {7, 7, 2.621403, 1.304157, 3.925560, 4.685944, 0.837731, 0.062811, 0.007645},
    {8, 8, 2.871555, 1.374317, 4.245873, 4.753414, 0.893226, 0.049317, 0.004825},
    {9, 9, 3.100187, 1.429920, 4.530108, 4.803913, 0.943004, 0.039217, 0.003052},
    {10, 10, 3.308628, 1.474154, 4.782781, 4.842536, 0.987661, 0.031493, 0.001933},
};

CreditTandem tandem(std::int64_t n, std::int64_t m, double arrivals = 5) {
  return {arrivals, 6, 8, n, m};
}

void expect_row(const TandemRow& row) {
  SCOPED_TRACE(testing::Message() << "n = " << row.n << ", m = " << row.m);
  const TandemMeasures out = tandem(row.n, row.m).solve();
  EXPECT_NEAR(out.mean_length_1, row.l1, kPrinted);
  EXPECT_NEAR(out.mean_length_2, row.l2, kPrinted);
  EXPECT_NEAR(out.mean_length, row.l, kPrinted);
  EXPECT_NEAR(out.throughput, row.t, kPrinted);
  EXPECT_NEAR(out.response_time, row.r, kPrinted);
  EXPECT_NEAR(out.blocking, row.b, kPrinted);
  EXPECT_NEAR(out.credit_stall, row.stall, kPrinted);
}

TEST(CreditTandem, GivesTheTableOfDownstreamBuffers) {
  for (const TandemRow& row : kBuffers) expect_row(row);
}

TEST(CreditTandem, GivesTheTableOfEqualBuffers) {
  for (const TandemRow& row : kEqualBuffers) expect_row(row);
}

TEST(CreditTandem, GivesTheSmallChainsStateByState) {
  const std::vector<double> one = tandem(1, 1).solve().distribution;
  const double expected_one[] = {.296754, .185471, .401855, .115920};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(one[i], expected_one[i], kPrinted);
  const std::vector<double> two = tandem(2, 2).solve().distribution;
  const double expected_two[] = {.179709, .112318, .055574, .169257, .120411,
                                 .049359, .221890, .060632, .030849};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(two[i], expected_two[i], kPrinted);
}

TEST(CreditTandem, GivesUnequalSmallBuffers) {
  struct Row {
    std::int64_t n, m;
    double l1, l2, t;
  };
  for (const Row& row :
       {Row{2, 1, 1.182890, .368619, 2.948953}, Row{1, 2, .467357, .393970, 2.663215},
        Row{3, 2, 1.508760, .641610, 3.778512}}) {
    const TandemMeasures out = tandem(row.n, row.m).solve();
    EXPECT_NEAR(out.mean_length_1, row.l1, kPrinted);
    EXPECT_NEAR(out.mean_length_2, row.l2, kPrinted);
    EXPECT_NEAR(out.throughput, row.t, kPrinted);
  }
}

TEST(CreditTandem, GivesTheLoadSweep) {
  struct Row {
    double arrivals, l1, l2, t, r, b;
  };
  for (const Row& row : {Row{1, .199999, .142857, 1.000000, .342856, 0},
                         Row{3, .982957, .596113, 2.994118, .527390, 1 - 2.994118 / 3},
                         Row{7, 5.114602, 2.008512, 5.603710, 1.271143, .199470},
                         Row{9, 6.350580, 2.211252, 5.795367, 1.477358, .356070}}) {
    const TandemMeasures out = tandem(8, 8, row.arrivals).solve();
    EXPECT_NEAR(out.mean_length_1, row.l1, kPrinted);
    EXPECT_NEAR(out.mean_length_2, row.l2, kPrinted);
    EXPECT_NEAR(out.throughput, row.t, kPrinted);
    EXPECT_NEAR(out.response_time, row.r, kPrinted);
    EXPECT_NEAR(out.blocking, row.b, 2 * kPrinted);
  }
}

// A closed form for one packet on each side.
TEST(CreditTandem, OnePacketEachHasAClosedForm) {
  const double a = 5, u = 6, v = 8;
  const std::vector<double> weight{1, a / v, a * (a + v) / (u * v), a / v * a / v};
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  const std::vector<double> p = tandem(1, 1).solve().distribution;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(p[i], weight[i] / sum, 1e-15);
}

TEST(CreditTandem, VeryFastStationsLeaveASingleQueue) {
  const TandemMeasures fast_1 = CreditTandem{5, 1e9, 8, 6, 4}.solve();
  EXPECT_NEAR(fast_1.throughput, 4.982849, 1e-5);
  EXPECT_NEAR(fast_1.mean_length, 1.603781, 1e-5);
  // The first station keeps places that are its own: n + m of them in all.
  EXPECT_NEAR(fast_1.throughput, (GeQueue{5, 1, 8, 1, 10}.solve().throughput), 1e-6);
  const TandemMeasures fast_2 = CreditTandem{5, 6, 1e9, 6, 4}.solve();
  EXPECT_NEAR(fast_2.throughput, 4.612880, 1e-5);
  EXPECT_NEAR(fast_2.mean_length_1, 2.290163, 1e-5);
  EXPECT_NEAR(fast_2.mean_length_2, 0, 1e-6);
  const TandemMeasures roomy = tandem(12, 60).solve();
  EXPECT_NEAR(roomy.mean_length_1, (GeQueue{5, 1, 6, 1, 12}.solve().mean_length), 1e-9);
}

// The flow of packets through all three cuts is the same, and the methods agree.
RC_GTEST_PROP(CreditTandem, FlowsAgreeInEveryMethod, ()) {
  const auto rate = [] {
    return std::exp(static_cast<double>(*rc::gen::inRange(-300, 301)) / 100);
  };
  const CreditTandem queue{rate(), rate(), rate(), *rc::gen::inRange(1, 9),
                           *rc::gen::inRange(1, 9)};
  const TandemMeasures exact = queue.solve(ChainMethod::elimination);
  const double t = exact.throughput;
  RC_ASSERT(std::abs(queue.rate_1 * exact.utilization_1 / t - 1) < 1e-12);
  RC_ASSERT(std::abs(queue.arrival_rate * (1 - exact.blocking) - t) < 1e-12 * queue.arrival_rate);
  for (const ChainMethod method : {ChainMethod::matrix_analytic, ChainMethod::sparse}) {
    const TandemMeasures other = queue.solve(method);
    for (std::size_t i = 0; i < exact.distribution.size(); ++i) {
      RC_ASSERT(std::abs(other.distribution[i] - exact.distribution[i]) < 1e-12);
    }
  }
}

// A buffer that is never empty, to 1e-13 and to 1e-360: no state may stand for all others.
TEST(CreditTandem, OverloadIsSolvedByEveryMethod) {
  for (const CreditTandem& queue :
       {CreditTandem{8.08492, 0.0566989, 0.618783, 6, 1}, CreditTandem{20, 0.1, 0.1, 24, 24},
        CreditTandem{1, 1e6, 1e-3, 60, 60}}) {
    const auto all = queue.solve(ChainMethod::elimination).distribution;
    const auto other = queue.solve(ChainMethod::sparse).distribution;
    for (std::size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(other[i], all[i], 1e-13) << i;
  }
}

TEST(CreditTandem, MethodsAgreeOnTheLargestPublishedChain) {
  const auto all = tandem(12, 11).solve(ChainMethod::elimination).distribution;
  for (const ChainMethod method : {ChainMethod::matrix_analytic, ChainMethod::sparse}) {
    const auto other = tandem(12, 11).solve(method).distribution;
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(other[i], all[i], 1e-12);
  }
}

TEST(CreditTandem, LargeChainsAreSolvedToo) {
  const TandemMeasures out = tandem(100, 100).solve();
  EXPECT_NEAR(out.throughput, 5, 1e-6);
  EXPECT_NEAR(out.mean_length_1, 5, 1e-4);
}

// What the document's text says of equal buffers, and what its own chain says.
TEST(CreditTandem, ResponseTimeGrowsWithEqualBuffers) {
  double before = 0;
  for (std::int64_t n = 4; n <= 10; ++n) {
    const double now = tandem(n, n).solve().response_time;
    EXPECT_GT(now, before) << "the document says that it falls";
    before = now;
  }
}

// Equation 4.10 in its printed middle form leaves out that the server waits for credits.
TEST(CreditTandem, PrintedThroughputOfTheFirstStationIsWrong) {
  const CreditTandem queue = tandem(12, 6);
  const TandemMeasures out = queue.solve();
  double nothing_downstream = 0;
  for (std::int64_t i = 0; i <= 12; ++i) nothing_downstream += out.probability(i, 0);
  EXPECT_NEAR(queue.rate_1 * (1 - nothing_downstream), 3.656, 5e-4);
  EXPECT_NEAR(queue.rate_1 * out.utilization_1, 4.875195, kPrinted);
}

TEST(CreditTandem, RefusesWhatIsNoTandem) {
  EXPECT_THROW((void)(CreditTandem{-5, 6, 8, 2, 2}.solve()), InputError);
  EXPECT_THROW((void)(CreditTandem{5, 0, 8, 2, 2}.solve()), InputError);
  EXPECT_THROW((void)tandem(0, 2).solve(), InputError);
  EXPECT_THROW((void)tandem(2, 0).solve(), InputError);
  EXPECT_THROW((void)tandem(1000, 1000).solve(), InputError);
  EXPECT_THROW((void)tandem(100, 100).solve(ChainMethod::elimination), InputError);
}

TEST(MarkovChain, RefusesStatesThatDoNotReachEachOther) {
  MarkovChain chain(3);
  chain.add(0, 1, 1);
  chain.add(1, 0, 1);
  for (const ChainMethod method : {ChainMethod::elimination, ChainMethod::sparse}) {
    EXPECT_THROW((void)chain.stationary(method), RunError);
  }
}

}  // namespace
}  // namespace weir::analysis
