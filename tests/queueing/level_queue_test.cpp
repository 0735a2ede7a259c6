#include "weir/queueing/level_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/queueing/support.hpp"
#include "weir/base/error.hpp"
#include "weir/queueing/ge_queue.hpp"
#include "weir/queueing/threshold_queue.hpp"

namespace weir::queueing {
namespace {

using testing::HasSubstr;

/// Source: infiniband-queueing 7.3.
struct ThresholdRow {
  double lambda;
  std::string system;
  double p_0;
  double mass[3];
  double l, pi, t, r, p_full;
};
const ThresholdRow kLoads[] = {
    {1, "none", 0.880612, {0.119388, 0, 0}, 0.389939, 0.044899, 0.955101, 0.408270, 0.008980},
    {1, "ET", 0.893052, {0.089169, 0.017779, 0}, 0.319676, 0.002186, 0.997814, 0.320376, 0.000243},
    {1,
     "AJT",
     0.891494,
     {0.089013, 0.013451, 0.006042},
     0.341174,
     0.000180,
     0.999820,
     0.341235,
     0.000026},
    {2, "none", 0.770190, {0.229810, 0, 0}, 0.852929, 0.080760, 1.838479, 0.463932, 0.026920},
    {2, "ET", 0.797184, {0.156886, 0.045931, 0}, 0.699203, 0.005012, 1.989975, 0.351363, 0.001002},
    {2,
     "AJT",
     0.792283,
     {0.155921, 0.032402, 0.019393},
     0.779482,
     0.000735,
     1.998530,
     0.390028,
     0.000184},
    {3, "none", 0.671506, {0.328494, 0, 0}, 1.349561, 0.124015, 2.627954, 0.513541, 0.053149},
    {3, "ET", 0.711515, {0.205645, 0.082840, 0}, 1.132848, 0.009802, 2.970595, 0.381354, 0.002673},
    {3,
     "AJT",
     0.701053,
     {0.202621, 0.054078, 0.042248},
     1.334438,
     0.002270,
     2.993191,
     0.445824,
     0.000757},
    {4, "none", 0.585586, {0.414414, 0, 0}, 1.846841, 0.171172, 3.315314, 0.557064, 0.085586},
    {4, "ET", 0.634975, {0.238563, 0.126462, 0}, 1.614451, 0.017026, 3.931897, 0.410604, 0.005675},
    {4,
     "AJT",
     0.616594,
     {0.231658, 0.075756, 0.075992},
     2.026626,
     0.005685,
     3.977259,
     0.509554,
     0.002274},
    {5, "none", 0.512067, {0.487933, 0, 0}, 2.322489, 0.219307, 3.903463, 0.594982, 0.121837},
    {5, "ET", 0.566578, {0.258714, 0.174708, 0}, 2.136344, 0.026992, 4.865040, 0.439122, 0.010382},
    {5,
     "AJT",
     0.538184,
     {0.245748, 0.095172, 0.120896},
     2.869572,
     0.012103,
     4.939485,
     0.580946,
     0.005501},
    {6, "none", 0.449783, {0.550217, 0, 0}, 2.764136, 0.266377, 4.401740, 0.627964, 0.159826},
    {6, "ET", 0.505494, {0.268868, 0.225638, 0}, 2.689286, 0.039807, 5.761158, 0.466796, 0.017060},
    {6,
     "AJT",
     0.465658,
     {0.247680, 0.110724, 0.175937},
     3.862378,
     0.022621,
     5.864275,
     0.658628,
     0.011310},
    {7, "none", 0.397243, {0.602757, 0, 0}, 3.166638, 0.311135, 4.822053, 0.656699, 0.197995},
    {7, "ET", 0.451020, {0.271418, 0.277562, 0}, 3.263032, 0.055381, 6.612333, 0.493477, 0.025844},
    {7,
     "AJT",
     0.399273,
     {0.240277, 0.121557, 0.238893},
     4.986076,
     0.038022,
     6.733845,
     0.740450,
     0.020473},
    {12, "none", 0.233407, {0.766593, 0, 0}, 4.636062, 0.488938, 6.132743, 0.755952, 0.366704},
    {12,
     "ET",
     0.258064,
     {0.228029, 0.513907, 0},
     6.111381,
     0.162772,
     10.046739,
     0.608295,
     0.097663},
    {12,
     "AJT",
     0.168216,
     {0.148638, 0.115826, 0.567319},
     11.161980,
     0.179154,
     9.850158,
     1.133178,
     0.119436},
};

/// Source: infiniband-queueing 7.4: length, blocking, busy probability.
struct VariabilityRow {
  double ca2;
  double none[3];
  double et[3];
  double ajt[3];
};
const VariabilityRow kVariability[] = {
    {1,
     {1.753049, 0.055330, 0.472335},
     {1.260534, 0.000126, 0.420915},
     {1.307571, 0.000019, 0.423364}},
    {2,
     {1.823475, 0.084037, 0.457981},
     {1.364281, 0.001108, 0.404009},
     {1.480000, 0.000219, 0.409747}},
    {3,
     {1.853456, 0.113555, 0.443223},
     {1.460812, 0.003969, 0.389493},
     {1.665873, 0.000976, 0.399221}},
    {5,
     {1.846841, 0.171172, 0.414414},
     {1.614451, 0.017026, 0.365025},
     {2.026626, 0.005685, 0.383406}},
    {7,
     {1.797466, 0.224396, 0.387802},
     {1.711248, 0.038650, 0.344267},
     {2.327526, 0.015637, 0.370862}},
    {9,
     {1.731420, 0.272490, 0.363755},
     {1.762108, 0.065747, 0.325906},
     {2.555450, 0.030285, 0.359599}},
    {15,
     {1.520274, 0.389255, 0.305373},
     {1.758821, 0.157262, 0.280636},
     {2.899130, 0.090242, 0.328673}},
};

EntryThresholdQueue entry(double lambda, std::int64_t t = 4, double ca2 = 5, double cs2 = 7) {
  return {lambda, ca2, cs2, 8, 16, 8, t};
}

ArrivalJobThresholdQueue jobs(double lambda, std::int64_t t1 = 4, std::int64_t t2 = 4,
                              double ca2 = 5, double cs2 = 7) {
  return {lambda, ca2, cs2, {8, 16, 12}, 8, {t1, t2}};
}

QueueMeasures solve(const std::string& system, double lambda, double ca2 = 5, double cs2 = 7) {
  if (system == "ET") return entry(lambda, 4, ca2, cs2).solve();
  if (system == "AJT") return jobs(lambda, 4, 4, ca2, cs2).solve();
  return GeQueue{lambda, ca2, 8, cs2, 8}.solve();
}

TEST(LevelQueue, GivesTheLoadSweep) {
  for (const ThresholdRow& row : kLoads) {
    SCOPED_TRACE(testing::Message() << row.lambda << " " << row.system);
    const QueueMeasures out = solve(row.system, row.lambda);
    EXPECT_NEAR(out.distribution.front(), row.p_0, kPrinted);
    EXPECT_NEAR(out.distribution.back(), row.p_full, kPrinted);
    for (std::size_t k = 0; k < out.level_mass.size(); ++k) {
      EXPECT_NEAR(out.level_mass[k], row.mass[k], kPrinted) << k;
    }
    EXPECT_NEAR(out.mean_length, row.l, kPrinted);
    EXPECT_NEAR(out.blocking, row.pi, kPrinted);
    EXPECT_NEAR(out.throughput, row.t, kPrinted);
    EXPECT_NEAR(out.response_time, row.r, kPrinted);
  }
}

TEST(LevelQueue, GivesTheVariabilitySweep) {
  for (const VariabilityRow& row : kVariability) {
    SCOPED_TRACE(row.ca2);
    const auto expect = [&](const char* system, const double(&values)[3]) {
      const QueueMeasures out = solve(system, 4, row.ca2);
      EXPECT_NEAR(out.mean_length, values[0], kPrinted) << system;
      EXPECT_NEAR(out.blocking, values[1], kPrinted) << system;
      EXPECT_NEAR(out.busy_probability, values[2], kPrinted) << system;
    };
    expect("none", row.none);
    expect("ET", row.et);
    expect("AJT", row.ajt);
  }
}

TEST(LevelQueue, GivesTheServiceVariabilitySweep) {
  struct Row {
    double cs2;
    const char* system;
    double l, pi;
  };
  for (const Row& row : {Row{1, "none", 1.552562, .131585}, Row{1, "ET", 1.411276, .009129},
                         Row{1, "AJT", 1.625671, .001607}, Row{3, "none", 1.673865, .146091},
                         Row{3, "ET", 1.486031, .011521}, Row{3, "AJT", 1.765170, .002655},
                         Row{15, "none", 2.055390, .206726}, Row{15, "ET", 1.818014, .029212},
                         Row{15, "AJT", 2.482826, .014687}}) {
    const QueueMeasures out = solve(row.system, 4, 5, row.cs2);
    EXPECT_NEAR(out.mean_length, row.l, kPrinted) << row.system << row.cs2;
    EXPECT_NEAR(out.blocking, row.pi, kPrinted) << row.system << row.cs2;
  }
}

TEST(LevelQueue, GivesEqualCapacityWithoutThreshold) {
  struct Row {
    double lambda;
    std::int64_t m;
    double l, pi, r;
  };
  for (const Row& row :
       {Row{4, 16, 3.080518, .060403, .819639}, Row{6, 16, 5.325654, .143290, 1.036067},
        Row{7, 16, 6.389410, .191359, 1.128775}, Row{4, 24, 3.784793, .022705, .968181},
        Row{6, 24, 7.511269, .085155, 1.368405}, Row{7, 24, 9.458402, .130998, 1.554887}}) {
    const QueueMeasures out = GeQueue{row.lambda, 5, 8, 7, row.m}.solve();
    EXPECT_NEAR(out.mean_length, row.l, kPrinted);
    EXPECT_NEAR(out.blocking, row.pi, kPrinted);
    EXPECT_NEAR(out.response_time, row.r, kPrinted);
  }
}

void expect_states(const QueueMeasures& out, const std::vector<double>& expected) {
  ASSERT_EQ(out.distribution.size(), expected.size());
  for (std::size_t n = 0; n < expected.size(); ++n) {
    EXPECT_NEAR(out.distribution[n], expected[n], kPrinted) << n;
  }
}

TEST(LevelQueue, GivesTheDistributionsOfTheExamples) {
  expect_states(entry(4).solve(),
                {.634975, .070553, .062714, .055745, .049551, .026427, .021142, .016914, .013531,
                 .010825, .008660, .006928, .005542, .004434, .003547, .002838, .005675});
  expect_states(jobs(6).solve(),
                {.465658, .066523, .063355, .060338, .057465, .034827, .029550, .025073, .021274,
                 .022062, .019611, .017432, .015495, .013773, .012243, .010883, .009673, .008599,
                 .007643, .006794, .006039, .005368, .004772, .004241, .011310});
}

TEST(LevelQueue, GivesTheThresholdSweep) {
  struct Row {
    double lambda;
    std::int64_t t;
    double l, pi;
  };
  for (const Row& row :
       {Row{4, 0, 1.149502, .013252}, Row{4, 1, 1.236722, .013953}, Row{4, 2, 1.349589, .014815},
        Row{4, 4, 1.614451, .017026}, Row{4, 6, 1.894311, .019940}, Row{4, 8, 2.164027, .023670},
        Row{6, 0, 2.036624, .031595}, Row{6, 2, 2.315808, .035004}, Row{6, 4, 2.689286, .039807},
        Row{6, 6, 3.104829, .046156}, Row{6, 8, 3.531312, .054334}}) {
    const QueueMeasures out = entry(row.lambda, row.t).solve();
    EXPECT_NEAR(out.mean_length, row.l, kPrinted) << row.lambda << " " << row.t;
    EXPECT_NEAR(out.blocking, row.pi, kPrinted) << row.lambda << " " << row.t;
  }
  struct JobRow {
    std::int64_t t1, t2;
    double l, pi;
  };
  for (const JobRow& row : {JobRow{2, 2, 3.807466, .022790}, JobRow{4, 4, 3.862378, .022621},
                            JobRow{4, 8, 3.497558, .019449}, JobRow{6, 6, 4.013209, .022387},
                            JobRow{8, 8, 4.263086, .022189}}) {
    const QueueMeasures out = jobs(6, row.t1, row.t2).solve();
    EXPECT_NEAR(out.mean_length, row.l, kPrinted) << row.t1 << " " << row.t2;
    EXPECT_NEAR(out.blocking, row.pi, kPrinted) << row.t1 << " " << row.t2;
  }
}

TEST(LevelQueue, GivesThreeEqualLanes) {
  struct Row {
    double lambda, l, pi, t, r;
  };
  for (const Row& row :
       {Row{2, .654384, .000267, 1.999467, .327279}, Row{4, 1.459282, .001241, 3.995034, .365274},
        Row{6, 2.389427, .003929, 5.976427, .399809}, Row{7, 2.898852, .006311, 6.955825, .416752},
        Row{12, 5.816856, .034510, 11.585878, .502064}}) {
    ArrivalJobThresholdQueue queue = jobs(row.lambda);
    queue.rates = {8, 16, 24};
    const QueueMeasures out = queue.solve();
    EXPECT_NEAR(out.mean_length, row.l, kPrinted);
    EXPECT_NEAR(out.blocking, row.pi, kPrinted);
    EXPECT_NEAR(out.throughput, row.t, kPrinted);
    EXPECT_NEAR(out.response_time, row.r, kPrinted);
  }
}

TEST(LevelQueue, ThresholdsMayBelongToTheUpperLevel) {
  struct Row {
    double lambda, l, pi, t, r;
  };
  for (const Row& row : {Row{4, 1.477847, .015837, 3.936651, .375407},
                         Row{6, 2.494711, .037225, 5.776649, .431861}}) {
    EntryThresholdQueue queue = entry(row.lambda);
    queue.mode = ThresholdMode::at_or_above;
    const QueueMeasures out = queue.solve();
    EXPECT_NEAR(out.mean_length, row.l, kPrinted);
    EXPECT_NEAR(out.blocking, row.pi, kPrinted);
    EXPECT_NEAR(out.throughput, row.t, kPrinted);
    EXPECT_NEAR(out.response_time, row.r, kPrinted);
  }
}

TEST(LevelQueue, IsABirthDeathProcessWithoutBursts) {
  const QueueMeasures out = entry(4, 4, 1, 1).solve();
  EXPECT_NEAR(out.distribution[0], .510638, kPrinted);
  for (std::size_t n = 0; n < 16; ++n) {
    EXPECT_NEAR(out.distribution[n + 1] / out.distribution[n], n < 4 ? .5 : .25, 1e-14) << n;
  }
  EXPECT_NEAR(out.mean_length, .886525, kPrinted);
  EXPECT_NEAR(out.throughput, 4, kPrinted);
}

TEST(LevelQueue, SystemsAgreeWhereTheyAreTheSame) {
  const ArrivalJobThresholdQueue two{6, 5, 7, {8, 16}, 8, {4}};
  EXPECT_EQ(entry(6).solve().distribution, two.solve().distribution);  // to the last bit
  const LevelQueue equal{6, 5, 7, {{8, 3}, {8, 10}, {8, 16}}};
  EXPECT_EQ(equal.solve().distribution, (GeQueue{6, 5, 8, 7, 16}.solve().distribution));
}

/// A queue with up to four levels, any load from 1e-3 to 1e2, SCVs from 1 to 51, up to 40 packets.
LevelQueue any_queue() {
  const auto any = [](double low, double high) {
    const double share = static_cast<double>(*rc::gen::inRange(0, 1'000'001)) / 1e6;
    return low * std::pow(high / low, share);
  };
  LevelQueue queue;
  queue.arrival_rate = any(.1, 10);
  queue.arrival_scv = *rc::gen::inRange(0, 4) == 0 ? 1 : any(1, 51);
  queue.service_scv = *rc::gen::inRange(0, 4) == 0 ? 1 : any(1, 51);
  const int levels = *rc::gen::inRange(1, 5);
  std::int64_t last = 0;
  for (int k = 0; k < levels; ++k) {
    last += *rc::gen::inRange(1, 11);
    // Every eighth level has a load of 1.
    const double rate = *rc::gen::inRange(0, 8) == 0 ? queue.arrival_rate : any(.1, 10);
    queue.levels.push_back({rate, last});
  }
  return queue;
}

void check_against_chain() {
  const LevelQueue queue = any_queue();
  const QueueMeasures out = queue.solve();
  const std::vector<double> chain = generator(queue).stationary(ChainMethod::elimination);
  double mean = 0;
  for (std::size_t n = 0; n < chain.size(); ++n) {
    RC_ASSERT(std::abs(out.distribution[n] - chain[n]) < 1e-12);
    RC_ASSERT(std::abs(out.distribution[n] / chain[n] - 1) < 1e-11);
    mean += static_cast<double>(n) * chain[n];
  }
  RC_ASSERT(std::abs(out.mean_length / mean - 1) < 1e-12);
  // A packet of a batch that k packets precede meets what those before it left.
  const double s = 2 / (queue.arrival_scv + 1);
  const double r = 2 / (queue.service_scv + 1);
  double lost = 0;
  for (std::size_t n = 0; n < chain.size(); ++n) {
    const double first = n == 0 ? r / (r * (1 - s) + s) : 1;
    lost += first * std::pow(1 - s, static_cast<double>(chain.size() - 1 - n)) * chain[n];
  }
  RC_ASSERT(std::abs(out.blocking - lost) < 1e-12);

  const QueueMeasures closed = queue.solve_closed_form();
  RC_ASSERT(std::abs(closed.mean_length / mean - 1) < 1e-12);
  RC_ASSERT(std::abs(closed.blocking - lost) < 1e-12);
  for (std::size_t k = 0; k < queue.levels.size(); ++k) {
    RC_ASSERT(std::abs(closed.level_mass[k] - out.level_mass[k]) < 1e-12);
  }
  // Totals, flow and Little's law.
  const double sum = std::accumulate(out.distribution.begin(), out.distribution.end(), 0.0);
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
  RC_ASSERT(std::abs(queue.arrival_rate * (1 - out.blocking) - out.throughput) <
            1e-12 * queue.arrival_rate);
  RC_ASSERT(std::abs(out.response_time * out.throughput / out.mean_length - 1) < 1e-12);
}

TEST(LevelQueue, IsTheExactChainOnAThousandRandomQueues) {
  ASSERT_TRUE(rc::check("ten queues a round", [] {
    for (int i = 0; i < 10; ++i) check_against_chain();
  }));
}

TEST(LevelQueue, ClosedFormAndRecursionAgreeOnLongQueues) {
  for (const double rho : {1e-6, .1, .9999, 1.0, 1.0001, 10.0}) {
    const LevelQueue queue{rho, 5, 7, {{1, 3000}, {1.00001, 7000}, {2, 10'000}}};
    const QueueMeasures a = queue.solve();
    const QueueMeasures b = queue.solve_closed_form();
    EXPECT_NEAR(b.mean_length / a.mean_length, 1, 1e-9) << rho;
    EXPECT_NEAR(b.throughput / a.throughput, 1, 1e-11) << rho;
    EXPECT_NEAR(b.blocking, a.blocking, 1e-11) << rho;
  }
}

std::string error_of(const EntryThresholdQueue& queue) {
  try {
    (void)queue.solve();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LevelQueue, SaysWhatIsWrong) {
  EXPECT_THAT(error_of(entry(4, 9)), HasSubstr("threshold: must be 0 to 8"));
  EXPECT_THAT(error_of(entry(4, -1)), HasSubstr("threshold: must be 0 to 8"));
  EntryThresholdQueue queue = entry(4, 0);
  queue.mode = ThresholdMode::at_or_above;
  EXPECT_THAT(error_of(queue), HasSubstr("threshold: must be 1 to 8"));
  queue = entry(4);
  queue.borrowed_rate = -1;
  EXPECT_THAT(error_of(queue), HasSubstr("borrowed_rate: must be greater than 0"));
  queue = entry(4);
  queue.capacity = 0;
  EXPECT_THAT(error_of(queue), HasSubstr("capacity: must be 1 to"));
  ArrivalJobThresholdQueue job = jobs(4);
  job.thresholds = {4};
  EXPECT_THROW((void)job.solve(), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {}}.solve()), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {{8, 5}, {8, 4}}}.solve()), InputError);
  EXPECT_THROW((void)(LevelQueue{4, 5, 7, {{8, 5}, {8, 5}}}.solve()), InputError);
}

}  // namespace
}  // namespace weir::queueing
