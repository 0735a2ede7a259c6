#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace weir::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Six flows: a quarter of the line rate each (zdornov2009, section 1.3); s1 alone can have more
/// when f1 weighs less.
const std::string kSixFlows = R"(
[topology]
model = "congestion-spreading"
[link]
rate = "10 Gbps"
[routing]
model = "shortest-path"
[[flow]]
source = "s1"
destination = "d1"
[[flow]]
source = "s2"
destination = "d1"
[[flow]]
sources = ["s3", "s4", "s5", "s6"]
destinations = { model = "fixed", host = "d2" }
application = "incast"
)";

TEST(Rates, ShowsRatesBottlenecksAndContention) {
  const Workplace place;
  place.write("six.toml", kSixFlows);
  const Outcome shown = place.weir("rates six.toml");
  ASSERT_EQ(shown.status, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("6 of 2 applications"));
  EXPECT_THAT(shown.output, HasSubstr("verified: every flow crosses a full link"));
  EXPECT_THAT(shown.output, HasSubstr("1/4"));
  EXPECT_THAT(shown.output, HasSubstr("2.5"));
  EXPECT_THAT(shown.output, HasSubstr("flows on a link"));
}

TEST(Rates, JsonHasAllOfIt) {
  const Workplace place;
  place.write("six.toml", kSixFlows);
  const Outcome shown = place.weir("rates six.toml --algorithm saa --format json");
  ASSERT_EQ(shown.status, 0) << shown.errors;
  const auto json = nlohmann::json::parse(shown.output);
  const auto& rates = json["rates"][0];
  EXPECT_EQ(rates["algorithm"], "saa");
  EXPECT_EQ(rates["verified"], true);
  EXPECT_EQ(rates["completion_time"], 4.0);
  ASSERT_EQ(rates["flows"].size(), 6U);
  EXPECT_EQ(rates["flows"][5]["source"], "s6");
  EXPECT_EQ(rates["flows"][5]["application"], "incast");
  EXPECT_EQ(rates["flows"][5]["exact"], "1/4");
  EXPECT_EQ(rates["flows"][5]["bottleneck"], rates["flows"][4]["bottleneck"]);
}

TEST(Rates, ProtocolsFindThem) {
  const Workplace place;
  place.write("six.toml", kSixFlows);
  const Outcome shown = place.weir("rates six.toml --protocol dffa");
  ASSERT_EQ(shown.status, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("settled           yes"));
  EXPECT_THAT(shown.output, HasSubstr("compared with     ffa"));
  const Outcome machine = place.weir("rates six.toml --protocol dafa-star --format json");
  ASSERT_EQ(machine.status, 0) << machine.errors;
  const auto json = nlohmann::json::parse(machine.output)["protocol"];
  EXPECT_EQ(json["algorithm"], "afa");
  EXPECT_EQ(json["is_settled"], true);
  EXPECT_NEAR(json["flows"][0]["rate"].get<double>(), 0.25, 1e-12);
  const Outcome unknown = place.weir("rates six.toml --protocol dfaa");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean 'dafa'?"));
}

TEST(Rates, FlowsThatNeverSettleAreReportedAndAskForNoMoreThanThereIs) {
  const Workplace place;
  place.write("changing.toml",
              kSixFlows +
                  "[protocol]\nduring_calculation = \"follow\"\nlimit = \"300 us\"\n"
                  "changes = { every = \"2 us\", count = 1000, from = \"1 us\" }\n");
  const Outcome shown = place.weir("rates changing.toml --protocol dffa");
  ASSERT_EQ(shown.status, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("settled           no, given up after 300 us"));
  const Outcome machine = place.weir("rates changing.toml --protocol dffa --format json");
  ASSERT_EQ(machine.status, 0) << machine.errors;
  const auto json = nlohmann::json::parse(machine.output)["protocol"];
  EXPECT_EQ(json["is_settled"], false);
  EXPECT_GT(json["rounds"].get<int>(), 100);
  EXPECT_LE(json["oversubscription"].get<double>(), 1 + 1e-9);
}

TEST(Rates, ComparesTwoAlgorithms) {
  const Workplace place;
  place.write("six.toml", kSixFlows);
  const Outcome same = place.weir("rates six.toml --compare ffa,saa");
  ASSERT_EQ(same.status, 0) << same.errors;
  EXPECT_THAT(same.output, HasSubstr("0 of 6 flows have different rates"));
  // The link between the switches leaves some of the last link, which s5 and s6 get from ffa.
  const Outcome apart = place.weir("rates six.toml --set flow.1.weight=3.0 --compare ffa,saa");
  ASSERT_EQ(apart.status, 0) << apart.errors;
  EXPECT_THAT(apart.output, HasSubstr("of 6 flows have different rates"));
  EXPECT_THAT(apart.output, Not(HasSubstr("0 of 6 flows")));
}

TEST(Rates, ErrorsNameTheirPlace) {
  const Workplace place;
  place.write("six.toml", kSixFlows);
  const Outcome unknown = place.weir("rates six.toml --algorithm afaa");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("did you mean 'afa'?"));
  EXPECT_EQ(place.weir("rates six.toml --compare ffa").status, 2);
  EXPECT_EQ(place.weir("rates six.toml --compare ffa,dfa").status, 2);
  place.write("zero.toml", kSixFlows + "weight = 0.0\n");
  const Outcome zero = place.weir("rates zero.toml");
  EXPECT_EQ(zero.status, 2);
  EXPECT_THAT(zero.errors, HasSubstr("zero.toml:18:"));
}

}  // namespace
}  // namespace weir::cli
