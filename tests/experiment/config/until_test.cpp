#include "weir/experiment/config/until.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;

metrics::RunResult run(const std::vector<std::string>& set) {
  const Configuration configuration = resolve(small_with(set));
  NetworkCache networks;
  const auto record = run_one(configuration, {}, networks, [](const RunProgress&) { return true; });
  EXPECT_EQ(record->status, "done") << record->error;
  return record->result;
}

const metrics::Scalar& scalar(const metrics::RunResult& result, const std::string& metric) {
  static const metrics::Scalar none;
  const auto it =
      std::find_if(result.scalars.begin(), result.scalars.end(),
                   [&](const metrics::Scalar& s) { return to_string(s.name) == metric; });
  EXPECT_NE(it, result.scalars.end()) << metric;
  return it == result.scalars.end() ? none : *it;
}

std::string notes(const metrics::RunResult& result) {
  std::string text;
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

const std::string kUntil =
    R"(experiment.until={ metric = "latency_mean", relative_half_width = 0.05 })";

TEST(LookPlan, LooksAreSpacedByAFactorAndEndWithTheDuration) {
  LookPlan plan(microseconds(100), microseconds(1'100));
  std::vector<double> lengths;
  while (plan.next() != Time::max()) {
    lengths.push_back(to_nanoseconds(plan.next() - microseconds(100)));
    EXPECT_FALSE(plan.look(false));
  }
  EXPECT_EQ(lengths.back(), 1e6);
  EXPECT_LT(lengths.front(), 2e3);
  EXPECT_LT(lengths.size(), 20U);
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    EXPECT_NEAR(lengths[i] / lengths[i - 1], 1.5, 0.01);
  }
}

TEST(LookPlan, OneContentLookIsNotEnough) {
  LookPlan plan(Time(0), milliseconds(1));
  EXPECT_FALSE(plan.look(true));
  EXPECT_FALSE(plan.look(false));
  EXPECT_FALSE(plan.look(true));
  EXPECT_TRUE(plan.look(true));
}

TEST(UntilSlow, EndsEarlierAtLowLoad) {
  std::vector<double> times;
  for (const char* load : {"0.2", "0.9"}) {
    const metrics::RunResult result =
        run({"experiment.duration=40 ms", "experiment.warmup=auto", kUntil,
             std::string("traffic.all.arrivals.load=") + load, "metrics.links=false"});
    const metrics::Scalar& latency = scalar(result, "latency_mean");
    EXPECT_EQ(latency.quality, metrics::Quality::estimated) << load;
    EXPECT_LE(latency.half_width, 0.05 * latency.value) << load;
    EXPECT_EQ(notes(result).find("the duration was over"), std::string::npos) << notes(result);
    times.push_back(*result.scalar("simulated_time"));
  }
  EXPECT_LT(2 * times[0], times[1]);
  EXPECT_LT(times[1], 40e6);
}

TEST(Until, ADurationThatIsTooShortIsNoted) {
  const metrics::RunResult result = run({"experiment.duration=300 us",
                                         "experiment.until={ metric = \"latency_mean\", "
                                         "relative_half_width = 0.0001 }"});
  EXPECT_EQ(*result.scalar("simulated_time"), 300'000);
  EXPECT_THAT(notes(result), HasSubstr("the duration was over before latency_mean was known "
                                       "within 0.01 %: "));
}

TEST(Until, WithoutAnyIntervalItIsNoted) {
  const metrics::RunResult result = run({"experiment.duration=5 us", kUntil});
  EXPECT_THAT(notes(result),
              HasSubstr("the duration was over before there was an interval of latency_mean"));
}

TEST(Until, TakesTheClassAndConfidenceItIsGiven) {
  const Configuration configuration = resolve(table_of(kSmall + R"(
[[traffic]]
name = "more"
role = "cold"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.1 }
sizes = { model = "fixed", size = "1 KiB" }
[experiment.until]
metric = "throughput[cold]"
confidence = 0.9
)"));
  ASSERT_TRUE(configuration.until_precise);
  EXPECT_EQ(to_string(configuration.until_precise->metric), "throughput[cold]");
  EXPECT_EQ(configuration.until_precise->keys->confidence, 0.9);
  EXPECT_EQ(configuration.until_precise->keys->relative_half_width, 0.05);
  EXPECT_TRUE(configuration.intervals);
  // With its defaults it reads back to itself.
  const Configuration again = resolve(configuration.resolved);
  EXPECT_EQ(to_toml(again.resolved), to_toml(configuration.resolved));
  EXPECT_THAT(to_toml(again.resolved), HasSubstr("relative_half_width = 0.05"));
}

std::string refused_until(const std::string& until, const std::string& more = {}) {
  std::string text = kSmall;
  text.insert(text.find("duration"), "until = " + until + "\n");
  return refusal(text + more);
}

TEST(Until, MistakesAreNamedAtTheirPlace) {
  EXPECT_THAT(refused_until("{ metric = \"latency_maen\" }"),
              HasSubstr("x.toml:4:20: experiment.until.metric: no metric is called 'latency_maen' "
                        "(did you mean 'latency_mean'?)"));
  EXPECT_THAT(refused_until("{ metric = \"latency_p99\" }"),
              HasSubstr("x.toml:4:20: experiment.until.metric: 'latency_p99' has no confidence "
                        "interval; these have: latency_mean, "));
  EXPECT_THAT(refused_until("{ metric = \"latency_mean\", relative_half_width = 5 }"),
              HasSubstr("experiment.until.relative_half_width: must be between 0.0001 and 1"));
  EXPECT_THAT(refused_until("{ metric = \"latency_mean\", confidence = 1.0 }"),
              HasSubstr("experiment.until.confidence: must be between 0.5 and 0.999"));
  EXPECT_THAT(refused_until("{ metrc = \"latency_mean\" }"), HasSubstr("did you mean 'metric'?"));
  EXPECT_THAT(refused_until("{}"), HasSubstr("experiment.until.metric: is missing"));
  EXPECT_THAT(refused_until("\"draind\""),
              HasSubstr("4:9: experiment.until: must be \"drained\", \"workload\""));
  EXPECT_THAT(refused_until("{ metric = \"latency_mean[all]\" }"),
              HasSubstr("no traffic has the label 'all'; write latency_mean"));
  EXPECT_THAT(refused_until("{ metric = \"latency_mean[moer]\" }", R"(
[[traffic]]
name = "more"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.1 }
sizes = { model = "fixed", size = "1 KiB" }
)"),
              HasSubstr("no traffic has the label 'moer' (did you mean 'more'?)"));
  std::string endless = kSmall;
  endless.replace(endless.find("duration = \"20 us\""), 18, "until = { metric = \"efficiency\" }");
  EXPECT_THAT(refusal(endless), HasSubstr("experiment.duration: is missing: `until` needs"));
}

/// Two messages of each of three hosts to the fourth, beside traffic that never ends.
const std::string kBurst = R"(
[experiment]
name = "burst"
duration = "1 ms"
until = { delivered = "burst" }
[topology]
model = "single-switch"
hosts = 4
[routing]
model = "shortest-path"
[[traffic]]
name = "endless"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.3 }
sizes = { model = "fixed", size = "1 KiB" }
[[traffic]]
name = "burst"
messages = 2
start_after_packets = 20
sources = [0, 1, 2]
destinations = { model = "fixed", host = 3 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
)";

metrics::RunResult run_text(const std::string& text) {
  NetworkCache networks;
  const auto record =
      run_one(resolve(table_of(text)), {}, networks, [](const RunProgress&) { return true; });
  EXPECT_EQ(record->status, "done") << record->error;
  return record->result;
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = kBurst;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(UntilDelivered, EndsWithTheLastMessageOfTheEntry) {
  const metrics::RunResult result = run_text(kBurst);
  EXPECT_EQ(*result.scalar("bytes_delivered", "burst"), 6 * 4096);
  const double end = *result.scalar("simulated_time");
  EXPECT_EQ(end, *result.scalar("completion_time", "burst"));
  EXPECT_LT(end, 100'000);
  // Others are still on their way, and nothing else is different from a run that goes on.
  const metrics::RunResult whole = run_text(with("until = { delivered = \"burst\" }\n", ""));
  EXPECT_EQ(*whole.scalar("simulated_time"), 1e6);
  EXPECT_EQ(end, *whole.scalar("completion_time", "burst"));
  EXPECT_LT(*result.scalar("bytes_delivered", "endless"),
            *result.scalar("bytes_generated", "endless"));
}

TEST(UntilDelivered, TheDurationEndsItAtTheLatest) {
  const metrics::RunResult result = run_text(with("duration = \"1 ms\"", "duration = \"2 us\""));
  EXPECT_EQ(*result.scalar("simulated_time"), 2'000);
}

TEST(UntilDelivered, MessagesThatAFullQueueRefusesAreNotWaitedFor) {
  const metrics::RunResult result = run_text(
      with("{ model = \"saturated\" }", "{ model = \"constant\", load = 2.0, overload = true }") +
      "[host]\nbacklog = \"4 KiB\"\nwhen_full = \"discard\"\n");
  EXPECT_GT(*result.scalar("bytes_refused", "burst"), 0);
  EXPECT_LT(*result.scalar("simulated_time"), 1e6);
}

TEST(UntilDelivered, WhatIsResolvedReadsBackToItself) {
  const Configuration once = resolve(table_of(kBurst));
  const Configuration again = resolve(once.resolved);
  EXPECT_EQ(to_toml(again.resolved), to_toml(once.resolved));
  EXPECT_EQ((*again.until_delivered)->delivered, "burst");
}

TEST(UntilDelivered, MistakesAreNamedAtTheirPlace) {
  const auto error = [](const std::string& table) {
    return refusal(with("{ delivered = \"burst\" }", table));
  };
  EXPECT_THAT(error("{ delivered = \"bursts\" }"),
              HasSubstr("x.toml:5:23: experiment.until.delivered: no traffic is called 'bursts' "
                        "(did you mean 'burst'?)"));
  EXPECT_THAT(error("{ delivered = \"endless\" }"),
              HasSubstr("traffic 'endless' needs `messages`"));
  EXPECT_THAT(error("{ delivered = \"burst\", metric = \"latency_mean\" }"),
              HasSubstr("experiment.until.metric: means nothing with `delivered`"));
  EXPECT_THAT(error("{ confidence = 0.9 }"),
              HasSubstr("experiment.until.metric: is missing: say which mean, or `delivered`"));
  EXPECT_THAT(refusal(with("duration = \"1 ms\"\n", "")),
              HasSubstr("experiment.duration: is missing: `until` needs a longest time to try"));
}

TEST(WarmUp, AutoOrATime) {
  EXPECT_TRUE(resolve(small_with({"experiment.warmup=auto"})).detect_warmup);
  EXPECT_FALSE(resolve(small_with({"experiment.warmup=1 us"})).detect_warmup);
  EXPECT_FALSE(resolve(small_with({})).intervals);
  EXPECT_TRUE(resolve(small_with({"metrics.intervals=true"})).intervals);
  EXPECT_EQ(refusal([] { (void)resolve(small_with({"experiment.warmup=atuo"})); }),
            "--set: experiment.warmup: no choice is called 'atuo' (did you mean 'auto'?)");
  const Configuration configuration = resolve(small_with({"experiment.warmup=auto"}));
  EXPECT_EQ(to_toml(resolve(configuration.resolved).resolved), to_toml(configuration.resolved));
}

TEST(WarmUp, WhatIsMeasuredDoesNotChangeWhatHappens) {
  const std::vector<std::string> longer{"experiment.duration=1 ms", "metrics.bin=10 us"};
  const metrics::RunResult plain = run(longer);
  for (const char* more : {"experiment.warmup=auto", "metrics.intervals=true"}) {
    std::vector<std::string> set = longer;
    set.emplace_back(more);
    const metrics::RunResult result = run(set);
    EXPECT_EQ(result.fingerprint, plain.fingerprint) << more;
    EXPECT_EQ(scalar(result, "latency_mean").quality, metrics::Quality::estimated) << more;
    EXPECT_EQ(scalar(result, "link_utilization_max[ejection]").quality, metrics::Quality::plain);
  }
  EXPECT_EQ(scalar(plain, "latency_mean").quality, metrics::Quality::plain);
  EXPECT_TRUE(std::isnan(scalar(plain, "latency_mean").half_width));
}

TEST(WarmUp, LinksAreMeasuredInTheDetectedWindow) {
  // For a quarter of the time there is nothing but a trickle.
  const metrics::RunResult result = run({"experiment.duration=1 ms", "metrics.bin=10 us",
                                         "experiment.warmup=auto", "traffic.all.start=0.25 ms"});
  const double begin = scalar(result, "warmup_detected").value;
  EXPECT_GE(begin, 240e3);
  EXPECT_LE(begin, 400e3);
  EXPECT_NEAR(scalar(result, "link_utilization_mean[injection]").value, 0.5, 0.03);
  EXPECT_NEAR(scalar(result, "throughput").value, 200, 12);
}

TEST(WarmUp, OverloadIsNotStationary) {
  const metrics::RunResult result =
      run({"experiment.duration=1 ms", "experiment.warmup=auto",
           "traffic.all.arrivals={ model = \"poisson\", load = 1.3, overload = true }"});
  EXPECT_EQ(scalar(result, "latency_mean").quality, metrics::Quality::not_stationary);
  EXPECT_TRUE(std::isnan(scalar(result, "latency_mean").value));
  EXPECT_THAT(notes(result), HasSubstr("not stationary: latency_mean"));
  EXPECT_GT(scalar(result, "throughput").value, 300);
}

TEST(UntilSlow, ResultsDoNotDependOnTheNumberOfThreads) {
  const std::string text = kSmall + R"(
[sweep]
"traffic.all.arrivals.load" = [0.2, 0.5, 0.8]
[replicate]
seeds = 2
)";
  std::vector<std::vector<RunOutcome>> all;
  for (const unsigned jobs : {1U, 2U}) {
    std::vector<ConfigTable> overrides{parse_override("experiment.duration=2 ms"),
                                       parse_override("experiment.warmup=auto"),
                                       parse_override(kUntil)};
    const ExperimentFile file(table_of(text), overrides);
    all.push_back(run_all(file.variants(), {jobs, nullptr}, {}));
  }
  ASSERT_EQ(all[0].size(), 6U);
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    const metrics::RunResult& one = all[0][i].record->result;
    const metrics::RunResult& two = all[1][i].record->result;
    EXPECT_EQ(one.fingerprint, two.fingerprint);
    EXPECT_EQ(one.notes, two.notes);
    ASSERT_EQ(one.scalars.size(), two.scalars.size());
    for (std::size_t k = 0; k < one.scalars.size(); ++k) {
      const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
      EXPECT_EQ(bits(one.scalars[k].value), bits(two.scalars[k].value));
      EXPECT_EQ(bits(one.scalars[k].half_width), bits(two.scalars[k].half_width));
      EXPECT_EQ(one.scalars[k].quality, two.scalars[k].quality);
    }
  }
}

}  // namespace
}  // namespace weir::experiment
