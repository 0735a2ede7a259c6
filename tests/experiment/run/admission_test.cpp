// Admission control as a file asks for it (yan2012, section 3.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/support.hpp"
#include "weir/experiment/run/simulation.hpp"

namespace weir::experiment::admission_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kModel = "admission.model=link-by-link";

std::string told(const std::vector<std::string>& set) {
  return refusal([&] {
    const Configuration configuration = resolve(small_with(set));
    const Simulation simulation(configuration, make_network(configuration));
  });
}

TEST(Admission, BadKeysAreNamed) {
  const std::string reserve = "traffic.0.reserve=1 GB/s";
  EXPECT_EQ(told({kModel, reserve}), "no error");
  EXPECT_EQ(told({reserve}), "no error");
  EXPECT_THAT(told({kModel}), AllOf(HasSubstr("admission.model"), HasSubstr("'reserve'")));
  EXPECT_THAT(told({kModel, reserve, "admission.budgets=[0.7, 0.4]"}),
              AllOf(HasSubstr("admission.budgets"), HasSubstr("add up to 1.1")));
  EXPECT_THAT(told({kModel, "traffic.0.reserve=100 GB/s"}),
              AllOf(HasSubstr("traffic[0].reserve"), HasSubstr("admission.budgets")));
  EXPECT_THAT(told({kModel, reserve, "traffic.0.service_level=2"}),
              AllOf(HasSubstr("traffic[0].reserve"), HasSubstr("service level 2")));
  EXPECT_THAT(told({kModel, reserve, "selection.model=random"}),
              AllOf(HasSubstr("admission.model"), HasSubstr("selection.model = \"fixed\"")));
  EXPECT_THAT(told({kModel, reserve, "host.when_full=discard"}),
              AllOf(HasSubstr("admission.model"), HasSubstr("host.when_full")));
  EXPECT_THAT(told({kModel, "traffic.0.reserve=9 bps"}), HasSubstr("whole bytes"));
  EXPECT_THAT(told({"admission.model=link"}), HasSubstr("known: link-by-link"));
}

double scalar(const metrics::RunResult& result, const std::string& metric) {
  for (const auto& one : result.scalars) {
    if (one.name == MetricName{metric, ""}) return one.value;
  }
  return -1;
}

TEST(Admission, ConnectionsAreCountedAndEndWithNothingReserved) {
  const Configuration configuration =
      resolve(small_with({kModel, "traffic.0.reserve=3 GB/s", "admission.retry=1 us",
                          "traffic.0.stop=10 us", "experiment.until=drained"}));
  Simulation simulation(configuration, make_network(configuration));
  while (simulation.advance()) {
  }
  const metrics::RunResult result = simulation.finish(0);
  const double asked = scalar(result, "connections_asked");
  EXPECT_GT(asked, 4);
  EXPECT_GT(scalar(result, "connections_rejected"), 0);
  EXPECT_EQ(scalar(result, "connections_accepted"), asked);
  EXPECT_EQ(scalar(result, "connections_released"), asked);
  EXPECT_EQ(scalar(result, "reservations_left"), 0);
  EXPECT_GT(scalar(result, "connection_setup"), 0);
  EXPECT_GT(scalar(result, "reserved_share_max"), 0);
  EXPECT_LT(scalar(result, "reserved_share_max"), 1.0 / 3);
}

metrics::RunResult with_load(const std::string& load, const std::string& model = kModel) {
  const Configuration configuration =
      resolve(small_with({model, "traffic.0.reserve=3 GB/s", "experiment.duration=100 us",
                          "traffic.0.arrivals={model = \"constant\", " + load + "}",
                          "traffic.0.destinations={model = \"shift\", distance = 1}"}));
  Simulation simulation(configuration, make_network(configuration));
  while (simulation.advance()) {
  }
  return simulation.finish(0);
}

double of_all(const metrics::RunResult& result, const std::string& metric) {
  const double* value = result.scalar(metric, "all");
  return value == nullptr ? -1 : *value;
}

// 3 GB/s are 24 Gbps.
TEST(Admission, SaysWhoSendsMoreThanItReserved) {
  const metrics::RunResult less = with_load("rate = \"20 Gbps\", load_of = \"wire\"");
  EXPECT_EQ(of_all(less, "reservations_exceeded"), 0);
  EXPECT_NEAR(of_all(less, "reservation_use_max"), 20.0 / 24, 0.01);
  for (const std::string& note : less.notes) EXPECT_THAT(note, testing::Not(HasSubstr("police")));
  const metrics::RunResult more = with_load("rate = \"60 Gbps\", load_of = \"wire\"");
  EXPECT_EQ(of_all(more, "reservations_exceeded"), 4);
  EXPECT_NEAR(of_all(more, "reservation_use_max"), 60.0 / 24, 0.01);
  EXPECT_THAT(more.notes, testing::Contains(AllOf(
                              HasSubstr("4 of 4 sources of 'all' sent more than they had reserved"),
                              HasSubstr("2.5 times as much"), HasSubstr("does not police"))));
  EXPECT_EQ(
      of_all(with_load("rate = \"60 Gbps\"", "admission.model=none"), "reservations_exceeded"), -1);
}

}  // namespace
}  // namespace weir::experiment::admission_test
