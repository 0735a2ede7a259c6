#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "report/page_runs.hpp"
#include "support/temporary_folder.hpp"

namespace weir::report {
namespace {

using testing::HasSubstr;

/// The same on a switch as ibnetdiscover and perfquery see it: LID 9, hosts from LID 1.
class PageOfASubnet : public testing::Test {
 protected:
  PageOfASubnet() {
    std::string leaf = "Switch\t6 \"S-1\"\t# \"s\" base port 0 lid 9 lmc 0\n";
    std::string hosts;
    for (int h = 1; h <= 6; ++h) {
      leaf += fmt::format("[{0}]\t\"H-a{0}\"[1](b{0})\t# \"h{0}\" lid {0} 4xHDR\n", h);
      hosts += fmt::format(
          "Ca\t1 \"H-a{0}\"\t# \"h{0}\"\n[1](b{0})\t\"S-1\"[{0}]\t# lid {0} lmc 0 \"s\" lid 9 "
          "4xHDR\n",
          h);
    }
    write("net.txt", leaf + hosts);
    std::string counters;
    for (int port = 1; port <= 3; ++port) {
      counters += fmt::format(
          "# Port counters: Lid 9 port {} (CapMask: 0x1300)\nPortXmitData:....{}\n"
          "PortXmitWait:....{}\n",
          port, 100 * port, 10 * port);
    }
    options_.counters.after = write("counters.txt", counters);
    std::string text = kHotSpot;
    const std::string model = "model = \"single-switch\"\nhosts = 6";
    text.replace(
        text.find(model), model.size(),
        fmt::format("model = \"ibnetdiscover\"\nfile = \"{}\"", (folder_ / "net.txt").string()));
    record_ = run_of(text);
  }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  support::TemporaryFolder folder_;
  PageOptions options_;
  RunRecord record_;
};

TEST_F(PageOfASubnet, HasTheCountersOfItsPorts) {
  const json data = data_of({record_}, options_);
  const json& topology = data["topologies"][0];
  const json& measured = topology["measured"];
  EXPECT_EQ(keys_of(measured),
            (std::set<std::string>{"after", "before", "interval_ns", "tick_ns", "bytes", "ticks"}));
  std::map<std::string, json> ticks;
  for (std::size_t i = 0; i < topology["ports"].size(); ++i) {
    ticks[topology["ports"][i]["name"]] = measured["ticks"][i];
  }
  EXPECT_EQ(ticks["s[1]"], 10);
  EXPECT_EQ(ticks["s[3]"], 30);
  EXPECT_TRUE(ticks["h1"].is_null());
  const json& agreement = data["runs"][0]["agreement"];
  EXPECT_EQ(keys_of(agreement), (std::set<std::string>{"wait", "sent", "notes"}));
  EXPECT_EQ(agreement["sent"]["links"], 3);
  EXPECT_THAT(agreement["notes"][0].get<std::string>(), HasSubstr("9 links is not in the files"));
}

TEST_F(PageOfASubnet, HasNoCountersThatNobodyGave) {
  const json data = data_of({record_});
  EXPECT_FALSE(data["topologies"][0].contains("measured"));
  EXPECT_FALSE(data["runs"][0].contains("agreement"));
}

TEST_F(PageOfASubnet, RefusesCountersOfAnotherFabric) {
  write("counters.txt", "# Port counters: Lid 7 port 1\nPortXmitData:..1\n");
  EXPECT_THAT(experiment::refusal([&] { (void)data_of({record_}, options_); }),
              HasSubstr("counters of LID 7"));
}

}  // namespace
}  // namespace weir::report
