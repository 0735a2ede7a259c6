#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "weir/experiment/store/results_record.hpp"

namespace weir::report {

/// A case of a hot spot between 3 and 9 ms whose efficiency falls to `low` meanwhile.
inline experiment::RunRecord hot_spot_run(const std::string& name, double low) {
  experiment::RunRecord run;
  run.experiment = "quickstart";
  run.case_name = name;
  run.seed = 1;
  run.version = "0.1.0";
  run.parameters = {{"queueing.model", name}};
  run.configuration = "a = 1\n";
  metrics::RunResult& r = run.result;
  std::vector<double> efficiency;
  for (int k = 0; k < 120; ++k) {
    const double t = 0.1 * k + 0.05;
    double y = 0.97;
    if (t > 3) y = low + (0.97 - low) * std::exp(-(t - 3) * 4);
    if (t > 9) y = 0.97 - (0.97 - low) * std::exp(-(t - 9) * 3);
    efficiency.push_back(y + 0.004 * std::sin(17.0 * k));
  }
  r.add_series("efficiency", "", Time(0), microseconds(100), efficiency);
  r.add_scalar("efficiency", "", 0.5 + low / 2);
  r.add_scalar("throughput", "", 432 * 100 * (0.5 + low / 2));
  r.add_scalar("throughput", "cold", 1234.5);
  r.add_scalar("latency_mean", "cold", 15'432.1 / low);
  r.add_scalar("latency_p99", "cold", 1'543'210.0);
  r.add_scalar("out_of_order", "", 0);
  return run;
}

inline std::vector<experiment::RunRecord> hot_spot_runs() {
  return {hot_spot_run("1q", 0.31), hot_spot_run("dbbm", 0.62), hot_spot_run("voqnet", 0.9)};
}

/// Latency over load for two cases, two seeds each.
inline std::vector<experiment::RunRecord> sweep_runs() {
  std::vector<experiment::RunRecord> runs;
  for (const char* name : {"1q", "voqsw"}) {
    for (int step = 1; step <= 9; ++step) {
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        experiment::RunRecord run;
        run.experiment = "load";
        run.case_name = name;
        run.seed = seed;
        run.version = "0.1.0";
        const double load = 0.1 * step;
        run.parameters = {{"traffic.0.load", std::to_string(load)}};
        const double base = name[0] == '1' ? 1'000 : 600;
        run.result.add_scalar("latency_mean", "",
                              base / (1.05 - load) + 20.0 * static_cast<double>(seed));
        runs.push_back(std::move(run));
      }
    }
  }
  return runs;
}

}  // namespace weir::report
