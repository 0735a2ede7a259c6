#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiment/support.hpp"
#include "weir/experiment/campaign/runner.hpp"
#include "weir/experiment/run/network.hpp"
#include "weir/report/page/page.hpp"

namespace weir::report {

using experiment::RunRecord;
using nlohmann::json;

inline constexpr std::size_t kRoom = 10'000'000;

/// Two hosts send to host 3 for half of the time, the others anywhere.
inline const std::string kHotSpot = R"(
[experiment]
name = "incast"
title = "incast on a switch"
description = "what it is about"
duration = "20 us"
warmup = "2 us"
[topology]
model = "single-switch"
hosts = 6
[routing]
model = "shortest-path"
[[traffic]]
name = "hot"
role = "hot"
sources = [0, 1]
destinations = { model = "fixed", host = 3 }
arrivals = { model = "saturated" }
sizes = { model = "fixed", size = "4 KiB" }
start = "5 us"
stop = "15 us"
[[traffic]]
name = "others"
role = "cold"
sources = "rest"
destinations = { model = "uniform" }
arrivals = { model = "poisson", load = 0.5 }
sizes = { model = "fixed", size = "1 KiB" }
[metrics]
bin = "1 us"
[[plot]]
figure = "efficiency"
metric = ["efficiency", "efficiency[hot]"]
shade = ["5 us", "15 us"]
)";

inline RunRecord run_of(const std::string& text, const std::string& case_name = "one") {
  const auto configuration = experiment::resolve(experiment::table_of(text));
  experiment::NetworkCache networks;
  experiment::Variant variant;
  variant.case_name = case_name;
  variant.settings = {{"queueing.model", "\"1q\""}};
  auto record = experiment::run_one(configuration, variant, networks,
                                    [](const experiment::RunProgress&) { return true; });
  record->id = 7;
  return *record;
}

inline PageRuns in_memory(std::vector<RunRecord> runs) {
  return {std::move(runs), [](RunRecord&, const experiment::ResultParts&) {}};
}

inline json data_of(std::vector<RunRecord> runs, const PageOptions& options = {},
                    std::size_t room = kRoom) {
  return json::parse(page_data(in_memory(std::move(runs)), options, room));
}

inline std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

}  // namespace weir::report
