// Metrics of mechanisms with an instance in each part of a network.
#include "weir/metrics/mechanism_monitor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "weir/metrics/run_result.hpp"

namespace weir::metrics {
namespace {

using fabric::Change;
using fabric::Readings;
using ::testing::ElementsAre;

class Instance final : public fabric::Mechanism {
 public:
  using Tell = std::function<void(Readings&, Time)>;
  explicit Instance(Tell tell) : tell_(std::move(tell)) {}
  void read(Readings& readings, Time now) const override { tell_(readings, now); }

 private:
  Tell tell_;
};

/// What two instances tell, with samples at 100 and 200 ps.
RunResult told(const Instance::Tell& first, const Instance::Tell& second) {
  const Instance one(first);
  const Instance two(second);
  MechanismMonitor monitor({&one, &two}, {});
  monitor.sample(Time(100), Time(100));
  monitor.sample(Time(200), Time(100));
  RunResult result;
  monitor.report(result, Time(200), Time(0));
  return result;
}

TEST(MechanismMonitor, MeansOverTimeAddUp) {
  const auto integral = [](std::int64_t per_ps) {
    return [per_ps](Readings& to, Time now) { to.mean_over_time("roots", per_ps * now.count); };
  };
  EXPECT_EQ(*told(integral(2), integral(3)).scalar("roots"), 5);
}

TEST(MechanismMonitor, TheLargestOfWhatDoesNotAddUp) {
  const auto level = [](double now) {
    return [now](Readings& to, Time) {
      to.level_of_most("notification_entries_at_switch", now, "notification_entries_at_switch_max");
    };
  };
  EXPECT_EQ(*told(level(2), level(7)).scalar("notification_entries_at_switch_max"), 7);
}

// Each was 2 at the most; at 40 ps one began when the other was not over yet.
TEST(MechanismMonitor, TheMostAtOneMomentIsOfAllTogether) {
  const std::vector<Change> first{{10, 1}, {20, 1}, {40, -2}, {60, 1}};
  const std::vector<Change> second{{30, 1}, {40, 1}, {50, -2}};
  const auto changes = [](const std::vector<Change>& all) {
    return [&all](Readings& to, Time) { to.most_at_once("roots_max", all); };
  };
  EXPECT_EQ(*told(changes(first), changes(second)).scalar("roots_max"), 4);
}

TEST(MechanismMonitor, SumsAndMeansAreRoundedOnceAllAreThere) {
  const auto values = [](std::int64_t sum) {
    return [sum](Readings& to, Time) {
      to.value_of_sum("reservations_left", sum, 8e-9);
      to.value_of_mean("flow_set_up_mean", sum, 1e-3, 3);
    };
  };
  const RunResult result = told(values(1'234'567), values(7'654'321));
  EXPECT_EQ(*result.scalar("reservations_left"), 8'888'888.0 * 8e-9);
  EXPECT_EQ(*result.scalar("flow_set_up_mean"), 8'888'888.0 * 1e-3 / 6);
}

TEST(MechanismMonitor, NothingIsTheMeanOfNothing) {
  const auto none = [](Readings& to, Time) { to.value_of_mean("flow_set_up_mean", 0, 1e-3, 0); };
  EXPECT_EQ(told(none, none).scalar("flow_set_up_mean"), nullptr);
}

// As one instance would tell them: by number where they are new in one sample.
TEST(MechanismMonitor, ThingsOfSeveralInstancesHaveTheirOrder) {
  const auto entries = [](const char* early, std::uint32_t its, const char* late) {
    return [=](Readings& to, Time now) {
      to.count("connections_asked", 1);
      if (now > Time(150)) to.level_at("vl_entries", late, 5, 1);
      to.level_at("vl_entries", early, static_cast<double>(its), its);
    };
  };
  const RunResult result = told(entries("c", 30, "d"), entries("b", 20, "e"));
  std::vector<std::string> labels;
  std::vector<double> last;
  for (const Series& series : result.series) {
    labels.push_back(series.name.label);
    last.push_back(series.values.back());
  }
  EXPECT_THAT(labels, ElementsAre("b", "c", "d", "e"));
  EXPECT_THAT(last, ElementsAre(20, 30, 5, 5));
  EXPECT_EQ(*result.scalar("connections_asked"), 2);
}

}  // namespace
}  // namespace weir::metrics
