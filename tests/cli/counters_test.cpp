#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace weir::cli::counters_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Two switches, sw1 (LID 11) with three hosts and sw2 (LID 12) with one, n4, to which n1 and n2
/// send as fast as they can: the cable between the switches carries half of what they could.
std::string fabric() {
  return "Switch\t4 \"S-1\"\t# \"sw1\" base port 0 lid 11 lmc 0\n"
         "[1]\t\"H-a1\"[1](b1)\t# \"n1\" lid 1 4xHDR\n"
         "[2]\t\"H-a2\"[1](b2)\t# \"n2\" lid 2 4xHDR\n"
         "[3]\t\"H-a3\"[1](b3)\t# \"n3\" lid 3 4xHDR\n"
         "[4]\t\"S-2\"[4]\t# \"sw2\" lid 12 4xHDR\n"
         "Switch\t4 \"S-2\"\t# \"sw2\" base port 0 lid 12 lmc 0\n"
         "[1]\t\"H-a4\"[1](b4)\t# \"n4\" lid 4 4xHDR\n"
         "[4]\t\"S-1\"[4]\t# \"sw1\" lid 11 4xHDR\n"
         "Ca\t1 \"H-a1\"\t# \"n1\"\n[1](b1)\t\"S-1\"[1]\t# lid 1 lmc 0 \"sw1\" lid 11 4xHDR\n"
         "Ca\t1 \"H-a2\"\t# \"n2\"\n[1](b2)\t\"S-1\"[2]\t# lid 2 lmc 0 \"sw1\" lid 11 4xHDR\n"
         "Ca\t1 \"H-a3\"\t# \"n3\"\n[1](b3)\t\"S-1\"[3]\t# lid 3 lmc 0 \"sw1\" lid 11 4xHDR\n"
         "Ca\t1 \"H-a4\"\t# \"n4\"\n[1](b4)\t\"S-2\"[1]\t# lid 4 lmc 0 \"sw2\" lid 12 4xHDR\n";
}

const std::string kIncast = R"(
[experiment]
name = "incast"
duration = "100 us"
[topology]
model = "ibnetdiscover"
file = "net.txt"
[routing]
model = "up-down"
[[traffic]]
name = "all"
sources = ["n1", "n2"]
destinations = { model = "fixed", host = "n4" }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
)";

std::string port(int lid, int number, long words, long ticks) {
  return fmt::format(
      "# Port counters: Lid {} port {} (CapMask: 0x5A00)\nPortSelect:......................{}\n"
      "PortXmitData:....................{}\nPortXmitWait:....................{}\n",
      lid, number, number, words, ticks);
}

/// n1 and n2 waited, as in the run.
std::string counters(long more) {
  return port(1, 1, 1'000 + more, 500 + more) + port(2, 1, 1'000 + more, 500 + more) +
         port(3, 1, 0, 0) + port(4, 1, 0, 0) + port(11, 1, 0, 0) + port(11, 2, 0, 0) +
         port(11, 3, 0, 0) + port(11, 4, 2'000 + 2 * more, 3) + port(12, 1, 2'000 + 2 * more, 0) +
         port(12, 4, 0, 0);
}

class Counters : public testing::Test {
 protected:
  void SetUp() override {
    place_.write("net.txt", fabric());
    place_.write("x.toml", kIncast);
    place_.write("before.txt", counters(0));
    place_.write("after.txt", counters(1'000'000));
    const Outcome run = place_.weir("run x.toml --no-report --quiet");
    ASSERT_EQ(run.status, 0) << run.errors;
  }
  Workplace place_;
};

TEST_F(Counters, BesideTheLinksOfARun) {
  const Outcome table =
      place_.weir("counters results/incast after.txt --before before.txt --sort measured");
  ASSERT_EQ(table.status, 0) << table.errors;
  EXPECT_THAT(table.output, AllOf(HasSubstr("over 10 links"), HasSubstr("sw1[4]"),
                                  HasSubstr("1 000 000"), Not(HasSubstr("more links"))));
  const Outcome json = place_.weir(
      "counters results/incast after.txt --before before.txt --interval '100 us' --tick '50 ps' "
      "--format json --rows 4 --sort name");
  ASSERT_EQ(json.status, 0) << json.errors;
  const auto run = nlohmann::json::parse(json.output)["runs"][0];
  EXPECT_EQ(run["wait"]["links"], 10);
  EXPECT_GT(run["wait"]["spearman"], 0.9);
  EXPECT_GT(run["sent"]["spearman"], 0.9);
  ASSERT_EQ(run["links"].size(), 4U);
  const auto& first = run["links"][0];
  EXPECT_EQ(first["name"], "n1");
  EXPECT_EQ(first["sent"]["bytes"], 4'000'000);
  // 200 Gbps carry 2.5 MB in 100 us; a million ticks of 50 ps are 50 us.
  EXPECT_NEAR(first["sent"]["measured_time"].get<double>(), 1.6, 1e-9);
  EXPECT_NEAR(first["wait"]["measured_time"].get<double>(), 0.5, 1e-9);
  EXPECT_NEAR(first["wait"]["measured_share"].get<double>(), 0.5, 1e-9);
  EXPECT_GT(first["wait"]["simulated_time"], 0.3);
}

TEST_F(Counters, AsCsv) {
  const Outcome csv = place_.weir("counters results/incast after.txt --format csv --sort name");
  ASSERT_EQ(csv.status, 0) << csv.errors;
  EXPECT_THAT(csv.output, HasSubstr("\nn1,injection,counted,4004000,"));
  EXPECT_EQ(std::count(csv.output.begin(), csv.output.end(), '\n'), 11);
}

TEST_F(Counters, TellWhatDoesNotFit) {
  const Outcome outcome =
      place_.weir("counters results/incast after.txt --before before.txt --interval '100 us'");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, HasSubstr("sent for more than the whole interval"));
}

TEST_F(Counters, RefusesOthers) {
  place_.write("bad.txt", port(1, 1, 5, 0) + port(99, 1, 5, 0));
  Outcome outcome = place_.weir("counters results/incast bad.txt");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("bad.txt:5: counters of LID 99, which no node"));
  outcome = place_.weir("counters results/incast after.txt --interval 'ten'");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("--interval"));
  EXPECT_EQ(place_.weir("counters results/incast after.txt --tick '1 ns'").status, 2);
  outcome = place_.weir("counters results/incast net.txt");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.errors, HasSubstr("net.txt:1:1: 'Switch"));
}

TEST_F(Counters, OfSeveralRunsAreALineEach) {
  const Outcome run =
      place_.weir("run x.toml --no-report --quiet -o results/two --set 'replicate.seeds=2'");
  ASSERT_EQ(run.status, 0) << run.errors;
  const Outcome outcome = place_.weir("counters results/two after.txt");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_THAT(outcome.output, AllOf(HasSubstr("seed = 2"), HasSubstr("--runs NAME")));
  EXPECT_EQ(place_.weir("counters results/two after.txt --format csv").status, 2);
}

}  // namespace
}  // namespace weir::cli::counters_test
