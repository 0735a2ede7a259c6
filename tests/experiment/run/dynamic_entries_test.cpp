// Files whose connections fill arbitration tables: yan2012, section 5.2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "experiment/one_run.hpp"
#include "experiment/support.hpp"

namespace weir::experiment {
namespace {

using ::testing::HasSubstr;

/// Two connections of an entry each on VL 0 from the beginning, and a third from 100 to 200 us.
std::string with_connections(const std::string& admission = "tables = \"connections\"\n",
                             const std::string& sharing = "threshold_entries = 3\n") {
  std::string text =
      "[experiment]\nduration = \"400 us\"\n[topology]\nmodel = \"single-switch\"\nhosts = 2\n"
      "[routing]\nmodel = \"shortest-path\"\n[link]\nrate = \"64 Gbps\"\ndelay = \"0 ns\"\n"
      "[switch]\narbiter = \"vl-weighted\"\n[queueing]\nmodel = \"service-level\"\nvls = 2\n"
      "[vl_arbitration]\nlow = [{ vl = 1, weight = 1 }]\n[host]\nmtu = \"1 KiB\"\n"
      "[metrics]\nbin = \"10 us\"\n[admission]\nmodel = \"link-by-link\"\nbudgets = [0.5, 0.5]\n" +
      admission +
      "[vl_sharing]\nmodel = \"entry-threshold\"\nown_rate = \"8 Gbps\"\n"
      "borrowed_rate = \"16 Gbps\"\nlenders = [1]\n" +
      sharing;
  for (const char* of : {"a", "b", "c"}) {
    text += std::string("[[traffic]]\nname = \"") + of +
            "\"\nsources = [0]\ndestinations = { model = \"fixed\", host = 1 }\n"
            "arrivals = { model = \"constant\", interval = \"4 us\" }\n"
            "sizes = { model = \"fixed\", size = \"1 KiB\" }\nreserve = \"1 Gbps\"\n";
    text += *of == 'c' ? "start = \"100 us\"\nstop = \"200 us\"\n" : "stop = \"300 us\"\n";
  }
  return text;
}

const metrics::Series* series_of(const metrics::RunResult& result, const std::string& metric,
                                 const std::string& label) {
  const auto found = std::find_if(result.series.begin(), result.series.end(), [&](const auto& one) {
    return one.name.metric == metric && one.name.label == label;
  });
  return found == result.series.end() ? nullptr : &*found;
}

TEST(DynamicEntries, AreSeriesBesideTheLanesThatTheyBorrow) {
  const metrics::RunResult result = result_of(with_connections());
  const metrics::Series* entries = series_of(result, "vl_entries", "h0 VL 0");
  const metrics::Series* borrowed = series_of(result, "vl_borrowed", "h0 VL 0");
  ASSERT_NE(entries, nullptr);
  ASSERT_NE(borrowed, nullptr);
  EXPECT_NE(series_of(result, "vl_entries", "s0[1] VL 0"), nullptr);
  EXPECT_EQ(series_of(result, "vl_entries", "h0 VL 1"), nullptr) << "no connection";
  ASSERT_EQ(entries->values.size(), 40U);
  ASSERT_EQ(borrowed->values.size(), 40U);
  EXPECT_EQ(entries->values[5], 2);
  EXPECT_EQ(entries->values[15], 3);
  EXPECT_EQ(entries->values[25], 2);
  EXPECT_EQ(entries->values[35], 0);
  EXPECT_EQ(borrowed->values[5], 0);
  EXPECT_GT(borrowed->values[15], 0.1);
  EXPECT_EQ(borrowed->values[25], 0);
}

TEST(DynamicEntries, AreNoSeriesWhereTablesStay) {
  std::string text = with_connections("", "threshold = 100\n");
  text.replace(text.find("low = ["), 7, "low = [{ vl = 0, weight = 1 }, ");
  const metrics::RunResult result = result_of(text);
  EXPECT_EQ(series_of(result, "vl_entries", "h0 VL 0"), nullptr);
  EXPECT_EQ(series_of(result, "vl_borrowed", "h0 VL 0"), nullptr);
}

std::string error_in(const std::string& text) {
  try {
    (void)simulated(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DynamicEntries, MistakesAreTold) {
  EXPECT_THAT(error_in(with_connections("", "threshold_entries = 3\n")),
              HasSubstr("vl_arbitration: VL 0 has no weight in any table"));
  EXPECT_THAT(error_in(with_connections("tables = \"connection\"\n")),
              HasSubstr("did you mean 'connections'"));
  EXPECT_THAT(error_in(with_connections("tables = \"connections\"\nhigh_vls = [15]\n")),
              HasSubstr("admission.high_vls"));
  EXPECT_THAT(error_in(with_connections("entries_end = \"with-last-of-vl\"\n")),
              HasSubstr("admission.entries_end: belongs to admission.tables = \"connections\""));
  EXPECT_THAT(error_in(with_connections() + "[[failure]]\nlinks = [\"s0[1]\"]\nat = \"10 us\"\n"),
              HasSubstr("would have no entry of VL 0"));
}

}  // namespace
}  // namespace weir::experiment
